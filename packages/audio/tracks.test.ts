import { AV_DISPOSITION_COMMENT, AV_DISPOSITION_DEFAULT } from 'node-av/constants';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTracks, type TrackToWrite } from '#test/write-tracks.ts';
import { tones } from '#testbed/sound/audio.ts';
import { countChannels, decodeAudio } from './decode.ts';
import { probeAudio } from './probe.ts';

const RATE_HZ = 48_000;
/** The tones of the tracks, by which they are known in the decoded sound. */
const TONES_HZ = [300, 500, 700];

type Case = {
  name: string;
  tracks: Omit<TrackToWrite, 'sound'>[];
  /** The tracks that are heard. */
  heard: number[];
  muxer?: 'mov' | 'matroska';
  channels?: number;
  /** The number of a track without sound. */
  silent?: number;
  /** Milliseconds of each track. */
  lengths?: number[];
};

const yue = { language: 'yue' };
const eng = { language: 'eng' };
const isDefault = AV_DISPOSITION_DEFAULT;
const never = 0 as typeof AV_DISPOSITION_DEFAULT;

const titled = (title: string) => ({ disposition: isDefault, tags: { title } });

const CASES: Case[] = [
  { name: 'DTS before another codec', tracks: [{ codec: 'dts' }, {}], heard: [1], channels: 2 },
  {
    name: 'DTS as the default',
    tracks: [{ codec: 'dts', disposition: isDefault }, { disposition: never }],
    heard: [1],
    channels: 2,
  },
  { name: 'two stereo tracks', tracks: [{}, {}], heard: [0], channels: 2 },
  {
    name: 'the second as the default',
    tracks: [{ disposition: never }, { disposition: isDefault }],
    heard: [1],
    channels: 2,
  },
  { name: 'a comment before the sound', tracks: [{ disposition: AV_DISPOSITION_COMMENT }, {}], heard: [1] },
  { name: 'a comment by its title', tracks: [{}, { tags: { title: "Director's commentary" } }], heard: [0] },
  { name: 'nothing but a comment', tracks: [{ disposition: AV_DISPOSITION_COMMENT }], heard: [0] },
  { name: 'two people in mov', muxer: 'mov', tracks: [{}, {}], heard: [0, 1] },
  {
    name: 'a screen with its sound and a microphone',
    muxer: 'mov',
    tracks: [titled('Programs'), titled('Microphone')],
    heard: [0, 1],
    channels: 2,
  },
  ...[
    { name: 'two enabled tracks', tracks: [{ disposition: isDefault }, { disposition: isDefault }] },
    { name: 'two enabled tracks, one with a title', tracks: [titled('Sound'), { disposition: isDefault }] },
    { name: 'two enabled tracks of one title', tracks: [titled('Stereo'), titled('Stereo')] },
    { name: 'two enabled languages', tracks: [titled('廣東話'), titled('英文')] },
    { name: 'two enabled language codes', tracks: [titled('yue'), titled('cmn')] },
  ].map((row) => ({ ...row, muxer: 'mov' as const, heard: [0], channels: 2 })),
  {
    name: 'a track that is not enabled',
    muxer: 'mov',
    tracks: [{ disposition: isDefault }, { disposition: never }],
    heard: [0],
    channels: 2,
  },
  { name: 'a silent track before another', tracks: [{}, {}], heard: [0, 1], channels: 2, silent: 0 },
  { name: 'a silent track behind another', tracks: [{}, {}], heard: [0], channels: 2, silent: 1 },
  { name: 'two people in mkv', tracks: [{}, {}], heard: [0, 1] },
  { name: 'three people', tracks: [{}, {}, {}], heard: [0, 1, 2] },
  { name: 'two people of one language', tracks: [{ tags: yue }, { tags: yue }], heard: [0, 1] },
  {
    name: 'two people with names',
    tracks: [{ tags: { title: 'Mic 1' } }, { tags: { title: 'Mic 2' } }],
    heard: [0, 1],
  },
  { name: 'the original and a dub', tracks: [{ tags: yue }, { tags: eng }], heard: [0] },
  {
    name: 'the original and a dub by title',
    tracks: [{ tags: { title: '粵語' } }, { tags: { title: '國語' } }],
    heard: [0],
  },
  { name: 'tracks of different lengths', tracks: [{}, {}], heard: [0], lengths: [2_000, 500], muxer: 'mov' },
  { name: 'tracks of nearly the same length', tracks: [{}, {}], heard: [0, 1], lengths: [1_000, 800] },
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tracks-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the level of one tone in the middle of the first half second. */
function levelAt(samples: Float32Array, frequencyHz: number): number {
  const [from, until] = [1_600, 6_400];
  let [re, im] = [0, 0];
  for (let i = from; i < until; i += 1) {
    re += (samples[i] ?? 0) * Math.cos((2 * Math.PI * frequencyHz * i) / 16_000);
    im += (samples[i] ?? 0) * Math.sin((2 * Math.PI * frequencyHz * i) / 16_000);
  }
  return (2 * Math.hypot(re, im)) / (until - from);
}

it('the best track is decoded, people with a microphone each are mixed, and the probe says which', async () => {
  const options = { sampleRateHz: 16_000, maxDurationMs: 60_000, signal: new AbortController().signal };
  const wrong: object[] = [];
  for (const { name, tracks, heard, muxer = 'matroska', channels = 1, lengths = [], silent } of CASES) {
    const path = join(folder, 'film');
    const written = tracks.map((track, at) => {
      const frequencyHz = at === silent ? 0 : (TONES_HZ[at] ?? 0);
      const sound = tones([{ frequencyHz, durationMs: lengths[at] ?? 500 }], RATE_HZ);
      return { ...track, sound: { ...sound, channels: Array.from({ length: channels }, () => sound.channels[0]!) } };
    });
    writeTracks(path, muxer, written);
    const probed = await probeAudio(path, options);
    const used = probed.tracks.flatMap(({ isUsed }, at) => (isUsed ? [at] : []));
    const pieces = await Array.fromAsync(decodeAudio(path, options), ({ samples }) => [...samples]);
    const samples = Float32Array.from(pieces.flat());
    const levels = tracks.map((_, at) => levelAt(samples, TONES_HZ[at] ?? 0));
    const expected = tracks.map((_, at) => (heard.includes(at) && at !== silent ? 0.5 / heard.length : 0));
    const isRight = levels.every((level, at) => Math.abs(level - (expected[at] ?? 0)) < 0.02);
    if (!isRight || used.join() !== heard.join()) wrong.push({ name, used, levels });
  }
  expect(wrong).toEqual([]);
});

it('words after a long silence of the default track are heard', async () => {
  const path = join(folder, 'late.mkv');
  const rateHz = 2_000;
  const late = new Float32Array(610 * rateHz).map((_, i) => (i < 605 * rateHz ? 0 : 0.5 * Math.sin(i)));
  const early = late.toReversed();
  const tracks = [late, early].map((samples) => ({ sampleRateHz: rateHz, channels: [samples, samples] }));
  writeTracks(
    path,
    'matroska',
    tracks.map((sound) => ({ sound })),
  );
  const options = { sampleRateHz: 8_000, maxDurationMs: 700_000, signal: new AbortController().signal };
  let [earliest, latest] = [0, 0];
  for await (const { samples, startMs } of decodeAudio(path, options)) {
    for (const sample of samples) {
      if (startMs < 3_000) earliest = Math.max(earliest, sample);
      if (startMs > 606_000) latest = Math.max(latest, sample);
    }
  }
  expect(earliest).toBeGreaterThan(0.2);
  expect(latest).toBeGreaterThan(0.2);
});

it('each channel can be decoded for itself, over the tracks of several microphones', async () => {
  const path = join(folder, 'people.mkv');
  writeTracks(
    path,
    'matroska',
    TONES_HZ.map((frequencyHz) => ({ sound: tones([{ frequencyHz, durationMs: 500 }], RATE_HZ) })),
  );
  expect(await countChannels(path)).toBe(3);
  const options = { sampleRateHz: 16_000, maxDurationMs: 60_000, signal: new AbortController().signal };
  for (const channel of TONES_HZ.keys()) {
    const pieces = await Array.fromAsync(decodeAudio(path, { ...options, channel }), ({ samples }) => [...samples]);
    const levels = TONES_HZ.map((frequencyHz) => levelAt(Float32Array.from(pieces.flat()), frequencyHz));
    for (const [at, level] of levels.entries()) expect(level).toBeCloseTo(at === channel ? 0.5 : 0, 1);
  }
});

it('what the file says about its tracks is told', async () => {
  const path = join(folder, 'told.mkv');
  const sound = tones([{ frequencyHz: 300, durationMs: 500 }], RATE_HZ);
  writeTracks(path, 'matroska', [
    { sound, codec: 'dts', tags: { language: 'yue', title: 'Cinema' } },
    { sound, tags: yue },
  ]);
  const { tracks, codec } = await probeAudio(path, { maxDurationMs: 60_000 });
  expect(codec).toBe('pcm_s16le');
  expect(tracks).toEqual([
    { codec: 'dts', channels: 1, language: 'yue', title: 'Cinema', isUsed: false },
    { codec: 'pcm_s16le', channels: 1, language: 'yue', title: null, isUsed: true },
  ]);
});
