import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { noise, wavBytes } from '#testbed/sound/audio.ts';
import { openBrowser } from '#testbed/service/browser.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { writeListeningPage, type ListeningPair } from '../../eval/tts/listening-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEXT = '<b>今日</b>好天';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let pairs: ListeningPair[];

beforeAll(async () => {
  folder = await temporaryFolder();
  const sets = join(folder.path, 'sets');
  await mkdir(sets);
  // One sentence has a recording; the others are compared between engines.
  await writeFile(join(sets, 'person.wav'), wavBytes(noise(1_000, 0.02)));
  await writeFile(join(sets, 'yue-sentences-dev.tsv'), `file\ttext\nperson.wav\t${TEXT}\n`);
  const voices = loadShippedVoices(join(ROOT, 'voices')).map(({ voice: { id, profile } }) => ({
    id,
    profile,
    reference: null,
  }));
  const options = { folder: join(folder.path, 'page'), sets: [sets], pairs: 3, voices, seed: 5, onProgress: () => {} };
  pairs = await writeListeningPage(options, { enginesDir: SHIPPED_ENGINES_DIR, env: loadConfig({}).engines });
});
afterAll(() => folder[Symbol.asyncDispose]());

it('compares a person and two engines, at one level', async () => {
  const compared = pairs.map(({ speakers }) => speakers.toSorted().join(' '));
  expect(compared.filter((label) => label === 'espeak syllable')).toHaveLength(2);
  expect(compared.filter((label) => label.includes('person'))).toHaveLength(1);
  for (const name of ['01-a', '01-b', '02-a', '02-b', '03-a', '03-b']) {
    const samples = new Int16Array((await readFile(join(folder.path, 'page', `${name}.wav`))).buffer.slice(44));
    const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length;
    expect(Math.abs(10 * Math.log10(power) + 23)).toBeLessThan(1.5);
  }
});

it('is answered by keys, goes on after it was closed, and saves what was chosen', async () => {
  await using browser = await openBrowser({ flags: ['--autoplay-policy=no-user-gesture-required'] });
  await using opened = await browser.open(pathToFileURL(join(folder.path, 'page', 'index.html')).href);
  const { page } = opened;
  const choose = async (key: string) => {
    for (const pressed of ['a', 'b', key]) await page.keyboard.press(pressed);
  };
  // Nothing can be chosen before both were heard.
  await page.keyboard.press('ArrowLeft');
  expect(await page.getByText('1 of 3').count()).toBe(1);
  await choose('ArrowLeft');
  await choose('ArrowDown');
  await page.reload();
  expect(await page.getByText('3 of 3').count()).toBe(1);
  await page.keyboard.press('Backspace');
  expect(await page.getByText('2 of 3').count()).toBe(1);
  await choose('ArrowRight');
  await choose('ArrowDown');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save the answers' }).click(),
  ]);
  const saved = JSON.parse(await readFile((await download.path())!, 'utf8')) as {
    seed: number;
    answers: Record<string, unknown>[];
  };
  expect(saved.seed).toBe(5);
  const speakers = pairs.map(({ text, speakers: [a, b] }) => ({ text, a, b, heard: { a: 1, b: 1 } }));
  expect(saved.answers).toMatchObject([
    { ...speakers[0], chosen: 'a' },
    { ...speakers[1], chosen: 'b' },
    { ...speakers[2], chosen: 'equal' },
  ]);
  // The text of a table is never markup.
  expect(await page.locator('b').count()).toBe(0);
});
