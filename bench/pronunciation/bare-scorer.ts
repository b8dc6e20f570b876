// Scores a recording without the service: `bare-scorer.ts <file> <language> <seconds> <text>`.
// Prints as JSON the milliseconds of each round, in total and by step.
import { join } from 'node:path';
import { readSpeech } from '@jyutsing/audio/speech/read-speech';
import type { Language } from '@jyutsing/contracts/transcript';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { openScorer } from '#packages/engines/builtin/pronunciation/open-scorer.ts';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import type { BareScores } from './bare.ts';

const [path = '', named = '', seconds = '3', text = ''] = process.argv.slice(2);
const language = named as Language;
const modelsDir = join(import.meta.dirname, '../../models');
const scorer = await openScorer(modelsDir, language);
const acoustic = await openAcousticModel(modelFiles(modelsDir, language));
const { signal } = new AbortController();

const times: BareScores = { allMs: [], readTextMs: [], readSoundMs: [], analyzeMs: [], assessMs: [], acousticMs: [] };

/** Times each step; the total is the sum of the steps. */
async function scoreOnce(): Promise<Record<keyof BareScores, number>> {
  const marks = [performance.now()];
  const target = await readTarget(text, language);
  marks.push(performance.now());
  const { samples } = await readSpeech(path, { maxDurationMs: 60_000, signal });
  marks.push(performance.now());
  const analysis = await scorer.analyze(samples);
  marks.push(performance.now());
  scorer.assess(analysis, target);
  marks.push(performance.now());
  await acoustic.computeWithPitch(samples);
  const [start = 0, read = 0, decoded = 0, analyzed = 0, assessed = 0] = marks;
  return {
    allMs: assessed - start,
    readTextMs: read - start,
    readSoundMs: decoded - read,
    analyzeMs: analyzed - decoded,
    assessMs: assessed - analyzed,
    acousticMs: performance.now() - assessed,
  };
}

// Warm-up: in the service the code is compiled and the models are loaded.
for (let round = 0; round < 20; round += 1) await scoreOnce();
const startedMs = performance.now();
while (performance.now() - startedMs < Number(seconds) * 1_000) {
  const round = await scoreOnce();
  for (const [part, ms] of Object.entries(round)) times[part as keyof BareScores].push(ms);
}
console.log(JSON.stringify(times));
process.exit(0);
