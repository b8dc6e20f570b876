import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { type ModelFileHeader, decodeModelFile, encodeModelFile, readModelFile } from './model-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'model-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const header: ModelFileHeader = { syllables: ['hoeng1', 'gong2'], characters: '香港𨋢', logStep: 0.1, description: '' };
const bytes = encodeModelFile(header, {
  small: Uint8Array.of(1, 2, 3),
  middle: Uint16Array.of(500, 65_535),
  large: Uint32Array.of(4_000_000_000),
});

/** Returns the code and the message of the error that opening these bytes throws. */
function failureOf(damaged: Uint8Array): { code: string; message: string } {
  try {
    decodeModelFile(damaged);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  return { code: 'none', message: '' };
}

test('a written file is read back', () => {
  const file = decodeModelFile(bytes);
  expect(file.header).toMatchObject(header);
  expect([...file.section('small', 'u8')]).toEqual([1, 2, 3]);
  expect([...file.section('middle', 'u16')]).toEqual([500, 65_535]);
  expect([...file.section('large', 'u32')]).toEqual([4_000_000_000]);
});

test('a missing section is a typed error', () => {
  expect(() => decodeModelFile(bytes).section('other', 'u8')).toThrow(AppError);
  expect(() => decodeModelFile(bytes).section('small', 'u16')).toThrow(AppError);
});

test('one changed byte anywhere after the preamble is noticed', () => {
  for (let place = 16; place < bytes.length; place++) {
    const damaged = bytes.slice();
    damaged[place] = (damaged[place] ?? 0) ^ 0x40;
    expect(failureOf(damaged).code).toBe('engine_unavailable');
  }
});

test('a file cut off anywhere is noticed', () => {
  for (let length = 0; length < bytes.length; length++) {
    expect(failureOf(bytes.subarray(0, length)).code).toBe('engine_unavailable');
  }
});

test('a file of another version is reported as such', () => {
  const newer = bytes.slice();
  newer[4] = 99;
  expect(failureOf(newer).message).toContain('version');
});

test('no message names a path', () => {
  const path = join(folder, 'secret-place.bin');
  expect(() => readModelFile(path)).toThrow(expect.not.objectContaining({ message: expect.stringContaining(folder) }));
  writeFileSync(path, 'not a model');
  expect(() => readModelFile(path)).toThrow(expect.objectContaining({ code: 'engine_unavailable' }));
});
