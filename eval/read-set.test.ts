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
const complaintOf = (reading: Promise<unknown>) =>
  reading.then(
    () => '',
    (error: Error) => error.message,
  );

describe('a set', () => {
  it('holds what its rows say; what they do not say is null, and Cantonese where no language is told', async () => {
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

  it('may come from Windows, with columns of its own in any order, absolute paths and empty lines', async () => {
    const { items } = await read(
      `\uFEFFSpeaker\tnote\tFILE\r\nbob\t"quoted\t${join(folder, 'b.wav')}\r\n\r\n\t\ta.wav\r\n`,
    );
    expect(items.map(({ path, speaker }) => [path, speaker])).toEqual([
      [join(folder, 'b.wav'), 'bob'],
      [join(folder, 'a.wav'), null],
    ]);
  });

  it('tells every wrong line by its number', async () => {
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
    expect((await complaintOf(reading)).split('\n').slice(1)).toEqual([
      '  line 3: there is no file "missing.wav"',
      '  line 4: it names no file',
      '  line 5: "hou9" is no syllable of jyutping with a tone from 1 to 6',
      '  line 6: it has phones, but its language is cantonese; say which in the column "language"',
      '  line 7: the language "french" is none of cantonese, mandarin, english',
      '  line 8: 6 cells, where the header has 5 columns',
      '  line 9: there is no file "."',
      '  line 10: the name of its file holds a character that no name may have',
    ]);
  });

  it.each([
    ['', 'line 1: it must name the columns'],
    ['a.wav\t你好\n', 'line 1: it must name the columns'],
    ['file\tfile\n', 'line 1: the column "file" stands there twice'],
    ['file\ttext\n\n', 'there is no recording in it'],
    [Buffer.from([0x66, 0xff, 0xfe, 0x00]), 'it is no text in UTF-8'],
  ])('%j is refused', async (content, reason) => {
    await expect(read(content)).rejects.toThrow(reason);
  });

  it('of a thousand wrong lines tells the first ones and how many more there are', async () => {
    const message = await complaintOf(read(`file\n${'nothing.wav\n'.repeat(1_000)}`));
    expect(message.split('\n')).toHaveLength(22);
    expect(message).toContain('and 980 more lines');
  });
});

describe('sets are found', () => {
  it('by file, by folder, and as all TSVs of a folder; each once, those of one name told apart', async () => {
    await write('file\n../a.wav\n', 'one/set.tsv');
    await write('file\n../b.wav\n', 'two/set.tsv');
    await write('file\na.wav\n', 'loose.tsv');
    const sets = await readSets({ sets: [join(folder, 'loose.tsv'), join(folder, 'one')], folders: [folder] });
    expect(sets.map(({ name }) => name)).toEqual(['loose', 'one', 'set']);
    const all = await readSets({ sets: [], folders: [folder] });
    expect(all.map(({ name }) => name)).toEqual(['loose', 'one/set', 'two/set']);
  });

  it('all that is wrong in all of them is told at once', async () => {
    await write('file\nno.wav\n', 'one.tsv');
    await write('name\n', 'two.tsv');
    await expect(readSets({ sets: [], folders: [folder] })).rejects.toThrow(/one\.tsv: line 2: [^]*two\.tsv: line 1: /);
  });

  it('a folder without a TSV, one with several, and none at all are refused', async () => {
    await expect(readSets({ sets: [folder], folders: [] })).rejects.toThrow('no TSV in this folder');
    await write('file\na.wav\n', 'one.tsv');
    await write('file\na.wav\n', 'two.tsv');
    await expect(readSets({ sets: [folder], folders: [] })).rejects.toThrow('2 TSVs in this folder');
    await expect(readSets({ sets: [join(folder, 'gone')], folders: [] })).rejects.toThrow('no such file or folder');
    await expect(readSets({ sets: [], folders: [join(folder, 'gone')] })).rejects.toThrow('cannot be read');
  });

  it('a set of several languages is measured one language after the other', async () => {
    const set = await read('file\tlanguage\na.wav\tenglish\nb.wav\t\nc.wav\tenglish\n');
    expect(splitByLanguage(set).map(({ name, language, items }) => [name, language, items.length])).toEqual([
      ['set (cantonese)', 'cantonese', 1],
      ['set (english)', 'english', 2],
    ]);
  });
});
