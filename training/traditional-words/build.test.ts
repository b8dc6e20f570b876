import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../testing/run-script.ts';

test('words with a character to decide are written with their cost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'traditional-words-'));
  const texts = {
    'rime-word-frequency.txt': '頭髮\t900\n發現\t9\n天氣\t900\n罕髮\t1\n',
    'rime-lexicon.tsv': '頭髮\ttau4 faat3\n',
    'hkcancor.tsv': `words\tjyutping\n${'我 發燒\tngo5 faat3 siu1\n'.repeat(9)}`,
    'commonvoice-yue.txt': '佢剪頭髮\n',
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  const out = join(folder, 'words.txt');
  expect(await run('traditional-words/build.ts', '--texts', folder, '--out', out)).toMatchObject({ status: 0 });
  const [simplified, variants, shinjitai, ...costs] = (await readFile(out, 'utf8')).trimEnd().split('\n');
  await rm(folder, { recursive: true });
  expect(simplified).toMatch(/^simplified .*髮发/u);
  expect(variants).toMatch(/^variants .*説說/u);
  expect(shinjitai).toMatch(/^shinjitai .*駅驛/u);
  const costOf = (word: string) => Number(costs.find((line) => line.split(' ').includes(word))?.split(' ')[0]);
  expect(costOf('頭髮')).toBeLessThan(costOf('發現'));
  expect([costOf('天氣'), costOf('罕髮')]).toEqual([Number.NaN, Number.NaN]);
});
