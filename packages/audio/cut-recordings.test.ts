import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIXTURE_FORMATS, noise, writeSound, type FixtureFormat } from '#testbed/sound/audio.ts';
import { VIDEO_FORMATS, writeVideo } from '#test/video-file.ts';
import { decodeAudio } from './decode.ts';
import { probeAudio } from './probe.ts';

const DURATION_MS = 3_000;
const limits = { maxDurationMs: 3_600_000 };
/** The index of these comes last, so that it is missing in the first half. */
const INDEX_LAST: readonly FixtureFormat[] = ['m4a', 'mov'];
let folder = '';
const wholeFiles = new Map<FixtureFormat, Buffer>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cut-recordings-'));
  for (const format of FIXTURE_FORMATS) {
    const path = join(folder, format);
    await writeSound(path, noise(DURATION_MS, 0.3), format);
    wholeFiles.set(format, await readFile(path));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Decodes and probes bytes; an error becomes its message. */
async function outcomeOf(bytes: Buffer) {
  const path = join(folder, 'sound');
  await writeFile(path, bytes);
  try {
    const { declaredDurationMs } = await probeAudio(path, limits);
    const chunks = decodeAudio(path, { sampleRateHz: 16_000, ...limits, signal: new AbortController().signal });
    let samples = 0;
    for (;;) {
      const step = await chunks.next();
      if (step.done === true) return { durationMs: samples / 16, isCutOff: step.value.isCutOff, declaredDurationMs };
      samples += step.value.samples.length;
    }
  } catch (thrown) {
    return String(thrown);
  }
}

it.each(FIXTURE_FORMATS)('%s is not cut off as a whole', async (format) => {
  expect(await outcomeOf(wholeFiles.get(format)!)).toMatchObject({ isCutOff: false });
});

const READABLE = FIXTURE_FORMATS.filter((format) => !INDEX_LAST.includes(format));

it.each(READABLE)('%s without its second half is read as far as it goes, and says so', async (format) => {
  const bytes = wholeFiles.get(format)!;
  const outcome = await outcomeOf(bytes.subarray(0, bytes.length >> 1));
  expect(outcome).toMatchObject({ isCutOff: true });
  const { durationMs } = outcome as Exclude<typeof outcome, string>;
  expect(Math.abs(durationMs / DURATION_MS - 0.5)).toBeLessThan(0.2);
});

it.each(['mp3', 'aac', 'm4a-index-first', 'flac'] as const)(
  '%s with zeros instead of its second half is read as far as it goes, and says so',
  async (format) => {
    const bytes = Buffer.from(wholeFiles.get(format)!);
    const outcome = await outcomeOf(bytes.fill(0, bytes.length >> 1));
    expect(outcome).toMatchObject({ isCutOff: true });
  },
);

it.each(INDEX_LAST)('%s without its second half lacks the index', async (format) => {
  const bytes = wholeFiles.get(format)!;
  const outcome = await outcomeOf(bytes.subarray(0, bytes.length >> 1));
  expect(outcome).toMatch(/the index of the file \(moov, in CAF pakt\) is missing/);
});

it('a sample that is cut in half adds no silence', async () => {
  const bytes = wholeFiles.get('wav')!;
  const outcome = await outcomeOf(bytes.subarray(0, (bytes.length >> 1) + 1 - ((bytes.length >> 1) % 2)));
  expect(outcome).toMatchObject({ durationMs: expect.closeTo(DURATION_MS / 2, -0.5), isCutOff: true });
});

it('a tag behind the sound of an mp3 adds none', async () => {
  const bytes = wholeFiles.get('mp3')!;
  const whole = await outcomeOf(bytes);
  const tag = Buffer.from(`\x04\0\0\0\0\0\0\0Title\0memoAPETAGEX${'\0'.repeat(24)}`, 'latin1');
  expect(await outcomeOf(Buffer.concat([bytes, tag]))).toMatchObject({
    durationMs: (whole as { durationMs: number }).durationMs,
  });
});

it.each(VIDEO_FORMATS)('a film in %s whose sound ends before the picture is whole', async (format) => {
  const path = join(folder, 'film');
  await writeVideo(path, noise(400, 0.3), format);
  expect(await outcomeOf(await readFile(path))).toMatchObject({ isCutOff: false });
});

it('the declared duration of a file whose structure is cut off is what is there', async () => {
  const found = [];
  for (const format of ['wav', 'm4a-index-first', 'ogg-opus', 'webm', 'mkv', 'aiff', 'caf', 'wma'] as const) {
    const bytes = wholeFiles.get(format)!;
    const outcome = await outcomeOf(bytes.subarray(0, bytes.length >> 1));
    if (typeof outcome === 'string' || Math.abs(outcome.durationMs - (outcome.declaredDurationMs ?? 0)) > 150) {
      found.push([format, outcome]);
    }
  }
  expect(found).toEqual([]);
});

it('a last part of a kilobyte is missed in files that state their size', async () => {
  const missed = [];
  for (const format of ['wav', 'm4a-index-first', 'ogg-vorbis', 'ogg-opus', 'webm', 'webm-live', 'wma'] as const) {
    const bytes = wholeFiles.get(format)!;
    const outcome = await outcomeOf(bytes.subarray(0, bytes.length - 1_000));
    if (typeof outcome === 'string' || !outcome.isCutOff) missed.push([format, outcome]);
  }
  expect(missed).toEqual([]);
});
