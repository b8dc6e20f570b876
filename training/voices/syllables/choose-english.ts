import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { replaceFile } from '@jyutsing/system/replace-file';
import { openPronouncer } from '@jyutsing/text/pronunciation/english/pronounce-word';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import { createDecoder } from '#packages/engines/builtin/decoder/index.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import type { UnitLabels } from '#packages/engines/syllable/find-labels.ts';
import { openVoice } from '#packages/engines/syllable/open-voice.ts';
import { englishLabels } from '#packages/engines/syllable/plan-syllables.ts';
import type { Sounds } from '#packages/engines/syllable/sounds.ts';
import { soundsOf } from '#packages/engines/syllable/sounds-of.ts';
import { readVoiceFile } from '#packages/engines/syllable/voice-file.ts';
import { speak } from '#packages/engines/syllable/speak.ts';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { startProgress } from '../../../eval/progress.ts';
import { readSamples } from '../../../eval/sound.ts';
import { alignTokens } from '../../../eval/tts/align-tokens.ts';
import { bringClarityJudges } from '../../../eval/tts/clarity-judges.ts';
import { nearestJyutping } from '../../../eval/tts/mixed.ts';
import { createAlternatives } from './sound-alternatives.ts';

// Chooses, for the syllables of English words, the recordings that two recognizers understand best
// (README.md).

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    syllables: { type: 'string', default: '600' },
  },
});
if (values.out === undefined) {
  console.error('usage: node training/voices/syllables/choose-english.ts --out FILE [--syllables N]');
  process.exit(2);
}

type Sound = UnitLabels['sound'];
/** Syllables before an English word, the word with a place for the syllable, syllables after it. */
const CARRIERS = [
  ['keoi5 gong2', '_', 'gau3'],
  ['ngo5 heoi3', '_', 'hou2'],
  ['jau5', '_ si4', 'laa3'],
  ['go3', 'li1 _', 'aa3'],
] as const;
/** Number of missed syllables up to which no other sound is looked for. */
const ENOUGH = 2;
/** Number of missed syllables by which another sound must be better. */
const LEAST_GAIN = 3;
/** Number of sounds that are heard in further carriers. */
const FINALISTS = 2;

const root = join(import.meta.dirname, '../../..');
const models = join(root, 'models');
/** The sounds of Cantonese, for English words that are written in syllables. */
const sounds: Sounds = { ...soundsOf('cantonese'), englishSyllables: (syllables) => [...syllables] };
const chosen = new Map<string, Sound>();
const voicePath = join(models, 'yue/syllables.voice');
const voice = await openVoice(voicePath, sounds, chosen);
const alternatives = createAlternatives([...readVoiceFile(await readFile(voicePath)).units.keys()], sounds);
const speakers = loadShippedVoices(join(root, 'voices'))
  .filter(({ voice: { language } }) => language === 'cantonese')
  .map(({ voice: { id, profile } }) => ({ id, profile, reference: null }));
const { pronounce } = await openPronouncer();
const folder = await mkdtemp(join(tmpdir(), 'jyutsing-choose-'));

/** The judge of our voices and the shipped model, which knows the Cantonese words of this voice. */
const judgeFolder = join(await bringClarityJudges(), 'yue');
const shippedFiles = modelFiles(models, 'cantonese');
const judges = await Promise.all(
  [{ acoustic: join(judgeFolder, 'acoustic.onnx'), description: join(judgeFolder, 'acoustic.json') }, shippedFiles].map(
    async (files) => {
      const acoustic = await openAcousticModel({ ...shippedFiles, ...files });
      const { labels } = acoustic;
      const decoder = createDecoder({ language: 'cantonese', labels, languageModelPath: shippedFiles.languageModel });
      return async (samples: Float32Array) =>
        decoder.decodeUnits(await acoustic.compute(samples)).map(({ onset, rime }) => `${onset}${rime}1`);
    },
  ),
);

/** The most frequent syllables of English words in Hong Kong. */
async function frequentSyllables(): Promise<string[]> {
  const words = await readFile(join(root, 'packages/engines/syllable/testing/mixed-words.txt'), 'utf8');
  const counts = new Map<string, number>();
  for (const spokenForm of words.split(/\s+/).filter(Boolean)) {
    const word: SpokenWord = { written: spokenForm, language: 'english', spokenForm, reading: [] };
    for (const label of await englishLabels(word, soundsOf('cantonese'), async () => pronounce))
      counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.map(([label]) => label).slice(0, Number(values.syllables));
}

/** Speaks words and returns their sound as the judges hear it. */
async function heardSamples(words: readonly SpokenWord[], speaker: SynthesisVoice): Promise<Float32Array> {
  const spokenForm = words.map(({ written }) => written).join(' ');
  const pieces = [{ phrases: [{ words, ending: 'statement' as const }], spokenForm, endsSentence: true }];
  const style = { temperature: 0.9, topP: 0.95, speed: 1, pitchSemitones: 0, seed: 7 };
  const request = { pieces, language: 'cantonese' as const, voice: speaker, ...style };
  const audio: Float32Array[] = [];
  const engine = { voice, finish: null, pronounce: async () => pronounce };
  for await (const event of speak(engine, request, new AbortController().signal))
    if (event.type === 'audio') audio.push(event.samples);
  const path = join(folder, 'carrier.wav');
  await writeFile(path, wavBytes({ sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, channels: [joinSamples(audio)] }));
  return readSamples(path);
}

/** The syllable that the judges hear, without its tone. */
const heardBase = (label: string) => nearestJyutping(label).slice(0, -1);

/**
 * Counts the syllables that the judges miss when each voice says one of the carriers; above `limit`
 * the rest is not said.
 */
async function missed(label: string, sound: Sound, turn: 0 | 1, limit = Infinity): Promise<number> {
  chosen.set(label, sound);
  let count = 0;
  for (const [index, speaker] of speakers.entries()) {
    const carrier = CARRIERS[(turn === 0 ? index : index + 1 + (index >> 2)) % CARRIERS.length]!;
    const words = carrier.map((syllables, place): SpokenWord => {
      const reading = syllables.replace('_', label).split(' ');
      return { written: reading.join(), language: place === 1 ? 'english' : 'cantonese', spokenForm: 'x', reading };
    });
    const samples = await heardSamples(words, speaker);
    const expected = words.flatMap(({ reading }) => reading.map(heardBase));
    for (const hear of judges) {
      const pairs = alignTokens(expected, (await hear(samples)).map(heardBase), (base) => base);
      count += expected.length - pairs.length;
    }
    if (count > limit) break;
  }
  return count;
}

/** Returns the sound that is missed least, null if that is the usual one. */
async function choose(label: string): Promise<Sound | null> {
  const usual = voice.labelsFor(label, false).sound;
  const first = await missed(label, usual, 0);
  if (first <= ENOUGH) return null;
  const tried: { sound: Sound; count: number }[] = [];
  for (const sound of alternatives(label, usual)) {
    const counts = tried.map(({ count }) => count).toSorted((a, b) => a - b);
    const limit = Math.min(first, counts[FINALISTS - 1] ?? first);
    tried.push({ sound, count: await missed(label, sound, 0, limit) });
  }
  const finalists = tried.filter(({ count }) => count < first).toSorted((a, b) => a.count - b.count);
  const usualCount = finalists.length === 0 ? 0 : first + (await missed(label, usual, 1));
  let best: { sound: Sound | null; count: number } = { sound: null, count: usualCount - LEAST_GAIN + 1 };
  for (const { sound, count } of finalists.slice(0, FINALISTS)) {
    const whole = count + (await missed(label, sound, 1));
    if (whole < best.count) best = { sound, count: whole };
  }
  return best.sound;
}

const labels = await frequentSyllables();
const progress = startProgress('choosing', labels.length);
const found: [string, Sound][] = [];
for (const [index, label] of labels.entries()) {
  const sound = await choose(label);
  chosen.delete(label);
  if (sound !== null) found.push([label, sound]);
  await writeFound();
  progress.done(index + 1);
}
await rm(folder, { recursive: true });
progress.finish(`${found.length} of ${labels.length} syllables have another sound`);
// The sessions of the judges keep the process alive.
process.exit(0);

async function writeFound(): Promise<void> {
  const lines = found
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, sound]) => `  "${label}": ${JSON.stringify(sound)}`);
  await replaceFile(values.out!, Buffer.from(`{\n${lines.join(',\n')}\n}\n`));
}
