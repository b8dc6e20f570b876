import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
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

const MP3 = await readFile(join(import.meta.dirname, '../docs/samples/meeting.mp3'));

test.each([
  ['MP3 after a tag', Buffer.from('ID3\u0004\0\0\0\0\0\0\0\0', 'latin1'), 'MP3'],
  ['MP3', MP3, 'MP3'],
  ['Ogg', Buffer.from('OggS\0\u0002\0\0\0\0\0\0', 'latin1'), 'Ogg'],
  ['FLAC', Buffer.from('fLaC\0\0\0\u0022\0\0\0\0', 'latin1'), 'FLAC'],
  ['M4A', Buffer.from('\0\0\0\u001cftypM4A ', 'latin1'), 'MP4 or M4A'],
  ['WebM', Buffer.from('\u001aE\u00df\u00a3\0\0\0\0\0\0\0\0', 'latin1'), 'WebM or Matroska'],
])('a compressed file is refused: %s', async (_name, bytes, format) => {
  await expect(read(bytewise(bytes.subarray(0, 3_000)))).rejects.toThrow(`Standard input is ${format}, not samples`);
});

test('samples that look like the header of an MP3 frame are samples', async () => {
  const samples = Buffer.concat([MP3.subarray(0, 4), Buffer.alloc(3_000)]);
  expect(await read(bytewise(samples))).toMatchObject({ sampleRate: 16_000, bytes: samples });
});

test('a WAV stream of other samples or without any is refused', async () => {
  const floats = Buffer.from(WAV);
  floats.writeUInt16LE(3, 20);
  await expect(read([floats])).rejects.toThrow('16-bit samples');
  await expect(read([WAV.subarray(0, 30)])).rejects.toThrow('broken');
  await expect(read([Buffer.concat([WAV.subarray(0, 12), Buffer.alloc(9_000)])])).rejects.toThrow('broken');
});
