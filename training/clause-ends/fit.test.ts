import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import { clauseModelOf, clauseOdds, type StoredClauseModel } from '#packages/text/boundaries/clause-odds.ts';

const FIT = join(import.meta.dirname, 'fit.ts');

test('the command fits a model to texts, which finds the ends of their clauses', async () => {
  await using folder = await temporaryFolder();
  const clauses = ['你 好 啊\tnei5 hou2 aa3', '我 去 街\tngo5 heoi3 gaai1', '佢 返 嚟 啊\tkeoi5 faan1 lai4 aa3'];
  const lines = Array.from({ length: 900 }, (_, index) => clauses[(index * 7 + (index >> 2)) % clauses.length]!);
  await writeFile(join(folder.path, 'hkcancor.tsv'), `words\tjyutping\n${lines.join('\n')}\n`);
  await writeFile(join(folder.path, 'commonvoice-yue.txt'), '我去街，你好啊。\n佢返嚟啊？\n我去街\n');
  const output = join(folder.path, 'weights.json');
  const done = spawnSync(process.execPath, [FIT, folder.path, output], { encoding: 'utf8' });
  expect(done.stderr).toBe('');
  expect(done.status).toBe(0);
  const model = clauseModelOf(JSON.parse(await readFile(output, 'utf8')) as StoredClauseModel);
  const text = [...'你好啊我去街佢返嚟啊'];
  const odds = clauseOdds(text, 'cantonese', model)!;
  const ends = odds.flatMap((value, index) => (value > 0 && index < text.length - 1 ? [index] : []));
  expect(ends).toEqual([2, 5]);
});

test('without texts the command says how it is used', () => {
  const { status, stderr } = spawnSync(process.execPath, [FIT], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('usage');
});
