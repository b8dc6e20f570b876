import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLexicon, speakableText } from './speakable-text.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-lexicon-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: string): Promise<string[]> {
  const path = join(folder, 'lexicon.txt');
  await writeFile(path, content);
  return [...(await readLexicon(path))];
}

describe('a pronunciation dictionary', () => {
  it('has the words of its lines, in lower case', async () => {
    expect(await read('你 n ei5\nOK ou k ei\r\n好\th ou2\n')).toEqual(['你', 'ok', '好']);
  });

  it('skips words without a phone and empty lines', async () => {
    expect(await read('\n你 n ei5\n好\n係 \n  唔 m4\n')).toEqual(['你']);
  });

  it.each(['', '\n\n', 'nothing\n', '\0\0\0'])('without a word is damaged: %j', async (content) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('damaged'),
    });
  });

  it('that is not there cannot be read, and its path is not told', async () => {
    const error = await readLexicon(join(folder, 'missing.txt')).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'engine_failed', message: expect.not.stringContaining(folder) });
  });
});

describe('what a voice can speak of a text', () => {
  const lexicon = new Set(['你', '好', '門', '鱼', 'ok', 'a', 'b', 'c']);

  it.each([
    ['你好', '你好'],
    ['你龘好', '你好'],
    // The word is found in the other script where the dictionary only has that.
    ['门', '門'],
    ['魚', '鱼'],
    ['你，好。', '你,好.'],
    ['你！好？', '你!好?'],
    ['你、好；你：好…', '你,好,你,好.'],
    // There is neither a pause at the start nor two in a row.
    ['，你……好！！', '你.好!'],
    ['「你」（好）', '你好'],
    ['OK', 'ok'],
    ['ok ok', 'ok ok'],
    ['okok', ''],
    ['cab', 'c a b'],
    ['你ok好', '你ok好'],
    ['ok，a', 'ok,a'],
    ['Ö', ''],
    ['á', 'a'],
    ['123', ''],
    ['😀', ''],
    ['', ''],
  ])('%j is %j', async (text, expected) => {
    expect(await speakableText(text, lexicon)).toBe(expected);
  });

  it.each([
    ['hello big world', 'hello big world'],
    ['你 Café, OK！', '你Cafe,OK!'],
    ['don’t', "don't"],
    ['naïve', 'naive'],
    ['你hello好', '你hello好'],
  ])('%j is %j for one that reads Latin letters', async (text, expected) => {
    expect(await speakableText(text, lexicon, true)).toBe(expected);
  });
});
