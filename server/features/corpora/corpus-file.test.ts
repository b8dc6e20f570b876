import { expect, test } from 'vitest';
import type { Corpus, CorpusEntry } from '@jyutsing/contracts/corpus';
import { formatCorpusTsv, readCorpusFile } from './corpus-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const corpus = (entries: CorpusEntry[]): Corpus => ({
  id: 'x',
  accountId: null,
  name: '茶樓',
  description: 'two\nlines\tand a tab',
  language: 'cantonese',
  version: 4,
  entries,
});

test('a written file is read with the same entries', async () => {
  const entries = [
    { text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 },
    { text: '燒賣', jyutping: null, weight: 2.5 },
    { text: '叉燒包', jyutping: null, weight: 1 },
    { text: '#標籤', jyutping: null, weight: 1 },
    { text: '# 標籤', jyutping: null, weight: 0.001 },
    { text: 'dim sum', jyutping: null, weight: 10 },
    { text: '去 Tea Time', jyutping: 'heoi3', weight: 1 },
    // In the first line this would be read as the header.
    { text: 'text', jyutping: null, weight: 1 },
  ];
  expect(await readCorpusFile(bytes(formatCorpusTsv(corpus(entries))))).toEqual(entries);
  for (const entry of entries) expect(await readCorpusFile(bytes(formatCorpusTsv(corpus([entry]))))).toEqual([entry]);
  expect(await readCorpusFile(bytes(formatCorpusTsv(corpus([]))))).toEqual([]);
});

test('JSON is detected by its content: a list, or an object with one', async () => {
  const entry = { text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 };
  for (const value of [[entry], { entries: [entry] }]) {
    for (const before of ['', ' \n', '\u{FEFF}']) {
      expect(await readCorpusFile(bytes(before + JSON.stringify(value)))).toEqual([entry]);
    }
  }
});

test('a spreadsheet in UTF-16 is read', async () => {
  const file = Buffer.from('\u{FEFF}text\tjyutping\r\n蝦餃\thaa1 gaau2\r\n', 'utf16le');
  expect(await readCorpusFile(file)).toEqual([{ text: '蝦餃', jyutping: 'haa1 gaau2', weight: 1 }]);
});

test.each([
  // 蝦餃 in Big5.
  [new Uint8Array([0xbd, 0xbc, 0xe5, 0xc3]), 'invalid_parameter', /UTF-8/],
  [bytes('[{"text": '), 'invalid_request', /not valid JSON/],
  // Parsed, each of these would take a hundred times its size in memory.
  [bytes(`[${'{},'.repeat(200_000)}{}]`), 'invalid_request', /more than 200000 values/],
  [bytes('['.repeat(100_000)), 'invalid_request', /more than 64 levels/],
  [bytes('蝦餃\thaa1'), 'invalid_parameter', /line 1/],
  [bytes('[{"text": "蝦餃"}, 7]'), 'invalid_parameter', /entry 2/],
  [bytes('[{"text": "蝦餃", "weight": NaN}]'), 'invalid_request', /not valid JSON/],
  [bytes('[{"text": "蝦餃", "weight": 1e999}]'), 'invalid_parameter', /entry 1.*weight/],
  [bytes('蝦餃\t\t1e999'), 'invalid_parameter', /line 1.*weight/],
  [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'invalid_parameter', /UTF-8/],
])('an invalid file is refused with the reason (case %#)', async (file, code, message) => {
  await expect(readCorpusFile(file)).rejects.toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});
