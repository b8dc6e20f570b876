import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import type { StoredContexts } from '#packages/text/readings/context-model.ts';

const run = (script: string, ...options: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, script), ...options], { encoding: 'utf8' });

test('the commands read small texts and write what they learned', async () => {
  await using folder = await temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  const utterances = ['我 叫 佢\tngo5 giu3 keoi5', '睇 下 先\ttai2 haa5 sin1', '今日 開 檔\tgam1 jat6 hoi1 dong3'];
  const lines = Array.from({ length: 60 }, (_, index) => {
    const [words = '', syllables = ''] = utterances[index % 3]!.split('\t');
    // Each utterance has another end, so that both halves have some.
    return `${words} ${'一二三四五六七八九十'[index % 10]} ${index % 2 ? '個' : '隻'}\t${syllables} jat1 go3`;
  });
  await writeFile(path('hkcancor.tsv'), `words\tjyutping\n${lines.join('\n')}\n`);
  await writeFile(path('rime-lexicon.tsv'), '今日\tgam1 jat6\n開檔\thoi1 dong2\n睇\ttai2\n');
  await writeFile(path('rime-word-frequency.txt'), '今日\t900\n開檔\t40\n睇\t500\n');
  const built = run('build-words.ts', '--texts', folder.path, '--out', folder.path);
  expect([built.status, built.stderr]).toEqual([0, '']);
  expect(await readFile(path('word-costs.txt'), 'utf8')).toMatch(/^\d+ .*今日/mu);
  const fitted = run('fit-contexts.ts', '--texts', folder.path, '--out', path('contexts.json'));
  expect([fitted.status, fitted.stderr]).toEqual([0, '']);
  const contexts = JSON.parse(await readFile(path('contexts.json'), 'utf8')) as StoredContexts;
  expect(contexts['咪']?.readings).toEqual(expect.arrayContaining(['mai6', 'mai5']));
});

test('without texts the commands say what is missing', () => {
  for (const script of ['build-words.ts', 'fit-contexts.ts']) expect(run(script).stderr).toContain('--texts FOLDER');
});
