import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tones } from '#testbed/sound/audio.ts';
import { decodeAudio } from '#audio/decode.ts';
import { probeAudio } from '#audio/probe.ts';

const RATE_HZ = 16_000;
const { channels } = tones([
  { frequencyHz: 0, durationMs: 100 },
  { frequencyHz: 440, durationMs: 400 },
]);
const sound = channels[0] ?? new Float32Array(0);

/** A WAV file as some program writes it. */
type Variant = {
  /** Bits that a sample occupies. */
  bits: number;
  /** Bits that are used, of the highest value. */
  validBits?: number;
  isFloat?: boolean;
  isExtensible?: boolean;
  magic?: 'RIFF' | 'RIFX' | 'RF64' | 'BW64' | 'W64';
  channels?: number;
  /** Wrong values of the header. */
  stated?: { dataBytes?: number; frameBytes?: number; bytesPerSecond?: number; bits?: number; validBits?: number };
  /** Chunks before the format. */
  before?: Buffer;
  /** Chunks after the samples. */
  after?: Buffer;
};

function sampleBytes({ bits, validBits = bits, isFloat = false, magic, channels = 1 }: Variant): Buffer {
  const size = bits / 8;
  const data = Buffer.alloc(sound.length * size * channels);
  const isBigEndian = magic === 'RIFX';
  for (let at = 0, frame = 0; frame < sound.length; frame += 1) {
    const value = sound[frame] ?? 0;
    const integer = Math.round(value * (2 ** (validBits - 1) - 1)) * 2 ** (bits - validBits);
    for (let channel = 0; channel < channels; channel += 1, at += size) {
      if (isFloat && size === 8) data.writeDoubleLE(value, at);
      else if (isFloat && isBigEndian) data.writeFloatBE(value, at);
      else if (isFloat) data.writeFloatLE(value, at);
      else if (size === 1) data.writeUInt8(128 + integer, at);
      else if (isBigEndian) data.writeIntBE(integer, at, size);
      else data.writeIntLE(integer, at, size);
    }
  }
  return data;
}

function writer(isBigEndian: boolean) {
  return (bytes: Buffer, value: number, at: number, size: number) =>
    isBigEndian ? bytes.writeUIntBE(value, at, size) : bytes.writeUIntLE(value, at, size);
}

function formatBytes(variant: Variant): Buffer {
  const { bits, validBits = bits, isFloat = false, isExtensible = true, magic, channels = 1, stated = {} } = variant;
  const put = writer(magic === 'RIFX');
  const encoding = isFloat ? 3 : 1;
  const frameBytes = (bits / 8) * channels;
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  put(format, isExtensible ? 0xfffe : encoding, 0, 2);
  put(format, channels, 2, 2);
  put(format, RATE_HZ, 4, 4);
  put(format, stated.bytesPerSecond ?? RATE_HZ * frameBytes, 8, 4);
  put(format, stated.frameBytes ?? frameBytes, 12, 2);
  put(format, stated.bits ?? (isExtensible ? bits : validBits), 14, 2);
  if (!isExtensible) return format;
  put(format, 22, 16, 2);
  put(format, stated.validBits ?? validBits, 18, 2);
  put(format, encoding, 24, 4);
  put(format, 0x10, 30, 2);
  format.write('800000aa00389b71', 32, 'hex');
  return format;
}

function chunk(
  id: string,
  body: Buffer,
  { isBigEndian = false, sizeBytes = body.length, isPadded = true } = {},
): Buffer {
  const header = Buffer.alloc(8);
  header.write(id, 'latin1');
  writer(isBigEndian)(header, sizeBytes, 4, 4);
  return Buffer.concat([header, body, Buffer.alloc(isPadded ? body.length % 2 : 0)]);
}

function w64Chunk(id: string, body: Buffer): Buffer {
  const header = Buffer.alloc(24);
  header.write(id, 'latin1');
  header.write('f3acd3118cd100c04f8edb8a', 4, 'hex');
  header.writeBigUInt64LE(BigInt(24 + body.length), 16);
  return Buffer.concat([header, body, Buffer.alloc((8 - (body.length % 8)) % 8)]);
}

function fileBytes(variant: Variant): Buffer {
  const { magic = 'RIFF', stated = {}, before = Buffer.alloc(0), after = Buffer.alloc(0) } = variant;
  const format = formatBytes(variant);
  const data = sampleBytes(variant);
  if (magic === 'W64') {
    const body = Buffer.concat([w64Chunk('fmt ', format), w64Chunk('data', data)]);
    const header = Buffer.alloc(24);
    header.write('riff', 'latin1');
    header.write('2e91cf11a5d628db04c10000', 4, 'hex');
    header.writeBigUInt64LE(BigInt(40 + body.length), 16);
    return Buffer.concat([header, w64Chunk('wave', Buffer.alloc(0)).subarray(0, 16), body]);
  }
  const isBigEndian = magic === 'RIFX';
  const isLong = magic === 'RF64' || magic === 'BW64';
  const sizes = Buffer.alloc(28);
  sizes.writeBigUInt64LE(BigInt(data.length), 8);
  const sizeBytes = stated.dataBytes ?? (isLong ? 0xffff_ffff : data.length);
  const body = Buffer.concat([
    Buffer.from('WAVE'),
    isLong ? chunk('ds64', sizes) : Buffer.alloc(0),
    before,
    chunk('fmt ', format, { isBigEndian }),
    chunk('data', data, { isBigEndian, sizeBytes }),
    after,
  ]);
  return chunk(magic, body, { isBigEndian, sizeBytes: sizeBytes === data.length ? body.length : sizeBytes });
}

const INFO = chunk('LIST', Buffer.from('INFOISFT\x06\0\0\0Lavf60', 'latin1'));
/** Bits that a sample occupies, and those that are used. */
const VALID_BITS: Record<number, number[]> = {
  32: [32, 24, 20, 16, 8],
  24: [24, 20, 16, 12],
  16: [16, 14, 12, 8],
  8: [8, 6],
};

const VARIANTS: [name: string, variant: Variant][] = [
  ...Object.entries(VALID_BITS).flatMap(([bits, used]) =>
    used.flatMap((validBits) =>
      [1, 2, 6].map((channels): [string, Variant] => [
        `${validBits} valid bits of ${bits}, ${channels} channels`,
        { bits: Number(bits), validBits, channels },
      ]),
    ),
  ),
  ...(['RIFX', 'RF64', 'BW64', 'W64'] as const).flatMap((magic) =>
    [
      [32, 24],
      [24, 16],
      [16, 16],
    ].map(([bits = 0, validBits = 0]): [string, Variant] => [
      `${magic} with ${validBits} valid bits of ${bits}`,
      { magic, bits, validBits, channels: 2 },
    ]),
  ),
  ...[0, 0x7fff_f000, 0xffff_ffff].flatMap((dataBytes) =>
    [
      [32, 24],
      [24, 16],
      [16, 16],
    ].map(([bits = 0, validBits = 0]): [string, Variant] => [
      `${validBits} valid bits of ${bits} with the data size ${dataBytes} of a pipe`,
      { bits, validBits, stated: { dataBytes } },
    ]),
  ),
  ...[0, 16, 24, 32].map((validBits): [string, Variant] => [
    `32-bit floats with ${validBits} valid bits`,
    { bits: 32, isFloat: true, stated: { validBits } },
  ]),
  ['64-bit floats with 53 valid bits', { bits: 64, isFloat: true, stated: { validBits: 53 } }],
  ['no valid bits stated', { bits: 24, stated: { validBits: 0 } }],
  ['RIFX without an extension', { magic: 'RIFX', bits: 16, isExtensible: false }],
  ['RIFX with floats', { magic: 'RIFX', bits: 32, isFloat: true, isExtensible: false }],
  ['24 bits in 32 without an extension', { bits: 32, validBits: 24, isExtensible: false, channels: 2 }],
  ['12 bits in 16 without an extension', { bits: 16, validBits: 12, isExtensible: false }],
  ['no bits stated', { bits: 16, isExtensible: false, stated: { bits: 0 } }],
  ['no frame size stated', { bits: 16, isExtensible: false, stated: { frameBytes: 0 } }],
  ['the frame size of stereo in mono', { bits: 16, isExtensible: false, stated: { frameBytes: 4 } }],
  ['the frame size of mono in stereo', { bits: 16, isExtensible: false, channels: 2, stated: { frameBytes: 2 } }],
  ['no bit rate stated', { bits: 24, validBits: 20, stated: { bytesPerSecond: 0 } }],
  ['a chunk before the format', { bits: 32, validBits: 24, before: chunk('JUNK', Buffer.alloc(28)) }],
  ['a large chunk before the format', { bits: 32, validBits: 24, before: chunk('bext', Buffer.alloc(70_000)) }],
  ['a wrong count of samples', { bits: 16, validBits: 8, before: chunk('fact', Buffer.alloc(4, 1)) }],
  ['an odd chunk', { bits: 32, validBits: 24, before: chunk('LIST', Buffer.alloc(27)) }],
  ['an odd chunk that is not padded', { bits: 16, before: chunk('LIST', Buffer.alloc(27), { isPadded: false }) }],
  ['a chunk after the samples', { bits: 32, validBits: 24, after: INFO }],
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wav-layout-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the largest difference between the samples that were written and those that are read. */
async function error(path: string): Promise<number> {
  const { declaredDurationMs } = await probeAudio(path, { maxDurationMs: 60_000 });
  if (declaredDurationMs !== (sound.length * 1_000) / RATE_HZ) return Infinity;
  const options = { sampleRateHz: RATE_HZ, maxDurationMs: 60_000, signal: new AbortController().signal };
  const pieces = await Array.fromAsync(decodeAudio(path, options), ({ samples }) => [...samples]);
  const samples = pieces.flat();
  if (samples.length !== sound.length) return Infinity;
  return samples.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (sound[at] ?? 0))), 0);
}

it('samples have the size that the container gives them', async () => {
  const wrong: string[] = [];
  for (const [name, variant] of VARIANTS) {
    const path = join(folder, 'sound');
    await writeFile(path, fileBytes(variant));
    const found = await error(path).catch(String);
    const allowed = 2 ** (2 - Math.min(16, variant.validBits ?? variant.bits));
    if (!(typeof found === 'number' && found < allowed)) wrong.push(`${name}: ${found}`);
  }
  expect(wrong).toEqual([]);
});

it('samples of 64 bits of which fewer are used are refused', async () => {
  const path = join(folder, 'long');
  const bytes = fileBytes({ bits: 32, channels: 2, stated: { bits: 64, validBits: 32, frameBytes: 16 } });
  await writeFile(path, bytes);
  await expect(probeAudio(path, { maxDurationMs: 60_000 })).rejects.toThrow('The sound has the codec "pcm_s64le"');
});
