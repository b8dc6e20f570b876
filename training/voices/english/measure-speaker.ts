// Writes the profile of the English voice as it is, with which other voices are compared:
// `node training/voices/english/measure-speaker.ts`.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { measureVoice } from '@jyutsing/audio/voice/measure-voice';
import { normalize } from '#packages/text/normalization/normalize.ts';
import { splitText } from '#packages/text/normalization/split-text.ts';
import { readLexicon } from '#packages/engines/hibari/lexicon.ts';
import { openGraph } from '#packages/engines/hibari/open-graph.ts';
import { planRuns } from '#packages/engines/hibari/plan-runs.ts';
import { pulseTrain } from '#packages/engines/hibari/pulse-train.ts';
import { createSpeechRenderer } from '#packages/engines/hibari/render-speech.ts';
import { frameAt, SAMPLE_RATE_HZ } from '#packages/engines/hibari/spectra.ts';
import { createSpeller } from '#packages/engines/hibari/spell-word.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SENTENCES = 20;

const graph = await openGraph(join(ROOT, 'models/hibari/hibari.onnx'));
const spell = createSpeller(await readLexicon(join(ROOT, 'models/hibari/lexicon.tsv')));
const sentences = (await readFile(join(ROOT, 'eval/sentences-eng.txt'), 'utf8')).split('\n').slice(0, SENTENCES);
const sounds: Float32Array[] = [];
for (const sentence of sentences) {
  const pieces = splitText(sentence, 'english').flatMap((piece) => normalize(piece, 'english') ?? []);
  for (const { letters } of planRuns(pieces, spell)) {
    const { spectra } = await graph.predict(letters, 1);
    const renderer = createSpeechRenderer(pulseTrain(spectra.pitchHz), 1);
    for (let at = 0; at < spectra.pitchHz.length; at += 1) sounds.push(renderer.push(frameAt(spectra, at)));
    sounds.push(...renderer.end());
  }
}
await graph.close();
const profile = JSON.stringify(measureVoice(joinSamples(sounds), SAMPLE_RATE_HZ), (_, value: unknown) =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : value,
);
await writeFile(join(ROOT, 'packages/engines/hibari/speaker-profile.json'), `${profile}\n`);
