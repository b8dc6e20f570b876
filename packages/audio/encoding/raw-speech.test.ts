import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRawSpeech } from './raw-speech.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-raw-speech-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'speech.raw');
  await writeFile(path, bytes);
  return path;
}
const bytesOf = (samples: readonly number[] | Float32Array) => new Uint8Array(Float32Array.from(samples).buffer);

async function piecesOf(bytes: Uint8Array, signal = new AbortController().signal): Promise<Float32Array[]> {
  return Array.fromAsync(readRawSpeech(await fileOf(bytes), signal));
}

describe('raw speech', () => {
  it.each([
    [0, []],
    [1, [1]],
    [24_000, [24_000]],
    [24_001, [24_000, 1]],
    [60_000, [24_000, 24_000, 12_000]],
  ])('of %i samples comes in pieces of a second', async (count, lengths) => {
    const samples = Float32Array.from({ length: count }, (_, index) => Math.sin(index) / 2);
    const pieces = await piecesOf(bytesOf(samples));
    expect(pieces.map(({ length }) => length)).toEqual(lengths);
    expect(Float32Array.from(pieces.flatMap((piece) => [...piece]))).toEqual(samples);
  });

  it('that ends within a sample has the whole ones', async () => {
    const [piece] = await piecesOf(bytesOf([0.25, 0.5, 0.75]).subarray(0, 11));
    expect([...piece!]).toEqual([0.25, 0.5]);
    expect(await piecesOf(Uint8Array.of(1, 2, 3))).toEqual([]);
  });

  it('is within full scale: what is no number becomes silence, louder samples are clipped', async () => {
    const [piece] = await piecesOf(bytesOf([Number.NaN, Infinity, -Infinity, 1.5, -1.5, 1, -1]));
    expect([...piece!]).toEqual([0, 1, -1, 1, -1, 1, -1]);
  });

  it('that is no longer wanted ends with the reason', async () => {
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    const pieces = readRawSpeech(await fileOf(bytesOf(new Float32Array(60_000))), abort.signal);
    expect((await pieces.next()).value).toHaveLength(24_000);
    abort.abort(reason);
    await expect(pieces.next()).rejects.toBe(reason);
  });

  it('that is not there is an error', async () => {
    const pieces = readRawSpeech(join(folder, 'missing.raw'), new AbortController().signal);
    await expect(pieces.next()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
