import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { wavBytes } from '#test/audio.ts';
import { readPcm } from './pcm-stream.ts';

const WAV = wavBytes({ sampleRateHz: 22_050, channels: [Float32Array.of(0, 0.5), Float32Array.of(-0.5, 1)] });
const SAMPLES = WAV.subarray(44);
/** A chunk of information before the samples, as ffmpeg writes it. */
const WITH_LIST = Buffer.concat([
  WAV.subarray(0, 36),
  Buffer.from('LIST\u0003\0\0\0abc\0', 'latin1'),
  WAV.subarray(36),
]);

async function read(pieces: Buffer[]) {
  const { chunks, ...format } = await readPcm(Readable.from(pieces), 16_000);
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return { ...format, bytes: Buffer.concat(all), lengths: all.map(({ length }) => length) };
}
const bytewise = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.from([byte]));

test.each([
  ['at once', [WAV]],
  ['byte by byte', bytewise(WAV)],
  ['with other chunks', [WITH_LIST]],
  ['with other chunks, byte by byte', bytewise(WITH_LIST)],
])('a WAV stream says its format: %s', async (_name, pieces) => {
  const { bytes, lengths, ...format } = await read(pieces);
  expect(format).toEqual({ sampleRate: 22_050, channels: 2 });
  expect(bytes).toEqual(SAMPLES);
  expect(lengths.every((length) => length % 2 === 0)).toBe(true);
});

test.each([
  ['raw samples', [Buffer.from([1, 2, 3]), Buffer.from([4, 5])], [1, 2, 3, 4]],
  ['fewer bytes than a header', [Buffer.from([1, 2])], [1, 2]],
  ['nothing', [], []],
])('anything else is mono PCM of the given rate: %s', async (_name, pieces, bytes) => {
  expect(await read(pieces)).toMatchObject({ sampleRate: 16_000, channels: 1, bytes: Buffer.from(bytes) });
});

test('a WAV stream of other samples or without any is refused', async () => {
  const floats = Buffer.from(WAV);
  floats.writeUInt16LE(3, 20);
  await expect(read([floats])).rejects.toThrow('16-bit samples');
  await expect(read([WAV.subarray(0, 30)])).rejects.toThrow('broken');
  await expect(read([Buffer.concat([WAV.subarray(0, 12), Buffer.alloc(9_000)])])).rejects.toThrow('broken');
});
