import { AV_SAMPLE_FMT_S32 } from 'node-av/constants';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeAudio } from '#audio/decode.ts';
import { probeAudio } from '#audio/probe.ts';
import { encodeSync, encoding, tones, type Sound } from '#testbed/sound/audio.ts';
import { wavVariant } from '#testbed/sound/wav-variants.ts';

const RATE_HZ = 16_000;
const mono = tones(
  [
    { frequencyHz: 0, durationMs: 100 },
    { frequencyHz: 440, durationMs: 400 },
  ],
  RATE_HZ,
);
const [samples = new Float32Array(0)] = mono.channels;
const stereo: Sound = { sampleRateHz: RATE_HZ, channels: [samples, samples] };

type Written = { sound?: Sound; bits: number; validBits?: number; isBigEndian?: boolean; isFloat?: boolean };

/** The bytes of the samples alone. */
function dataOf({ sound = mono, ...options }: Written): Buffer {
  const bytes = wavVariant(sound, options);
  return bytes.subarray(bytes.indexOf('data') + 8);
}

function chunk(id: string, body: Buffer, sizeBytes: 4 | 8 = 4): Buffer {
  const header = Buffer.alloc(4 + sizeBytes);
  header.write(id, 'latin1');
  header.writeUInt32BE(body.length, sizeBytes);
  return Buffer.concat([header, body, Buffer.alloc(sizeBytes === 4 ? body.length % 2 : 0)]);
}

function aiff(compression: string, written: Written): Buffer {
  const { sound = mono, bits, validBits = bits } = written;
  const format = Buffer.alloc(18);
  format.writeUInt16BE(sound.channels.length, 0);
  format.writeUInt32BE(samples.length, 2);
  format.writeUInt16BE(validBits, 6);
  // The sampling rate as a number of 80 bits.
  format.writeUInt16BE(16_383 + 13, 8);
  format.writeUInt16BE(RATE_HZ << 2, 10);
  const body = [
    Buffer.from(compression === '' ? 'AIFF' : 'AIFC'),
    chunk('COMM', Buffer.concat([format, Buffer.from(compression === '' ? '' : `${compression}\0\0`)])),
    chunk('SSND', Buffer.concat([Buffer.alloc(8), dataOf({ isBigEndian: true, ...written })])),
  ];
  return chunk('FORM', Buffer.concat(body));
}

function caf({ sound = mono, ...written }: Written): Buffer {
  const { bits, validBits = bits, isBigEndian = false, isFloat = false } = written;
  const format = Buffer.alloc(32);
  format.writeDoubleBE(RATE_HZ, 0);
  format.write('lpcm', 8);
  const numbers = [
    (isFloat ? 1 : 0) + (isBigEndian ? 0 : 2),
    (bits / 8) * sound.channels.length,
    1,
    sound.channels.length,
    validBits,
  ];
  for (const [at, number] of numbers.entries()) format.writeUInt32BE(number, 12 + at * 4);
  const data = Buffer.concat([Buffer.alloc(4), dataOf({ sound, ...written })]);
  return Buffer.concat([Buffer.from('caff\0\x01\0\0'), chunk('desc', format, 8), chunk('data', data, 8)]);
}

/** Writes samples of 32 bits, of which the header says that only some are used. */
async function partlyUsed(path: string, muxer: 'avi' | 'asf', validBits: number): Promise<Buffer> {
  encodeSync(path, mono, encoding(muxer, 'pcm_s32le', AV_SAMPLE_FMT_S32));
  const bytes = await readFile(path);
  bytes.writeUInt16LE(validBits, bytes.indexOf(FRAME_OF_4_BYTES) + 2);
  return bytes;
}

/** A rate that needs the description of version 2. */
const MOVIE_RATE_HZ = 96_000;

/** Writes a movie whose header says that only some bits are used. */
async function movie(path: string, encoder: string, validBits: number): Promise<Buffer> {
  const sound = tones(
    [
      { frequencyHz: 0, durationMs: 100 },
      { frequencyHz: 440, durationMs: 400 },
    ],
    MOVIE_RATE_HZ,
  );
  encodeSync(path, sound, encoding('mov', encoder, AV_SAMPLE_FMT_S32));
  const bytes = await readFile(path);
  bytes.writeUInt32BE(validBits, bytes.indexOf('lpcm') + 52);
  return bytes;
}

/** The end of a WAVEFORMATEX: bytes of a frame, bits of a sample. */
const FRAME_OF_4_BYTES = Buffer.from([4, 0, 32, 0]);

const FILES: [name: string, bytes: Buffer][] = [
  ['AIFF with 12 bits', aiff('', { bits: 16, validBits: 12 })],
  ['AIFF with 20 bits', aiff('', { bits: 24, validBits: 20, sound: stereo })],
  ['AIFF-C, NONE', aiff('NONE', { bits: 24 })],
  ['AIFF-C, sowt with 16 bits', aiff('sowt', { bits: 16, isBigEndian: false })],
  ['AIFF-C, sowt with 24 bits', aiff('sowt', { bits: 24, isBigEndian: false, sound: stereo })],
  ['AIFF-C, sowt with 32 bits', aiff('sowt', { bits: 32, isBigEndian: false })],
  ['AIFF-C, in24', aiff('in24', { bits: 24 })],
  ['AIFF-C, 42ni', aiff('42ni', { bits: 24, isBigEndian: false })],
  ['AIFF-C, 42n1', aiff('42n1', { bits: 24, isBigEndian: false })],
  ['AIFF-C, 23ni', aiff('23ni', { bits: 32, isBigEndian: false })],
  ['AIFF-C, fl32', aiff('fl32', { bits: 32, isFloat: true })],
  ['CAF with 16 bits', caf({ bits: 16 })],
  ['CAF with 24 bits of 32', caf({ bits: 32, validBits: 24, sound: stereo })],
  ['CAF with 20 bits of 32, big-endian', caf({ bits: 32, validBits: 20, isBigEndian: true, sound: stereo })],
  ['CAF with 16 bits of 24', caf({ bits: 24, validBits: 16 })],
  ['CAF with floats', caf({ bits: 32, isFloat: true, isBigEndian: true })],
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'layout-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the largest difference between the samples that were written and those that are read. */
async function error(path: string): Promise<number> {
  const { declaredDurationMs } = await probeAudio(path, { maxDurationMs: 60_000 });
  if (Math.abs((declaredDurationMs ?? 0) - 500) > 1) return Infinity;
  const options = { sampleRateHz: RATE_HZ, maxDurationMs: 60_000, signal: new AbortController().signal };
  const read = (await Array.fromAsync(decodeAudio(path, options), (piece) => [...piece.samples])).flat();
  if (read.length !== samples.length) return Infinity;
  return read.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (samples[at] ?? 0))), 0);
}

it('samples have the size that the container gives them', async () => {
  const path = join(folder, 'sound');
  const files = [
    ...FILES,
    ['AVI with 16 bits of 32', await partlyUsed(path, 'avi', 16)],
    ['AVI with 24 bits of 32', await partlyUsed(path, 'avi', 24)],
    ['AVI with all bits', await partlyUsed(path, 'avi', 32)],
    ['ASF with 16 bits of 32', await partlyUsed(path, 'asf', 16)],
    ['ASF with 24 bits of 32', await partlyUsed(path, 'asf', 24)],
    ['MOV with 16 bits of 32', await movie(path, 'pcm_s32le', 16)],
    ['MOV with 20 bits of 32, big-endian', await movie(path, 'pcm_s32be', 20)],
    ['MOV with 24 bits of 32', await movie(path, 'pcm_s32le', 24)],
    ['MOV with 24 bits', await movie(path, 'pcm_s24le', 24)],
  ] as const;
  const wrong: string[] = [];
  for (const [name, bytes] of files) {
    await writeFile(path, bytes);
    const found = await error(path).catch(String);
    // The filter of another rate rings where the tone begins.
    const most = name.startsWith('MOV') ? 0.01 : 2 ** -10;
    if (!(typeof found === 'number' && found < most)) wrong.push(`${name}: ${found}`);
  }
  expect(wrong).toEqual([]);
});
