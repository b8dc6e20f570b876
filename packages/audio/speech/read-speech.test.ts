import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAppError } from '@jyutsing/contracts/errors';
import {
  FIXTURE_FORMATS,
  noise,
  silence,
  tones,
  writeSound,
  type FixtureFormat,
  type Sound,
} from '#testbed/sound/audio.ts';
import { FITTED_KINDS, makeNotSpeech, UNSEEN_KINDS } from '#testbed/sound/not-speech.ts';
import { durationOf, joinSounds, resample, speak } from '#testbed/sound/espeak-speech.ts';
import { voiceModelOf } from '#packages/engines/runtime/speech-detection.ts';
import { readSpeech } from './read-speech.ts';

const MAX_MS = 60_000;
const voiceOf = voiceModelOf({ builtinModelsDir: resolve(import.meta.dirname, '../../../models') });
const never = new AbortController().signal;
let folder = '';
let files = 0;
let sentence: Sound;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-speech-'));
  sentence = await speak('gam1 jat6 tin1 hei3 hou2 hou2 , ngo5 dei6 heoi3 gung1 jyun2 haang4 haa5');
});
afterAll(() => rm(folder, { recursive: true }));

async function write(sound: Sound, format: FixtureFormat = 'wav'): Promise<string> {
  const path = join(folder, `${(files += 1)}`);
  await writeSound(path, sound, format);
  return path;
}

const readAt = (path: string, maxDurationMs = MAX_MS) => readSpeech(path, { voiceOf, maxDurationMs, signal: never });
const read = async (sound: Sound, format: FixtureFormat = 'wav') => readAt(await write(sound, format));
const outcomeAt = (path: string) =>
  readAt(path).then(
    () => 'speech',
    (thrown: unknown) => toAppError(thrown).code,
  );
const outcome = async (sound: Sound, format: FixtureFormat = 'wav') => outcomeAt(await write(sound, format));

const mono = ({ channels }: Sound) => channels[0]!;
const changed = (sound: Sound, change: (sample: number, i: number) => number): Sound => ({
  ...sound,
  channels: sound.channels.map((channel) => channel.map(change)),
});
const power = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;
/** Mixes one sound under another, `db` decibels below it. */
function over(sound: Sound, other: Sound, db: number): Sound {
  const gain = Math.sqrt(power(mono(sound)) / power(mono(other))) * 10 ** (-db / 20);
  return changed(sound, (sample, i) => 0.5 * (sample + gain * mono(other)[i % mono(other).length]!));
}
const notSpeech = (kind: string, seed: number, durationMs = 4_000): Sound => ({
  sampleRateHz: 16_000,
  channels: [makeNotSpeech(kind, seed, durationMs)],
});

describe('a spoken sentence is read as mono audio at 16 kHz', () => {
  it.each(FIXTURE_FORMATS)('%s', async (format) => {
    const { samples, startMs } = await read(sentence, format);
    expect(startMs).toBe(0);
    expect(Math.abs(samples.length / 16 - durationOf(sentence))).toBeLessThan(100);
  });

  const recordings: [string, () => Sound][] = [
    ['of a telephone', () => ({ sampleRateHz: 8_000, channels: [resample(mono(sentence), 24_000, 8_000)] })],
    ['at 96 kHz', () => ({ sampleRateHz: 96_000, channels: [resample(mono(sentence), 24_000, 96_000)] })],
    ['with the voice on the left', () => ({ ...sentence, channels: [mono(sentence), mono(sentence).map(() => 0)] })],
    ['in opposite phases', () => ({ ...sentence, channels: [mono(sentence), mono(sentence).map((x) => -x)] })],
    ['of 50 dB less', () => changed(sentence, (sample) => sample * 0.003)],
    ['overdriven', () => changed(sentence, (sample) => Math.max(-1, Math.min(1, sample * 20)))],
    ['with an offset', () => changed(sentence, (sample) => 0.5 * sample + 0.4)],
    ['over hum', () => over(sentence, notSpeech('hum', 1), 0)],
    ['over a fan', () => over(sentence, notSpeech('fan', 1), 5)],
    ['over white noise', () => over(sentence, noise(3_000, 0.5), 5)],
    ['over a piano', () => over(sentence, notSpeech('piano', 1), 8)],
    [
      'after a loud click',
      () =>
        joinSounds(
          [tones([{ frequencyHz: 900, durationMs: 25, level: 1 }], 24_000), changed(sentence, (x) => x * 0.02)],
          300,
        ),
    ],
    [
      'with reverberation',
      () =>
        changed(
          sentence,
          (x, i) => 0.5 * x + 0.3 * (mono(sentence)[i - 1_900] ?? 0) + 0.2 * (mono(sentence)[i - 4_700] ?? 0),
        ),
    ],
  ];
  it.each(recordings)('%s', async (_, make) => {
    await expect(outcome(make())).resolves.toBe('speech');
  });

  it.each(['si1', 'sik6', 'maa5', 'caa4', 'faan6', 'ngo5'])('a single syllable: %s', async (syllable) => {
    await expect(outcome(await speak(syllable, { rate: 200 }))).resolves.toBe('speech');
  });

  it.each([
    ['english', 'Please sit down, this is the first of six steps.', 'en-us'],
    ['mandarin', '今天天气很好', 'cmn'],
  ])('%s', async (_, text, voice) => {
    await expect(outcome(await speak(text, { voice, pitch: 80 }))).resolves.toBe('speech');
  });
});

describe('silence at both ends', () => {
  it('is left out, and the speech keeps its time', async () => {
    const inSilence = joinSounds([silence(20_000, 24_000), sentence, silence(30_000, 24_000)], 0);
    const { samples, startMs } = await read(inSilence);
    expect(startMs).toBeGreaterThan(19_000);
    expect(startMs).toBeLessThan(20_000);
    expect(samples.length / 16).toBeLessThan(durationOf(sentence) + 1_500);
    expect(startMs + samples.length / 16).toBeGreaterThan(20_000 + durationOf(sentence));
  });

  it('a short one is left as it is', async () => {
    const { samples, startMs } = await read(joinSounds([silence(400, 24_000), sentence, silence(400, 24_000)], 0));
    expect(startMs).toBe(0);
    expect(Math.abs(samples.length / 16 - 800 - durationOf(sentence))).toBeLessThan(20);
  });
});

describe('audio without speech is refused as such', () => {
  it.each([100, 1_000, 10_000])('%i ms of silence', async (durationMs) => {
    await expect(outcome(silence(durationMs))).resolves.toBe('no_speech');
  });

  it('faint hiss', async () => {
    await expect(outcome(noise(3_000, 0.000_1))).resolves.toBe('no_speech');
  });

  it('an offset alone', async () => {
    await expect(outcome(changed(silence(2_000), () => 0.4))).resolves.toBe('no_speech');
  });

  it.each([
    ['instruments and noises of the kinds that the check was fitted with', FITTED_KINDS, []],
    ['those of other kinds', UNSEEN_KINDS, ['shakers and congas']],
  ])('%s', async (_, kinds, tolerated) => {
    const accepted: string[] = [];
    for (const kind of Object.keys(kinds)) {
      if ((await outcome(notSpeech(kind, 911, 3_000))) !== 'no_speech') accepted.push(kind);
    }
    expect(accepted.filter((kind) => !tolerated.includes(kind))).toEqual([]);
  });
});

describe('a file that is not a recording is refused', () => {
  it.each([
    ['nothing', ''],
    ['a text', 'plain text with the name of a recording'],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ])('%s is reported as not being audio', async (_, content) => {
    const path = join(folder, `${(files += 1)}`);
    await writeFile(path, content, 'latin1');
    await expect(readAt(path)).rejects.toMatchObject({ status: 415 });
  });

  it('zero samples', async () => {
    await expect(outcome({ sampleRateHz: 16_000, channels: [new Float32Array(0)] })).resolves.toBe('empty_audio');
  });

  it.each(FIXTURE_FORMATS)('the first half of a file: %s', async (format) => {
    const path = await write(sentence, format);
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, bytes.length >> 1));
    // An m4a has its index at the end, without which nothing is found.
    expect(await outcomeAt(path)).toBe(format === 'm4a' || format === 'mov' ? 'corrupt_audio' : 'speech');
  });

  it('one second too long, with the limit', async () => {
    const long = joinSounds(
      Array.from({ length: 20 }, () => sentence),
      0,
    );
    const path = await write({ sampleRateHz: 24_000, channels: [mono(long).slice(0, 61 * 24_000)] });
    await expect(readAt(path)).rejects.toMatchObject({
      code: 'audio_too_long',
      message: 'The recording is longer than 60 seconds; send a shorter one.',
    });
    await writeSound(path, { sampleRateHz: 24_000, channels: [mono(long).slice(0, 60 * 24_000)] }, 'mp3');
    await expect(outcomeAt(path)).resolves.toBe('speech');
  });

  it('an aborted reading ends with the reason', async () => {
    const path = await write(sentence);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(readSpeech(path, { voiceOf, maxDurationMs: MAX_MS, signal })).rejects.toThrow('gone');
  });
});
