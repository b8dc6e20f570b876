import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { createRandom } from '#packages/numeric/random.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { readTable } from '../pronunciation/tables.ts';
import { readSamples } from '../sound.ts';
import type { EngineLocation } from '../tasks.ts';
import { sentencesToSpeak, speakToWav } from './spoken-set.ts';

/** One sentence by two speakers, in the order in which they are heard. */
export type ListeningPair = { text: string; speakers: readonly [string, string] };

type PageOptions = {
  /** Folder of the page, which is made. */
  folder: string;
  /** Folders with recordings of people, or none. */
  sets: readonly string[];
  pairs: number;
  voices: readonly SynthesisVoice[];
  seed: number;
  onProgress: (count: number) => void;
};

/** Sentences read by people. */
const PEOPLE_SET = 'yue-sentences-dev';
const PERSON = 'person';
/** Built-in engines that speak Cantonese, the present default first. */
const ENGINES = ['syllable', 'espeak'] as const;
/** Longer sentences make listeners forget the first speaker. */
const MAX_CHARACTERS = 20;
/** All sounds have this level, and no peak above the second. */
const LEVEL_DB = -23;
const PEAK = 0.89;

/**
 * Writes a page on which a person compares pairs of sentences by keys: `index.html` with its sounds
 * beside it, all at one level and at 16 kHz, in an order drawn with `seed`. The page asks no server
 * and keeps its answers in the browser until they are saved as a file. Returns the pairs.
 */
export async function writeListeningPage(options: PageOptions, place: EngineLocation): Promise<ListeningPair[]> {
  const random = createRandom(options.seed);
  const recorded = await recordedSentences(options.sets);
  const spoken = (await sentencesToSpeak('cantonese', options.pairs)).map((text) => ({ text, path: null }));
  const sentences = shuffled(
    [...shuffled(recorded, random), ...shuffled(spoken, random)].slice(0, options.pairs),
    random,
  );
  await mkdir(options.folder, { recursive: true });
  const temporary = await mkdtemp(join(tmpdir(), 'jyutsing-listening-'));
  const pairs: ListeningPair[] = [];
  try {
    for (const [index, { text, path }] of sentences.entries()) {
      // With a recording, every second pair compares it with an engine, in turn.
      const compared = path === null ? [...ENGINES] : [PERSON, ENGINES[index % ENGINES.length]!];
      const speakers = shuffled(compared, random) as [string, string];
      const voice = options.voices[index % options.voices.length]!;
      for (const [at, speaker] of speakers.entries()) {
        const source = speaker === PERSON ? path! : join(temporary, 'spoken.wav');
        const style = { model: speaker, temperature: 0.9 };
        if (speaker !== PERSON) await writeFile(source, await speakToWav(text, 'cantonese', voice, style, place));
        const samples = levelled(await readSamples(source));
        const sound = wavBytes({ sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, channels: [samples] });
        await writeFile(join(options.folder, soundName(index, at)), sound);
      }
      pairs.push({ text, speakers });
      options.onProgress(index + 1);
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  await writeFile(join(options.folder, 'index.html'), await pageOf(pairs, options.seed));
  return pairs;
}

const soundName = (pair: number, at: number): string => `${String(pair + 1).padStart(2, '0')}-${'ab'[at]!}.wav`;

async function recordedSentences(sets: readonly string[]): Promise<{ text: string; path: string }[]> {
  const table = await readTable(sets, PEOPLE_SET);
  if (table === null) return [];
  return table.rows
    .map(({ file = '', text = '' }) => ({ text, path: join(table.folder, file) }))
    .filter(({ text }) => Array.from(text).length <= MAX_CHARACTERS);
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/** Brings sound to the common level. */
function levelled(samples: Float32Array): Float32Array {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-6);
  const gain = Math.min(10 ** (LEVEL_DB / 20) / Math.sqrt(power + 1e-12), PEAK / peak);
  return samples.map((sample) => gain * sample);
}

async function pageOf(pairs: readonly ListeningPair[], seed: number): Promise<string> {
  const template = await readFile(new URL('listening-page.html', import.meta.url), 'utf8');
  const data = pairs.map(({ text, speakers }, index) => ({
    text,
    sounds: speakers.map((_, at) => soundName(index, at)),
    speakers,
  }));
  // The answers are encoded, so that a look at the source does not tell who speaks.
  const encoded = Buffer.from(JSON.stringify({ seed, pairs: data })).toString('base64');
  return template.replace('LISTENING_PAIRS', encoded);
}
