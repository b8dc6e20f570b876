import { expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { cpuTimeMs, leastCpuTimeMs } from '#test/cpu-time.ts';
import { MAX_CORPUS_ENTRIES, parseCorpusJson, parseCorpusTsv } from './parse-corpus.ts';

function messageOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_parameter') return error.message;
    throw error;
  }
  return 'accepted';
}

test('a spreadsheet export is parsed: byte order mark, header, comments, empty lines, CRLF, trailing tabs', () => {
  const text =
    '\u{FEFF}# mine\r\nText\tJyutping\tWeight\r\n\r\n深水埗\tSam1  seoi2 bou2\t2\r\n旺角\t\t\r\n# end\r\nT恤\tseot1\t0.5\r\n';
  expect(parseCorpusTsv(text).entries).toEqual([
    { text: '深水埗', jyutping: 'sam1 seoi2 bou2', weight: 2 },
    { text: '旺角', jyutping: null, weight: 1 },
    { text: 'T恤', jyutping: 'seot1', weight: 0.5 },
  ]);
});

test('a header defines the order of the columns', () => {
  expect(parseCorpusTsv('text\tweight\n佐敦\t3').entries).toEqual([{ text: '佐敦', jyutping: null, weight: 3 }]);
  expect(parseCorpusTsv('jyutping\ttext\nzo2 deon1\t佐敦').entries[0]?.jyutping).toBe('zo2 deon1');
});

test('an empty text, or comments only, is an empty corpus', () => {
  expect(parseCorpusTsv('').entries).toEqual([]);
  expect(parseCorpusTsv('# nothing\n\n').entries).toEqual([]);
  expect(parseCorpusJson({ entries: [] }).entries).toEqual([]);
});

test('Simplified text is kept as given', () => {
  expect(parseCorpusTsv('湾仔\twaan1 zai2').entries[0]?.text).toBe('湾仔');
});

test('of two equal entries the later counts; another reading is another entry', () => {
  const text = '行\thong4\t1\n行\thaang4\n行\tHONG4\t5';
  expect(parseCorpusTsv(text).entries).toEqual([
    { text: '行', jyutping: 'hong4', weight: 5 },
    { text: '行', jyutping: 'haang4', weight: 1 },
  ]);
});

test('merged sounds are stored in one spelling', () => {
  expect(parseCorpusTsv('阿媽\ta3 maa1').entries[0]?.jyutping).toBe('aa3 maa1');
});

test('problems are reported by line, the first three of them', () => {
  const text = ['香港\thoeng1', '旺角\twong6 gok3\t11', '123', '灣仔\twaan1 zai9', '太子', '\tzi2'].join('\n');
  expect(messageOf(() => parseCorpusTsv(text))).toBe(
    'Correct these entries of the corpus: line 1: the number of syllables in its jyutping is 1, that of its Chinese characters 2; ' +
      'line 2: its weight is no number above 0 and at most 10; ' +
      'line 3: its text contains neither a Chinese character nor a Latin letter; and 2 more.',
  );
});

test.each([
  ['a weight of nothing', '旺角\t\t0'],
  ['a negative weight', '旺角\t\t-1'],
  ['a weight that is no number', '旺角\t\tNaN'],
  ['a weight in another notation', '旺角\t\t1e1'],
  ['four columns', '旺角\twong6 gok3\t1\tx'],
  ['commas for tabs', '旺角,wong6 gok3,1'],
  ['jyutping without tones', '旺角\twong gok'],
  ['pinyin', '旺角\twàng jiǎo'],
  ['a text that is too long', '長'.repeat(41)],
  ['a text that turns the direction of writing', '旺\u{202E}角'],
  ['a null character', '旺\0角'],
  ['half a character', '旺\uD842'],
  ['emoji', '😀😀'],
])('refused: %s', (_, line) => {
  expect(messageOf(() => parseCorpusTsv(line))).toMatch(/^Correct these entries of the corpus: line 1: [^;]+\.$/);
});

test('a message never repeats the input', () => {
  expect(messageOf(() => parseCorpusTsv('私人秘密\tsecret words'))).not.toMatch(/秘密|secret/);
});

test('forty characters of any plane are accepted, and zero-width ones do not count', () => {
  const text = '𨋢'.repeat(40);
  expect(parseCorpusTsv(`\u{200B}${text}\u{200B}`).entries[0]?.text).toBe(text);
});

test('entries as JSON: a list, or an object that holds one', () => {
  const entries = [
    { text: ' 佐敦 ', jyutping: 'zo2 deon1', weight: 3, note: 'ignored' },
    { text: '旺角', jyutping: null },
    { text: '太子' },
  ];
  const expected = [
    { text: '佐敦', jyutping: 'zo2 deon1', weight: 3 },
    { text: '旺角', jyutping: null, weight: 1 },
    { text: '太子', jyutping: null, weight: 1 },
  ];
  expect(parseCorpusJson(entries).entries).toEqual(expected);
  expect(parseCorpusJson({ entries, name: 'x' }).entries).toEqual(expected);
});

test.each([
  ['nothing', null],
  ['a text', '旺角'],
  ['a number', 3],
  ['an object without entries', { text: '旺角' }],
  ['entries that are no list', { entries: { text: '旺角' } }],
])('JSON %s is no corpus', (_, value) => {
  expect(messageOf(() => parseCorpusJson(value))).toBe('Send the corpus as a list of entries, each with "text".');
});

test.each([
  ['a text', '旺角'],
  ['nothing', null],
  ['a list', ['旺角']],
  ['an object without text', { jyutping: 'wong6' }],
  ['text that is none', { text: 5 }],
  ['jyutping that is not a string', { text: '旺角', jyutping: ['wong6', 'gok3'] }],
  ['a weight as text', { text: '旺角', weight: '2' }],
  ['a weight without end', { text: '旺角', weight: Number.POSITIVE_INFINITY }],
])('JSON %s is no entry', (_, entry) => {
  expect(messageOf(() => parseCorpusJson([{ text: '太子' }, entry]))).toMatch(/entry 2: [^;]+\.$/);
});

test('a corpus with too many entries is refused at once', async () => {
  const most = Array.from({ length: MAX_CORPUS_ENTRIES }, (_, index) => `字${String.fromCodePoint(0x4e00 + index)}`);
  expect(parseCorpusTsv(most.join('\n')).entries).toHaveLength(MAX_CORPUS_ENTRIES);
  expect(messageOf(() => parseCorpusTsv([...most, '太多'].join('\n')))).toBe(
    'A corpus holds at most 20,000 entries; divide this one.',
  );
  expect(parseCorpusTsv(`旺角\n${'\n# 註\n'.repeat(MAX_CORPUS_ENTRIES)}`).entries).toHaveLength(1);
  expect(messageOf(() => parseCorpusTsv('\n'.repeat(5_000_000)))).toMatch(/20,000/);
  const parseMany = () =>
    expect(messageOf(() => parseCorpusJson(Array.from({ length: 2_000_000 }, () => null)))).toMatch(/20,000/);
  expect(await leastCpuTimeMs(parseMany, 1_000)).toBeLessThan(1_000);
});

test.each([
  ['without a comma', '香'.repeat(1_000_000)],
  ['with commas', '香,'.repeat(1_000_000)],
  ['with commas and spaces', '我, ,'.repeat(1_000_000)],
  ['with tabs', 'a\t'.repeat(1_000_000)],
  ['of marks', '\u0300\u0316'.repeat(500_000)],
])('a line of a million characters takes time in proportion to its length: %s', (_, line) => {
  const startedMs = cpuTimeMs();
  expect(messageOf(() => parseCorpusTsv(line))).toMatch(/line 1: /);
  expect(cpuTimeMs() - startedMs).toBeLessThan(5_000);
});
