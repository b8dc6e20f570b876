import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSets, splitByLanguage } from './find-sets.ts';
import { readSet } from './read-set.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eval-sets-'));
  for (const name of ['a.wav', 'b.wav', 'c.wav']) await writeFile(join(folder, name), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(content: string | Buffer, name = 'set.tsv'): Promise<string> {
  await mkdir(join(folder, name, '..'), { recursive: true });
  await writeFile(join(folder, name), content);
  return join(folder, name);
}
const read = async (content: string | Buffer) => readSet(await write(content));
const messageOf = (reading: Promise<unknown>) =>
  reading.then(
    () => '',
    (error: Error) => error.message,
  );

describe('an evaluation set', () => {
  it('has null for empty cells and missing columns, and Cantonese as the default language', async () => {
    const { name, items } = await read(
      'file\ttext\tjyutping\tpinyin\tlanguage\tspeaker\n' +
        'a.wav\t你好\tnei5 hou2\t\t\tann\n' +
        'b.wav\t\t\tni3 hao3\tMandarin\t\n' +
        'c.wav\n',
    );
    expect(name).toBe('set');
    expect(items).toEqual([
      { path: join(folder, 'a.wav'), language: 'cantonese', text: '你好', units: ['nei5', 'hou2'], speaker: 'ann' },
      { path: join(folder, 'b.wav'), language: 'mandarin', text: null, units: ['ni3', 'hao3'], speaker: null },
      { path: join(folder, 'c.wav'), language: 'cantonese', text: null, units: null, speaker: null },
    ]);
  });

  it('may have Windows line ends, a byte order mark, extra columns in any order, absolute paths and empty lines', async () => {
    const { items } = await read(
      `\uFEFFSpeaker\tnote\tFILE\r\nbob\t"quoted\t${join(folder, 'b.wav')}\r\n\r\n\t\ta.wav\r\n`,
    );
    expect(items.map(({ path, speaker }) => [path, speaker])).toEqual([
      [join(folder, 'b.wav'), 'bob'],
      [join(folder, 'a.wav'), null],
    ]);
  });

  it('reports every malformed line by number', async () => {
    const reading = read(
      'file\ttext\tjyutping\tphones\tlanguage\n' +
        'a.wav\t你好\tnei5 hou2\n' +
        'missing.wav\t你好\n' +
        '\t你好\n' +
        'a.wav\t你好\tnei5 hou9\n' +
        'a.wav\thi\t\tHH AY\n' +
        'a.wav\thi\t\tHH AY\tfrench\n' +
        'a.wav\thi\t\tHH AY\tenglish\textra\n' +
        '.\t你好\n' +
        'a\u0000.wav\n',
    );
    await expect(reading).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect((await messageOf(reading)).split('\n').slice(1)).toEqual([
      '  line 3: no such file: "missing.wav"',
      '  line 4: the column "file" is empty',
      '  line 5: "hou9" is not a jyutping syllable with a tone from 1 to 6',
      '  line 6: has phones, but its language is cantonese; set the column "language"',
      '  line 7: language "french" is not one of cantonese, mandarin, english',
      '  line 8: 6 cells, but the header has 5 columns',
      '  line 9: no such file: "."',
      '  line 10: the file name contains an invalid character',
    ]);
  });

  it.each([
    ['', 'line 1: must be a tab-separated header'],
    ['a.wav\t你好\n', 'line 1: must be a tab-separated header'],
    ['file\tfile\n', 'line 1: the column "file" occurs twice'],
    ['file\ttext\n\n', 'contains no recordings'],
    [Buffer.from([0x66, 0xff, 0xfe, 0x00]), 'not UTF-8 text'],
  ])('%j is refused', async (content, reason) => {
    await expect(read(content)).rejects.toThrow(reason);
  });

  it('reports the first of a thousand malformed lines and the number of others', async () => {
    const message = await messageOf(read(`file\n${'nothing.wav\n'.repeat(1_000)}`));
    expect(message.split('\n')).toHaveLength(22);
    expect(message).toContain('and 980 more lines');
  });
});

describe('finding sets', () => {
  it('finds files, folders with one TSV, and all TSVs of a folder, each once and with distinct names', async () => {
    await write('file\n../a.wav\n', 'one/set.tsv');
    await write('file\n../b.wav\n', 'two/set.tsv');
    await write('file\na.wav\n', 'loose.tsv');
    const sets = await readSets({ sets: [join(folder, 'loose.tsv'), join(folder, 'one')], folders: [folder] });
    expect(sets.map(({ name }) => name)).toEqual(['loose', 'one', 'set']);
    const all = await readSets({ sets: [], folders: [folder] });
    expect(all.map(({ name }) => name)).toEqual(['loose', 'one/set', 'two/set']);
  });

  it('reports the errors of all sets together', async () => {
    await write('file\nno.wav\n', 'one.tsv');
    await write('name\n', 'two.tsv');
    await expect(readSets({ sets: [], folders: [folder] })).rejects.toThrow(/one\.tsv: line 2: [^]*two\.tsv: line 1: /);
  });

  it('refuses a folder without or with several TSVs, and a missing folder', async () => {
    await expect(readSets({ sets: [folder], folders: [] })).rejects.toThrow('contains no TSV');
    await write('file\na.wav\n', 'one.tsv');
    await write('file\na.wav\n', 'two.tsv');
    await expect(readSets({ sets: [folder], folders: [] })).rejects.toThrow('contains 2 TSVs');
    await expect(readSets({ sets: [join(folder, 'gone')], folders: [] })).rejects.toThrow('no such file or folder');
    await expect(readSets({ sets: [], folders: [join(folder, 'gone')] })).rejects.toThrow('cannot be read');
  });

  it('splits a set of several languages by language', async () => {
    const set = await read('file\tlanguage\na.wav\tenglish\nb.wav\t\nc.wav\tenglish\n');
    expect(splitByLanguage(set).map(({ name, language, items }) => [name, language, items.length])).toEqual([
      ['set (cantonese)', 'cantonese', 1],
      ['set (english)', 'english', 2],
    ]);
  });
});
