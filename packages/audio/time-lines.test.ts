import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeSync, encoding, noise, tones } from '#testbed/sound/audio.ts';
import { VIDEO_FORMATS, writeVideo } from '#test/video-file.ts';
import { decodeAudio } from './decode.ts';
import { probeAudio } from './probe.ts';

const RATE_HZ = 16_000;
/** Beeps of 200 ms at these times of four seconds. */
const BEEPS_MS = [1_000, 2_000, 3_000];
const sound = tones(
  [0, 1, 2, 3].flatMap((second) => [
    { frequencyHz: second === 0 ? 0 : 400, durationMs: 200 },
    { frequencyHz: 0, durationMs: 800 },
  ]),
  48_000,
);
const TOLERANCE_MS = 20;

const ENCODINGS = {
  m4a: encoding('ipod', 'aac', AV_SAMPLE_FMT_FLTP),
  'm4a-fragments': encoding('ipod', 'aac', AV_SAMPLE_FMT_FLTP, { movflags: 'frag_keyframe+empty_moov' }),
  mov: encoding('mov', 'aac', AV_SAMPLE_FMT_FLTP),
  'mp4-opus': encoding('mp4', 'libopus', AV_SAMPLE_FMT_S16),
  'mp4-mp3': encoding('mp4', 'libmp3lame', AV_SAMPLE_FMT_FLTP),
  webm: encoding('webm', 'libopus', AV_SAMPLE_FMT_S16),
  'webm-live': encoding('webm', 'libopus', AV_SAMPLE_FMT_S16, { live: '1', cluster_time_limit: '500' }),
  'webm-vorbis': encoding('webm', 'libvorbis', AV_SAMPLE_FMT_FLTP),
  'mkv-aac': encoding('matroska', 'aac', AV_SAMPLE_FMT_FLTP),
  'mkv-flac': encoding('matroska', 'flac', AV_SAMPLE_FMT_S16),
  'mkv-pcm': encoding('matroska', 'pcm_s16le', AV_SAMPLE_FMT_S16),
  // A gap lies between two pages; within one, packets follow one another.
  'ogg-opus': encoding('ogg', 'libopus', AV_SAMPLE_FMT_S16, { page_duration: '20000' }),
  'ogg-vorbis': encoding('ogg', 'libvorbis', AV_SAMPLE_FMT_FLTP, { page_duration: '20000' }),
  'ogg-flac': encoding('ogg', 'flac', AV_SAMPLE_FMT_S16),
  'adts-aac': encoding('adts', 'aac', AV_SAMPLE_FMT_FLTP),
  wma: encoding('asf', 'wmav2', AV_SAMPLE_FMT_FLTP),
  'plain-mp3': encoding('mp3', 'libmp3lame', AV_SAMPLE_FMT_FLTP, { write_xing: '0' }),
};
type Format = keyof typeof ENCODINGS;
const FORMATS = Object.keys(ENCODINGS) as Format[];
/** Formats whose packets have no times in the file, or only one for many of them. */
const TIMELESS: readonly Format[] = ['adts-aac', 'plain-mp3', 'ogg-flac', 'wma'];
const TIMED = FORMATS.filter((format) => !TIMELESS.includes(format));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'time-lines-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function write(format: Format, retime: (startMs: number) => number | null = (startMs) => startMs): string {
  const path = join(folder, format);
  encodeSync(path, sound, { ...ENCODINGS[format], retime });
  return path;
}

/** Decodes a file; the times of loud samples and of those that begin a beep, in milliseconds. */
async function listen(path: string) {
  const signal = new AbortController().signal;
  const chunks = decodeAudio(path, { sampleRateHz: RATE_HZ, maxDurationMs: 36e6, signal });
  const beepsMs: number[] = [];
  const loudMs: number[] = [];
  let count = 0;
  let gapMs = 0;
  for (;;) {
    const step = await chunks.next();
    if (step.done === true) return { beepsMs, loudMs, durationMs: (count * 1_000) / RATE_HZ, gapMs };
    gapMs = step.value.gapMs ?? 0;
    for (const sample of step.value.samples) {
      const timeMs = (count * 1_000) / RATE_HZ;
      if (Math.abs(sample) > 0.1) {
        if (timeMs - (loudMs.at(-1) ?? -Infinity) > 100) beepsMs.push(timeMs);
        loudMs.push(timeMs);
      }
      count += 1;
    }
  }
}

type Heard = Omit<Awaited<ReturnType<typeof listen>>, 'loudMs'>;

const isNear = (a: number, b: number, tolerance: number) => Math.abs(a - b) <= tolerance;

/** Lists what is wrong with a recording. */
function faults({ beepsMs, durationMs, gapMs }: Heard, expected: Heard): string[] {
  const areRight =
    beepsMs.length === expected.beepsMs.length &&
    beepsMs.every((time, index) => isNear(time, expected.beepsMs[index]!, TOLERANCE_MS));
  return [
    ...(areRight ? [] : [`beeps at ${beepsMs.join(' ')} instead of ${expected.beepsMs.join(' ')}`]),
    ...(isNear(durationMs, expected.durationMs, 100) ? [] : [`${durationMs} ms`]),
    ...(isNear(gapMs, expected.gapMs, 100) ? [] : [`gaps of ${gapMs} ms`]),
  ];
}

/** Listens to all files and returns their faults by name. */
async function faultsOf(files: Iterable<[name: string, path: string]>, expected: Heard): Promise<object> {
  const found: Record<string, string[]> = {};
  for (const [name, path] of files) {
    const heard = await listen(path).catch((thrown: unknown) => String(thrown));
    const wrong = typeof heard === 'string' ? [heard] : faults(heard, expected);
    const { declaredDurationMs } = await probeAudio(path, { maxDurationMs: 36e6 });
    if (Math.abs((declaredDurationMs ?? 0) - expected.durationMs) > 150)
      wrong.push(`declares ${declaredDurationMs} ms`);
    if (wrong.length > 0) found[name] = wrong;
  }
  return found;
}

function* written(
  formats: readonly Format[],
  retime?: (startMs: number) => number | null,
): Generator<[string, string]> {
  for (const format of formats) yield [format, write(format, retime)];
}

it('a recording has its sounds at their times', async () => {
  expect(await faultsOf(written(FORMATS), { beepsMs: BEEPS_MS, durationMs: 4_000, gapMs: 0 })).toEqual({});
});

it('a sound track that begins later than the pictures counts from the start of the file', async () => {
  const expected = { beepsMs: BEEPS_MS.map((time) => time + 3_500), durationMs: 7_500, gapMs: 3_500 };
  const found = [];
  for (const format of VIDEO_FORMATS) {
    const path = join(folder, `film-${format}`);
    await writeVideo(path, sound, format, 3_500);
    found.push([format, path] as [string, string]);
  }
  expect(await faultsOf(found, expected)).toEqual({});
});

it('an empty edit before the only track counts as well', async () => {
  const expected = { beepsMs: BEEPS_MS.map((time) => time + 3_500), durationMs: 7_500, gapMs: 3_500 };
  expect(
    await faultsOf(
      written(['m4a', 'mov', 'mp4-opus'], (startMs) => startMs + 3_500),
      expected,
    ),
  ).toEqual({});
});

it('a gap is silence', async () => {
  const expected = { beepsMs: BEEPS_MS, durationMs: 4_000, gapMs: 500 };
  const files = written(TIMED, (startMs) => (startMs >= 1_350 && startMs < 1_850 ? null : startMs));
  expect(await faultsOf(files, expected)).toEqual({});
});

it('an AVI file that counts bytes has no gaps, though its frames are of different lengths', async () => {
  const path = join(folder, 'bytes.avi');
  const mp3 = encoding('avi', 'libmp3lame', AV_SAMPLE_FMT_FLTP);
  const noisy = structuredClone(sound);
  // Noise takes large frames, which come too late by their bytes, and silence takes small ones.
  noisy.channels[0]!.set(noise(600, 0.03, sound.sampleRateHz).channels[0]!, 0.3 * sound.sampleRateHz);
  encodeSync(path, noisy, { ...mp3, codecOptions: { flags: '+qscale', global_quality: '590' } });
  const bytes = await readFile(path);
  const dataBytes = bytes.readUInt32LE(bytes.indexOf('movi') - 4);
  const stream = bytes.indexOf('strh') + 8;
  const [scale, rate, length, sampleBytes] = [stream + 20, stream + 24, stream + 32, stream + 44];
  bytes.writeUInt32LE(1, scale);
  bytes.writeUInt32LE(Math.round(dataBytes / 4), rate);
  bytes.writeUInt32LE(dataBytes, length);
  bytes.writeUInt32LE(1, sampleBytes);
  bytes.writeUInt16LE(1, bytes.indexOf('strf') + 8 + 12);
  await writeFile(path, bytes);
  const heard = await listen(path);
  expect(faults(heard, { beepsMs: BEEPS_MS, durationMs: 4_000, gapMs: 0 })).toEqual([]);
});

it('an AVI file has no gaps where its header rounds the length of a frame', async () => {
  const path = join(folder, 'frames.avi');
  encodeSync(path, sound, encoding('avi', 'libmp3lame', AV_SAMPLE_FMT_FLTP));
  const bytes = await readFile(path);
  // Frames last 24 ms.
  const stream = bytes.indexOf('strh') + 8;
  bytes.writeUInt32LE(1, stream + 20);
  bytes.writeUInt32LE(40, stream + 24);
  await writeFile(path, bytes);
  const heard = await listen(path);
  expect(faults(heard, { beepsMs: BEEPS_MS, durationMs: 4_000, gapMs: 0 })).toEqual([]);
});

it('Windows Media of the encoder of FFmpeg is on time in the files of every program', async () => {
  const path = join(folder, 'other.wma');
  const bytes = await readFile(write('wma'));
  bytes.write('Else', bytes.indexOf('Lavf', 0, 'utf16le'), 'utf16le');
  await writeFile(path, bytes);
  const wav = join(folder, 'wma.wav');
  encodeSync(wav, sound, encoding('wav', 'wmav2', AV_SAMPLE_FMT_FLTP));
  const expected = { beepsMs: BEEPS_MS, durationMs: 4_000, gapMs: 0 };
  expect([...faults(await listen(path), expected), ...faults(await listen(wav), expected)]).toEqual([]);
});

it('a stream that was joined in its middle begins with its first sound', async () => {
  const streams: Format[] = ['webm', 'webm-live', 'mkv-aac', 'ogg-opus', 'ogg-vorbis', 'ogg-flac', 'm4a-fragments'];
  const expected = { beepsMs: BEEPS_MS, durationMs: 4_000, gapMs: 0 };
  expect(
    await faultsOf(
      written(streams, (startMs) => startMs + 5_000_000),
      expected,
    ),
  ).toEqual({});
});

it('recordings that were joined in an Ogg file are all decoded, also with another codec or rate', async () => {
  const parts = ['ogg-vorbis', 'ogg-opus', 'ogg-vorbis'] as const;
  const bytes = await Promise.all(parts.map((format) => readFile(write(format))));
  const slower = join(folder, 'slower.ogg');
  encodeSync(slower, tones([{ frequencyHz: 400, durationMs: 200 }], 22_050), ENCODINGS['ogg-vorbis']);
  const path = join(folder, 'chain.ogg');
  await writeFile(path, Buffer.concat([...bytes, await readFile(slower)]));
  const beepsMs = [0, 4_000, 8_000].flatMap((startMs) => BEEPS_MS.map((time) => time + startMs));
  const heard = await listen(path);
  expect(faults(heard, { beepsMs: [...beepsMs, 12_000], durationMs: 12_200, gapMs: 0 })).toEqual([]);
});

it('the first packets of Opus in MP4 are kept when only the header of the codec wants them skipped', async () => {
  const path = join(folder, 'chromium.mp4');
  const muxerOptions = { movflags: 'frag_keyframe+empty_moov' };
  encodeSync(path, tones([{ frequencyHz: 400, durationMs: 500 }], 48_000), { ...ENCODINGS['mp4-opus'], muxerOptions });
  const bytes = await readFile(path);
  // 80 ms, as Chromium's MediaRecorder writes; the box begins with its version and the channels.
  bytes.writeUInt16BE(3_840, bytes.indexOf('dOps') + 4 + 2);
  await writeFile(path, bytes);
  const heard = await listen(path);
  expect(faults(heard, { beepsMs: [7], durationMs: 520, gapMs: 0 })).toEqual([]);
});

/**
 * Frames of the adaptive multi-rate codec: a header byte and any content (RFC 4867, section 5.3).
 */
const AMR_FRAMES = {
  nb: { magic: '#!AMR\n', speech: [0x3c, 31], noise: [0x44, 5] },
  wb: { magic: '#!AMR-WB\n', speech: [0x44, 60], noise: [0x4c, 5] },
} as const;
const amrFrame = ([header, size]: readonly [number, number], content: number) =>
  Buffer.concat([Buffer.from([header]), Buffer.alloc(size, content)]);
const NO_DATA = Buffer.from([0x7c]);

it.each(['nb', 'wb'] as const)('pauses for which a phone sends no speech are silence: AMR-%s', async (band) => {
  const { magic, speech, noise } = AMR_FRAMES[band];
  // A second of speech, a second with a description of the noise in every eighth packet, speech.
  const frames = Array.from({ length: 150 }, (_, index) =>
    index < 50 || index >= 100 ? amrFrame(speech, index * 37) : index % 8 === 2 ? amrFrame(noise, 0) : NO_DATA,
  );
  const path = join(folder, `phone-${band}`);
  await writeFile(path, Buffer.concat([Buffer.from(magic, 'latin1'), ...frames]));
  const { durationMs, gapMs, loudMs } = await listen(path);
  expect({ durationMs, gapMs }).toEqual({ durationMs: 3_000, gapMs: 0 });
  expect(loudMs.filter((time) => time > 1_010 && time < 1_990)).toEqual([]);
  for (const speechMs of [0, 2_000])
    expect(loudMs.some((time) => time >= speechMs && time < speechMs + 900)).toBe(true);
});

/** Identifiers of a cluster and of its timestamp in milliseconds (RFC 9559). */
const CLUSTER = Buffer.from('1f43b675', 'hex');
const CLUSTER_TIMESTAMP = 0xe7;

/** Writes a live recording in clusters of half a second, and changes the times of these. */
async function writeClusters(retime: (startMs: number) => number): Promise<string> {
  const path = write('webm-live');
  const bytes = await readFile(path);
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(CLUSTER); at >= 0; at = bytes.indexOf(CLUSTER, at + 1)) {
    // Bits that are all ones leave the size of the cluster open.
    const sizeAt = at + CLUSTER.length;
    const sizeBytes = Math.clz32(bytes.readUInt8(sizeAt)) - 23;
    bytes.fill(0xff, sizeAt, sizeAt + sizeBytes).writeUInt8(0xff >> (sizeBytes - 1), sizeAt);
    const valueAt = bytes.indexOf(CLUSTER_TIMESTAMP, sizeAt + sizeBytes) + 2;
    const length = bytes.readUInt8(valueAt - 1) & 0x7f;
    const value = Buffer.alloc(8);
    value.writeBigUInt64BE(BigInt(retime(bytes.readUIntBE(valueAt, length))));
    pieces.push(bytes.subarray(from, valueAt - 1), Buffer.from([0x88]), value);
    from = valueAt + length;
  }
  await writeFile(path, Buffer.concat([...pieces, bytes.subarray(from)]));
  return path;
}

it('a clock that jumps by a day, or begins again, is continued', async () => {
  const expected = { beepsMs: BEEPS_MS, durationMs: 4_000, gapMs: 0 };
  const dayLater = await writeClusters((startMs) => startMs + (startMs < 1_500 ? 0 : 93_600_000));
  expect(await faultsOf([['a day later', dayLater]], expected)).toEqual({});
  const again = await writeClusters((startMs) => startMs - (startMs < 2_500 ? 0 : 2_500));
  expect(await faultsOf([['again', again]], expected)).toEqual({});
});

it('frames that overlap are all kept, and the next gap is shorter', async () => {
  const overlap = await listen(await writeClusters((startMs) => (startMs < 1_500 ? startMs : startMs - 300)));
  expect(faults(overlap, { beepsMs: BEEPS_MS, durationMs: 4_000, gapMs: 0 })).toEqual([]);
  const path = await writeClusters((startMs) => startMs + (startMs < 1_500 ? 0 : startMs < 2_500 ? -300 : 400));
  const gap = await listen(path);
  expect(faults(gap, { beepsMs: [1_000, 2_000, 3_400], durationMs: 4_400, gapMs: 400 })).toEqual([]);
});
