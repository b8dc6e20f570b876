import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { createRandom } from '#packages/numeric/random.ts';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { isTestLearner } from './pronunciation/held-out.ts';
import { readSet, type Item } from './read-set.ts';
import { asChunks, readSamples, withoutSilence } from './sound.ts';
import { speakToWav } from './tts/spoken-set.ts';

/**
 * Counts the English words that the built-in recognizer writes within Cantonese: in the sentences
 * of tts/sentences-mixed.txt, spoken by the shipped voices, and with `--sets` in recordings of
 * people, where a held-out learner of English speaks between two Cantonese sentences:
 *
 *     node scripts/run.js eval/mixed-speech.ts [--sets <folder>] [--count 24]
 */
const { values } = parseArgs({
  options: { sets: { type: 'string' }, count: { type: 'string', default: '120' } },
});
const MOST_WORDS = 4;
const LONGEST_S = 6;
const place = {
  enginesDir: SHIPPED_ENGINES_DIR,
  env: { builtinModelsDir: resolve(import.meta.dirname, '../models'), modelsDir: '/nowhere', settings: {} },
};
const registry = await loadEngines(place);
const recognizer = await registry.open(registry.select('recognizer', { language: 'cantonese' }));

async function heardText(samples: Float32Array): Promise<string> {
  const texts: string[] = [];
  const options = { language: 'cantonese', context: null, romanize: false } as const;
  for await (const event of recognizer.recognize(asChunks(samples), options, new AbortController().signal)) {
    if (event.type === 'segment-end') texts.push(event.segment.text);
  }
  return texts.join(' ');
}

const ENGLISH = /[A-Za-z][A-Za-z'-]*/g;
const CHINESE = /\p{Script=Han}/gu;
const lower = (text: string): string[] => (text.match(ENGLISH) ?? []).map((word) => word.toLowerCase());

/** How many of the expected units were written, each once. */
function shared(expected: readonly string[], written: readonly string[]): number {
  const left = [...written];
  return expected.filter((unit) => {
    const at = left.indexOf(unit);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
}

type Totals = { words: number; wordsFound: number; wordsAdded: number; characters: number; charactersFound: number };

async function measure(name: string, sentences: AsyncIterable<{ text: string; samples: Float32Array }>): Promise<void> {
  const totals: Totals = { words: 0, wordsFound: 0, wordsAdded: 0, characters: 0, charactersFound: 0 };
  for await (const { text, samples } of sentences) {
    const written = await heardText(samples);
    const [expected, words] = [lower(text), lower(written)];
    const found = shared(expected, words);
    totals.words += expected.length;
    totals.wordsFound += found;
    totals.wordsAdded += words.length - found;
    totals.characters += text.match(CHINESE)?.length ?? 0;
    totals.charactersFound += shared(text.match(CHINESE) ?? [], written.match(CHINESE) ?? []);
  }
  const { words, wordsFound, wordsAdded, characters, charactersFound } = totals;
  console.log(
    `${name}: ${wordsFound} of ${words} English words, ${wordsAdded} others; ${charactersFound} of ${characters} characters`,
  );
}

async function* spokenSentences() {
  const file = await readFile(join(import.meta.dirname, 'tts/sentences-mixed.txt'), 'utf8');
  const voices = loadShippedVoices(join(import.meta.dirname, '../voices'))
    .map(({ voice }) => voice)
    .filter(({ language }) => language === 'cantonese');
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-mixed-'));
  const path = join(folder, 'sentence.wav');
  try {
    for (const [index, text] of file.trim().split('\n').slice(0, Number(values.count)).entries()) {
      const { id, profile } = voices[index % voices.length]!;
      const voice = { id, profile, reference: null };
      await writeFile(path, await speakToWav(text, 'cantonese', voice, { model: 'syllable', temperature: 0 }, place));
      yield { text, samples: await readSamples(path) };
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function* joinedPeople(folder: string) {
  const random = createRandom(5);
  const drawn = (items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const { items: cantonese } = await readSet(resolve(folder, 'yue-sentences-dev.tsv'));
  const { items: learners } = await readSet(resolve(folder, 'eng-learners-train.tsv'));
  const english = learners.filter(
    ({ speaker, text }) => isTestLearner(speaker ?? '') && (text ?? '').split(' ').length <= MOST_WORDS,
  );
  for (let index = 0; index < Number(values.count); index++) {
    const parts = [drawn(cantonese), drawn(english), drawn(cantonese)];
    const sounds = await Promise.all(parts.map(async ({ path }) => withoutSilence(await readSamples(path, LONGEST_S))));
    yield { text: parts.map(({ text }) => text).join(' '), samples: joinSamples(sounds) };
  }
}

await measure('shipped voices', spokenSentences());
if (values.sets !== undefined) await measure('people, joined', joinedPeople(values.sets));
await recognizer.close();
