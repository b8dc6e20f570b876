import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { loadShippedCorpora } from './load-shipped-corpora.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corpora-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const HEADER = '# name: 車站\n# description: Stations\n# language: cantonese\n# version: 3\n';

test('each file is a public corpus; other files are ignored', () => {
  writeFileSync(join(folder, 'mine.tsv'), `${HEADER}\n# 港島線\n# version: 9\n上環\tsoeng6 waan4\n`);
  writeFileSync(join(folder, 'empty.tsv'), HEADER.replaceAll('\n', '\r\n'));
  writeFileSync(join(folder, 'README.md'), 'no corpus');
  expect(loadShippedCorpora(folder)).toEqual([
    {
      id: 'empty',
      accountId: null,
      name: '車站',
      description: 'Stations',
      language: 'cantonese',
      version: 3,
      entries: [],
    },
    {
      id: 'mine',
      accountId: null,
      name: '車站',
      description: 'Stations',
      language: 'cantonese',
      version: 3,
      entries: [{ text: '上環', jyutping: 'soeng6 waan4', weight: 1 }],
    },
  ]);
});

test.each([
  ['no header', '上環\tsoeng6 waan4'],
  ['a version that is no number', HEADER.replace('3', 'three')],
  ['version nought', HEADER.replace('3', '0')],
  ['an unsupported language', HEADER.replace('cantonese', 'klingon')],
  ['an entry that is not well-formed', `${HEADER}上環\tsoeng6`],
])('a file with %s prevents the start', (_, text) => {
  writeFileSync(join(folder, 'bad.tsv'), text);
  expect(() => loadShippedCorpora(folder)).toThrow(AppError);
});
