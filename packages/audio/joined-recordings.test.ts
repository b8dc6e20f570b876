import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import {
  encodeSync,
  encoding,
  FIXTURE_FORMATS,
  noise,
  writeSound,
  type FixtureFormat,
  type Sound,
} from '#testbed/sound/audio.ts';
import { RARE_FORMATS } from '#test/rare-formats.ts';
import { decodeAudio } from './decode.ts';

const FIRST_MS = 1_000;
const SECOND_MS = 1_500;
const TOLERANCE_MS = 60;
/** Encoders of bare frames add some silent ones where the second recording begins. */
const MAX_PADDING_MS = 150;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joined-recordings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Decoded = { durationMs: number; isCutOff: boolean; loudUntilMs: number };

/** Decodes bytes; an error becomes its message. */
async function decoded(bytes: Buffer): Promise<Decoded | string> {
  const path = join(folder, 'sound');
  await writeFile(path, bytes);
  try {
    const options = { sampleRateHz: 16_000, maxDurationMs: 3_600_000, signal: new AbortController().signal };
    const chunks = decodeAudio(path, options);
    let samples = 0;
    let loudUntilMs = 0;
    for (;;) {
      const step = await chunks.next();
      if (step.done === true) return { durationMs: samples / 16, isCutOff: step.value.isCutOff, loudUntilMs };
      const lastLoud = step.value.samples.findLastIndex((sample) => Math.abs(sample) > 0.05);
      if (lastLoud >= 0) loudUntilMs = (samples + lastLoud) / 16;
      samples += step.value.samples.length;
    }
  } catch (thrown) {
    return String(thrown);
  }
}

async function decodedEach(files: readonly Buffer[]): Promise<(Decoded | string)[]> {
  const results: (Decoded | string)[] = [];
  for (const bytes of files) results.push(await decoded(bytes));
  return results;
}

async function bytesOf(write: (path: string) => Promise<void> | void): Promise<Buffer> {
  const path = join(folder, 'part');
  await write(path);
  return readFile(path);
}

const inFormat = (format: FixtureFormat, sound: Sound) => bytesOf((path) => writeSound(path, sound, format));

/** Describes what is lost or added when both recordings are joined; null when nothing is. */
async function faultOf(name: string, parts: readonly Buffer[]): Promise<string | null> {
  const [whole, ...alone] = await decodedEach([Buffer.concat(parts), ...parts]);
  if (typeof whole !== 'object') return `${name}: ${whole}`;
  const expectedMs = alone.reduce((sum, part) => sum + (part as Decoded).durationMs, 0);
  const missingMs = expectedMs - whole.durationMs;
  if (missingMs > TOLERANCE_MS || -missingMs > MAX_PADDING_MS) return `${name}: ${missingMs} ms are missing`;
  if (whole.isCutOff) return `${name}: is said to be cut off`;
  const { durationMs, loudUntilMs } = alone.at(-1) as Decoded;
  return expectedMs - durationMs + loudUntilMs - whole.loudUntilMs > TOLERANCE_MS ? `${name}: ends in silence` : null;
}

it('joined files of one format are read to the end of the second', async () => {
  const faults: (string | null)[] = [];
  for (const format of FIXTURE_FORMATS) {
    const parts = [await inFormat(format, noise(FIRST_MS, 0.3)), await inFormat(format, noise(SECOND_MS, 0.3))];
    faults.push(await faultOf(format, parts));
  }
  for (const { name, write, sampleRateHz, container } of RARE_FORMATS) {
    if (REFUSED_WHEN_JOINED.some((refused) => [name, container].includes(refused))) continue;
    const parts: Buffer[] = [];
    for (const durationMs of [FIRST_MS, SECOND_MS]) {
      parts.push(await bytesOf((path) => write(path, noise(durationMs, 0.3, sampleRateHz ?? 48_000))));
    }
    faults.push(await faultOf(name, parts));
  }
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

/** FFmpeg does not stop at the second part and finds damage there; so many zeros are damage too. */
const REFUSED_WHEN_JOINED = ['nut', 'mxf', 'sph', 'MP3 behind zeros'];

it('the second recording may have another rate, and another layout of its samples', async () => {
  const first = await inFormat('wav', noise(FIRST_MS, 0.3));
  const second = await inFormat('wav', noise(SECOND_MS, 0.3, 8_000));
  const other = await inFormat('aiff', noise(SECOND_MS, 0.3, 22_050));
  expect(await faultOf('another rate', [first, second])).toBeNull();
  expect(await faultOf('another container', [first, other])).toBeNull();
});

it.each(['adts', 'latm', 'mp3', 'mp2', 'ac3'] as const)(
  'bare frames of %s may go on with another rate',
  async (muxer) => {
    const bare = encoding(muxer, BARE_CODECS[muxer], muxer === 'mp2' ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_FLTP);
    const rates = muxer === 'ac3' ? [32_000, 48_000] : [16_000, 48_000];
    for (const [first, second] of [rates, rates.toReversed()] as [number, number][]) {
      const parts = [
        await bytesOf((path) => encodeSync(path, noise(FIRST_MS, 0.3, first), bare)),
        await bytesOf((path) => encodeSync(path, noise(SECOND_MS, 0.3, second), bare)),
      ];
      expect(await faultOf(`${first} Hz and ${second} Hz`, parts)).toBeNull();
    }
  },
);
const BARE_CODECS = { adts: 'aac', latm: 'aac', mp3: 'libmp3lame', mp2: 'mp2', ac3: 'ac3' };

it('MP3 may go on with MP2', async () => {
  const parts = [
    await inFormat('mp3', noise(FIRST_MS, 0.3, 48_000)),
    await bytesOf((path) => encodeSync(path, noise(SECOND_MS, 0.3, 48_000), encoding('mp2', 'mp2', AV_SAMPLE_FMT_S16))),
  ];
  expect(await faultOf('MP3 and MP2', parts)).toBeNull();
});

it('AMR, whose frames have no mark, is read behind the header of the second recording', async () => {
  expect(await decoded(Buffer.concat([amrBytes(50), amrBytes(75)]))).toMatchObject({
    durationMs: 2_500,
    isCutOff: false,
  });
});

/** A file with frames of 12.2 kbit/s, which last 20 ms (RFC 4867). */
function amrBytes(count: number): Buffer {
  const frame = Buffer.alloc(32, 0x55);
  frame[0] = 0x3c;
  return Buffer.concat([Buffer.from('#!AMR\n'), ...Array.from({ length: count }, () => frame)]);
}

it('of more recordings than anybody joins the first thousand are read, and the answer says so', async () => {
  const part = await inFormat('wav', noise(10, 0.3, 8_000));
  const whole = await decoded(Buffer.concat(Array.from({ length: 1_200 }, () => part)));
  expect(whole).toMatchObject({ durationMs: 10_000, isCutOff: true });
});

it('three recordings are read', async () => {
  const part = await inFormat('wav', noise(SECOND_MS, 0.3));
  expect(await decoded(Buffer.concat([part, part, part]))).toEqual(
    expect.objectContaining({ durationMs: 3 * SECOND_MS, isCutOff: false }),
  );
});

it.each(['wav', 'm4a-index-first', 'caf', 'wma', 'aiff'] as const)(
  '%s: a second recording that breaks off is read as far as it goes, and said',
  async (format) => {
    const second = await inFormat(format, noise(SECOND_MS, 0.3));
    const parts = [await inFormat(format, noise(FIRST_MS, 0.3)), second.subarray(0, second.length >> 1)];
    const whole = await decoded(Buffer.concat(parts));
    expect(whole).toEqual(expect.objectContaining({ isCutOff: true }));
    expect((whole as Decoded).loudUntilMs).toBeGreaterThan(FIRST_MS + SECOND_MS / 4);
  },
);

it('a second recording without an index cannot be read, and the answer says that something is missing', async () => {
  const second = await inFormat('m4a', noise(SECOND_MS, 0.3));
  const whole = await decoded(Buffer.concat([await inFormat('m4a', noise(FIRST_MS, 0.3)), second.subarray(0, 9_000)]));
  expect(whole).toEqual(expect.objectContaining({ isCutOff: true }));
});
