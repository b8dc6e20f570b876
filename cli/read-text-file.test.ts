import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import { readTextFile } from './read-text-file.ts';

test('a text is read in the encodings that editors write, and other bytes are refused', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'story.txt');
  const read = async (bytes: Uint8Array) => {
    await writeFile(path, bytes);
    return readTextFile(path);
  };
  const utf16 = Buffer.from('\ufeff早晨', 'utf16le');
  for (const bytes of [
    Buffer.from('早晨'),
    Buffer.from('\ufeff早晨'),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from([0xa6, 0xad, 0xb1, 0xe1]),
  ]) {
    expect(await read(bytes)).toBe('早晨');
  }
  for (const bytes of [Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.from([0xa4, 0x20])]) {
    await expect(read(bytes)).rejects.toThrow('is no text in UTF-8, UTF-16 or Big5');
  }
  await expect(readTextFile(join(folder.path, 'nothing'))).rejects.toThrow('no such file');
});
