import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinSamples } from '#audio/join-samples.ts';
import { encodeSync, encoding, tones } from '#testbed/sound/audio.ts';
import { decodeAudio } from './decode.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bare-mp3-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const BEEP_MS = { from: 300, until: 340 };

// LAME 3.100 and libmp3lame delay by the same 1,105 samples at each of these rates, though frames
// of MPEG-2 (below 32 kHz) have half as many samples.
it('a stream of MP3 without a header begins where its sound did, at every rate', async () => {
  const bare = encoding('mp3', 'libmp3lame', AV_SAMPLE_FMT_FLTP, { write_xing: '0', id3v2_version: '0' });
  const options = { sampleRateHz: 16_000, maxDurationMs: 60_000, signal: new AbortController().signal };
  const wrong: unknown[] = [];
  for (const rateHz of [16_000, 22_050, 24_000, 32_000, 44_100, 48_000]) {
    const path = join(folder, 'bare.mp3');
    const beep = { frequencyHz: 1_000, durationMs: BEEP_MS.until - BEEP_MS.from };
    const pause = { frequencyHz: 0, durationMs: BEEP_MS.from };
    encodeSync(path, tones([pause, beep, pause], rateHz), bare);
    const samples = joinSamples(await Array.fromAsync(decodeAudio(path, options), (chunk) => chunk.samples));
    const power = samples.reduce((sum, sample) => sum + sample ** 2, 0);
    const middleMs = samples.reduce((sum, sample, i) => sum + (sample ** 2 * i) / 16, 0) / power;
    if (Math.abs(middleMs - (BEEP_MS.from + BEEP_MS.until) / 2) > 1) wrong.push({ rateHz, middleMs });
  }
  expect(wrong).toEqual([]);
});
