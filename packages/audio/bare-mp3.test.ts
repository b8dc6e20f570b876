import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinSamples } from '#audio/join-samples.ts';
import { encodeSync, encoding, tones } from '#testbed/sound/audio.ts';
import { riffChunk } from '#testbed/sound/wav-variants.ts';
import { decodeAudio } from './decode.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bare-mp3-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const BEEP_MS = { from: 300, until: 340 };
const options = { sampleRateHz: 16_000, maxDurationMs: 60_000, signal: new AbortController().signal };

/** Encodes a beep between pauses to a file, and returns the time of its middle when decoded. */
async function middleOfBeep(rateHz: number, format: ReturnType<typeof encoding>, wrap = (bytes: Buffer) => bytes) {
  const path = join(folder, 'sound.mp3');
  const beep = { frequencyHz: 1_000, durationMs: BEEP_MS.until - BEEP_MS.from };
  const pause = { frequencyHz: 0, durationMs: BEEP_MS.from };
  encodeSync(path, tones([pause, beep, pause], rateHz), format);
  await writeFile(path, wrap(await readFile(path)));
  const samples = joinSamples(await Array.fromAsync(decodeAudio(path, options), (chunk) => chunk.samples));
  const power = samples.reduce((sum, sample) => sum + sample ** 2, 0);
  return samples.reduce((sum, sample, i) => sum + (sample ** 2 * i) / 16, 0) / power;
}

const isRight = (middleMs: number) => Math.abs(middleMs - (BEEP_MS.from + BEEP_MS.until) / 2) <= 1;

// LAME 3.100 and libmp3lame delay by the same 1,105 samples at each of these rates, though frames
// of MPEG-2 (below 32 kHz) have half as many samples.
it('a stream of MP3 without a header begins where its sound did, at every rate', async () => {
  const bare = encoding('mp3', 'libmp3lame', AV_SAMPLE_FMT_FLTP, { write_xing: '0', id3v2_version: '0' });
  const wrong: unknown[] = [];
  for (const rateHz of [16_000, 22_050, 24_000, 32_000, 44_100, 48_000]) {
    const middleMs = await middleOfBeep(rateHz, bare);
    if (!isRight(middleMs)) wrong.push({ rateHz, middleMs });
  }
  expect(wrong).toEqual([]);
});

// Programs that put an MP3 file into another container keep its first frame, as mkvmerge does.
it('the frame with facts about an MP3 is no sound in other containers', async () => {
  const file = encoding('mp3', 'libmp3lame', AV_SAMPLE_FMT_FLTP, { id3v2_version: '0' });
  const wrong: unknown[] = [];
  for (const rateHz of [24_000, 44_100]) {
    const middleMs = await middleOfBeep(rateHz, file, (bytes) => mp3InWav(bytes, rateHz));
    if (!isRight(middleMs)) wrong.push({ rateHz, middleMs });
  }
  expect(wrong).toEqual([]);
});

/** MPEGLAYER3WAVEFORMAT (mmreg.h of Windows), and frames of 128 kbit/s. */
function mp3InWav(frames: Buffer, rateHz: number): Buffer {
  const format = Buffer.alloc(30);
  format.writeUInt16LE(0x55, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(rateHz, 4);
  format.writeUInt32LE(16_000, 8);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(12, 16);
  const content = Buffer.concat([Buffer.from('WAVE'), riffChunk('fmt ', format), riffChunk('data', frames)]);
  return riffChunk('RIFF', content);
}
