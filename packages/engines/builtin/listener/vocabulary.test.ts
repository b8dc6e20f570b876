import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeTokens, readVocabulary } from './vocabulary.ts';

const NOTHING = new Uint8Array(0);

test('a character that several tokens spell is complete with the last of them', () => {
  const [first, second] = [Buffer.from('唔嘅').subarray(0, 4), Buffer.from('唔嘅').subarray(4)];
  const begun = decodeTokens(NOTHING, first);
  expect(begun).toMatchObject({ text: '唔' });
  expect(decodeTokens(begun!.rest, second)).toEqual({ text: '嘅', rest: NOTHING });
});

test('bytes that are no text are refused at once', () => {
  expect(decodeTokens(NOTHING, Uint8Array.of(0x80))).toBeNull();
  expect(decodeTokens(Uint8Array.of(0xe5), Buffer.from('a'))).toBeNull();
  expect(decodeTokens(NOTHING, Uint8Array.of(0xe5, 0x98, 0x85, 0xc0))).toBeNull();
});

test('a vocabulary is read line by line, and is missed with a sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vocabulary-'));
  const path = join(folder, 'vocabulary.txt');
  await expect(readVocabulary(path)).rejects.toThrow('vocabulary of the built-in recognizer is missing');
  await writeFile(path, `${Buffer.from(' 好').toString('base64')}\n\n`);
  const { size, bytes } = await readVocabulary(path);
  expect([size, Buffer.from(bytes(0)).toString()]).toEqual([1, ' 好']);
  await rm(folder, { recursive: true });
});
