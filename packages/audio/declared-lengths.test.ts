import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from 'node-av/constants';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeSync, encoding, noise } from '#testbed/sound/audio.ts';
import { decodeAudio } from './decode.ts';
import { probeAudio } from './probe.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'declared-lengths-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const DURATION_MS = 2_000;
const MAX_DURATION_MS = 3_600_000;
const W64_FACT = 'fact\xf3\xac\xd3\x11\x8c\xd1\x00\xc0\x4f\x8e\xdb\x8a';

it.each<[string, ReturnType<typeof encoding>, (bytes: Buffer) => unknown]>([
  [
    'AVI that was written to a pipe',
    encoding('avi', 'libmp3lame', AV_SAMPLE_FMT_FLTP),
    (bytes) => {
      bytes.writeUInt32LE(0xff_ff_ff_ff, 4);
      bytes.writeUInt32LE(0x40_00_00_00, bytes.indexOf('strh') + 40);
    },
  ],
  [
    'AIFF that counts samples, where others count packets',
    encoding('aiff', 'adpcm_ima_qt', AV_SAMPLE_FMT_S16P),
    (bytes) => bytes.writeUInt32BE((DURATION_MS / 1_000) * 48_000, bytes.indexOf('COMM') + 10),
  ],
  [
    'Wave64 with the largest number for a length that was not known',
    encoding('w64', 'adpcm_ms', AV_SAMPLE_FMT_S16),
    (bytes) => bytes.writeBigUInt64LE(2n ** 63n - 1n, bytes.indexOf(W64_FACT, 0, 'latin1') + 24),
  ],
])('the length in the header is not believed: %s', async (_name, format, change) => {
  const path = join(folder, 'sound');
  encodeSync(path, noise(DURATION_MS, 0.3, 48_000), format);
  const bytes = await readFile(path);
  change(bytes);
  await writeFile(path, bytes);
  expect(await faultsOf(path, DURATION_MS)).toEqual([]);
});

it('a part of a FLAC file begins with its first frame, and ends where it does', async () => {
  const path = join(folder, 'part.flac');
  const flac = encoding('flac', 'flac', AV_SAMPLE_FMT_S16);
  // Frames last 96 ms.
  encodeSync(path, noise(DURATION_MS, 0.3, 48_000), { ...flac, retime: (startMs) => (startMs < 500 ? null : startMs) });
  expect(await faultsOf(path, DURATION_MS - 576)).toEqual([]);
});

/** Compares the declared and the decoded duration, and whether the file is said to be whole. */
async function faultsOf(path: string, durationMs: number): Promise<string[]> {
  const { declaredDurationMs } = await probeAudio(path, { maxDurationMs: MAX_DURATION_MS });
  const signal = new AbortController().signal;
  const chunks = decodeAudio(path, { sampleRateHz: 16_000, maxDurationMs: MAX_DURATION_MS, signal });
  let decodedMs = 0;
  let step = await chunks.next();
  for (; step.done !== true; step = await chunks.next()) decodedMs += step.value.samples.length / 16;
  return [
    ...[declaredDurationMs ?? 0, decodedMs].filter((ms) => Math.abs(ms - durationMs) > 100).map((ms) => `${ms} ms`),
    ...(step.value.isCutOff ? ['cut off'] : []),
  ];
}
