import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import {
  FIXTURE_FORMATS,
  noise,
  silence,
  tones,
  wavBytes,
  writeSound,
  type FixtureFormat,
} from '#testbed/sound/audio.ts';
import { writeVideo } from '#test/video-file.ts';
import { decodeAudio } from './decode.ts';
import { probeAudio } from './probe.ts';

const limits = { maxDurationMs: 3_600_000 };
const sound = tones([
  { frequencyHz: 440, durationMs: 1_500 },
  { frequencyHz: 660, durationMs: 1_500 },
]);
const CONTAINER_OF: Record<FixtureFormat, string> = {
  wav: 'wav',
  mp3: 'mp3',
  m4a: 'm4a',
  'm4a-index-first': 'm4a',
  flac: 'flac',
  'ogg-vorbis': 'ogg',
  'ogg-opus': 'ogg',
  webm: 'webm',
  'webm-live': 'webm',
  mkv: 'webm',
  mov: 'm4a',
  aac: 'aac',
  aiff: 'aiff',
  caf: 'caf',
  wma: 'wma',
};
/** Formats that do not state how much of the first and last AAC frame is padding. */
const PADDED: readonly FixtureFormat[] = ['mkv', 'aac'];
const AAC_FRAME_MS = 64;
let folder = '';
const file = (name: string) => join(folder, name);
const write = async (name: string, content: Buffer | string) => {
  await writeFile(file(name), content);
  return file(name);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audio-test-'));
  // File names deliberately contradict the content.
  for (const format of FIXTURE_FORMATS) await writeSound(file(`${format}.txt`), sound, format);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function decode(path: string, changes: Partial<Parameters<typeof decodeAudio>[1]> = {}) {
  return decodeAudio(path, { sampleRateHz: 16_000, ...limits, signal: new AbortController().signal, ...changes });
}

async function collect(chunks: AsyncIterable<PcmChunk>): Promise<Float32Array> {
  const all: number[] = [];
  for await (const chunk of chunks) {
    expect(chunk.sampleRateHz).toBe(16_000);
    expect(chunk.startMs).toBeCloseTo((all.length * 1_000) / 16_000);
    expect(chunk.samples.length).toBeLessThanOrEqual(16_000);
    for (const sample of chunk.samples) all.push(sample);
  }
  return Float32Array.from(all);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => 'no error',
    (error: unknown) => error,
  );
  return thrown instanceof AppError ? thrown.code : String(thrown);
}

const probeCode = (path: string) => codeOf(probeAudio(path, limits));
const decodeCode = (path: string) => codeOf(collect(decode(path)));

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Returns the share of the power at one frequency (Goertzel as a plain correlation). */
function shareAt(samples: Float32Array, frequencyHz: number): number {
  let re = 0;
  let im = 0;
  let power = 0;
  for (const [i, sample] of samples.entries()) {
    re += sample * Math.cos((2 * Math.PI * frequencyHz * i) / 16_000);
    im += sample * Math.sin((2 * Math.PI * frequencyHz * i) / 16_000);
    power += sample * sample;
  }
  return (2 * (re * re + im * im)) / (power * samples.length);
}

describe.each(FIXTURE_FORMATS)('%s', (format) => {
  it('is known by its content and declares its duration', async () => {
    const info = await probeAudio(file(`${format}.txt`), limits);
    expect(info.container).toBe(CONTAINER_OF[format]);
    expect(info.channels).toBe(1);
    expect(info.declaredDurationMs).toBeGreaterThan(2_950);
    expect(info.declaredDurationMs).toBeLessThan(3_050 + (PADDED.includes(format) ? AAC_FRAME_MS : 0));
  });

  it('decodes to the sound that went in', async () => {
    const samples = await collect(decode(file(`${format}.txt`)));
    expect(Math.abs(samples.length - 48_000)).toBeLessThan(1_600);
    expect(shareAt(samples.subarray(4_000, 20_000), 440)).toBeGreaterThan(0.9);
    expect(shareAt(samples.subarray(28_000, 44_000), 660)).toBeGreaterThan(0.9);
    expect(rms(samples)).toBeCloseTo(0.5 / Math.SQRT2, 1);
  });

  it('is refused when it is longer than allowed', async () => {
    const short = { maxDurationMs: 1_000 };
    expect(await codeOf(probeAudio(file(`${format}.txt`), short))).toBe('audio_too_long');
    expect(await codeOf(collect(decode(file(`${format}.txt`), short)))).toBe('audio_too_long');
  });

  it('stops when aborted', async () => {
    const abort = new AbortController();
    const chunks = decode(file(`${format}.txt`), { signal: abort.signal });
    await chunks.next();
    abort.abort(new AppError('client_closed_request'));
    expect(await codeOf(collect(chunks))).toBe('client_closed_request');
  });
});

describe('channels and rates', () => {
  const mono = tones([{ frequencyHz: 500, durationMs: 1_000 }], 44_100).channels[0] ?? new Float32Array(0);
  const silence = new Float32Array(mono.length);

  it.each([
    ['the same sound in both channels keeps its level', [mono, mono], 1],
    ['audio in one of two channels comes out at half its level', [silence, mono], 0.5],
  ])('%s', async (_, channels, factor) => {
    const path = await write('stereo.wav', wavBytes({ sampleRateHz: 44_100, channels }));
    const samples = await collect(decode(path));
    expect(rms(samples.subarray(1_000, 15_000))).toBeCloseTo((0.5 * factor) / Math.SQRT2, 2);
    expect(shareAt(samples.subarray(1_000, 15_000), 500)).toBeGreaterThan(0.99);
  });

  it('768 kHz in eight channels is refused, because a small file would cost seconds of work', async () => {
    const channels = Array.from({ length: 8 }, () => new Float32Array(768));
    const path = await write('dense.wav', wavBytes({ sampleRateHz: 768_000, channels }));
    const message = 'The recording has 8 channels at 768000 Hz; at most 768000 samples per second';
    await expect(probeAudio(path, limits)).rejects.toThrow(message);
    await expect(collect(decode(path))).rejects.toThrow(message);
  });

  it.each([3, 6, 8, 12])('each of %i channels is mixed in', async (count) => {
    const all = Array.from({ length: count }, () => mono);
    const path = await write('many.wav', wavBytes({ sampleRateHz: 44_100, channels: all }));
    const samples = await collect(decode(path));
    expect(rms(samples.subarray(1_000, 15_000))).toBeCloseTo(0.5 / Math.SQRT2, 1);
  });

  it.each([8_000, 11_025, 22_050, 48_000, 96_000])(
    '%i Hz becomes 16 kHz without gain or loss',
    async (sampleRateHz) => {
      const path = await write('rate.wav', wavBytes(tones([{ frequencyHz: 500, durationMs: 2_000 }], sampleRateHz)));
      const samples = await collect(decode(path));
      expect(Math.abs(samples.length - 32_000)).toBeLessThan(100);
      expect(shareAt(samples.subarray(2_000, 30_000), 500)).toBeGreaterThan(0.99);
    },
  );

  it('float samples beyond full scale and not-a-numbers become sound', async () => {
    const bytes = wavBytes({ sampleRateHz: 16_000, channels: [mono, mono] });
    bytes.writeUInt16LE(3, 20);
    bytes.writeUInt16LE(1, 22);
    bytes.writeUInt16LE(32, 34);
    for (let i = 0; i < 100; i += 1) bytes.writeFloatLE([NaN, 1e30, -Infinity, 0.5][i % 4] ?? 0, 44 + i * 4);
    const samples = await collect(decode(await write('float.wav', bytes)));
    expect(samples.every((sample) => sample >= -1 && sample <= 1)).toBe(true);
  });
});

describe('content that is not accepted audio is unsupported_audio_format', () => {
  const m3u8 = '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n';
  it.each([
    ['an empty file', ''],
    ['zeros', Buffer.alloc(5_000)],
    ['text', 'This is a text, and it says so in the first line.\n'.repeat(200)],
    ['a PDF', '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'],
    ['an HLS playlist', m3u8],
    ['a concat list', `ffconcat version 1.0\nfile 'wav.txt'\n`],
    ['a DASH manifest', '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>'],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')],
    ['noise', Buffer.from(noise(500, 1).channels[0]?.buffer ?? new ArrayBuffer(0))],
  ])('%s', async (_, content) => {
    const path = await write('foreign.wav', content);
    expect(await probeCode(path)).toBe('unsupported_audio_format');
    expect(await decodeCode(path)).toBe('unsupported_audio_format');
  });

  it('a video without sound', async () => {
    const bytes = await readFile(file('m4a.txt'));
    bytes.write('vide', bytes.indexOf('soun'), 'latin1');
    expect(await probeCode(await write('video.m4a', bytes))).toMatch(/unsupported_audio_format|corrupt_audio/);
  });

  it.each([
    ['%PDF-1.7\n', /^The file is not audio but a PDF document; send wav, mp3, .*webm.*mkv.* video\.$/],
    ['<!DOCTYPE html><html>', /^The file is not audio but an HTML page; send /],
    ['PK\x03\x04rest', /^The file is not audio but a ZIP archive or an Office document; send /],
    ['tBaK\0\0', /^The file is TAK sound, which is not accepted; send /],
    ['', /^The file is not audio but empty; send /],
    ['\x80\x81\x82\x83'.repeat(10), /^The file is not audio but data of an unknown format; send /],
  ])('the message names what %j is and what is accepted', async (content, message) => {
    await expect(probeAudio(await write('named', content), limits)).rejects.toThrow(message);
  });
});

describe('sound of phones', () => {
  it('AMR is decoded', async () => {
    // 12.2 kbit/s: a header byte and 31 bytes for each 20 ms; any content is a valid frame.
    const frames = Array.from({ length: 100 }, (_, i) =>
      Buffer.from([0x3c, ...Array<number>(31).fill((i * 37) % 256)]),
    );
    const path = await write('voice.amr', Buffer.concat([Buffer.from('#!AMR\n'), ...frames]));
    expect(await probeAudio(path, limits)).toMatchObject({ container: 'amr', codec: 'amr_nb', sampleRateHz: 8_000 });
    expect((await collect(decode(path))).length / 16).toBeCloseTo(2_000, -2);
  });

  it.each(['mp4', 'mov', 'matroska'] as const)('the sound track of a video in %s is decoded', async (muxer) => {
    const path = file(`film.${muxer}`);
    await writeVideo(path, tones([{ frequencyHz: 440, durationMs: 2_000 }], 16_000), muxer);
    expect(await probeAudio(path, limits)).toMatchObject({ codec: 'aac', channels: 1 });
    expect(shareAt((await collect(decode(path))).subarray(4_000, 28_000), 440)).toBeGreaterThan(0.9);
  });
});

const NEW_MAGIC = ['\x1aE\xdf\xa3\x01', '#!AMR\n', 'FORM\0\0\0\x04AIFF', 'caff\0\x01\0\0', '0&\xb2u\x8ef\xcf\x11'];

describe('damaged files are reported differently from foreign ones', () => {
  it('a header without sound is empty', async () => {
    const empty = await write('empty.wav', wavBytes(silence(0)));
    expect(await probeCode(empty)).toBe('empty_audio');
    expect(await decodeCode(empty)).toBe('empty_audio');
  });

  it('a magic number with no content after it is corrupt', async () => {
    for (const magic of ['RIFF\0\0\0\0WAVE', 'fLaC', 'OggS', '\0\0\0\x20ftypM4A ', ...NEW_MAGIC]) {
      expect(await probeCode(await write('stub', Buffer.from(magic, 'latin1')))).toMatch(/corrupt_audio|empty_audio/);
    }
  });

  it('overwritten middles of a lossy file are corrupt, a single scratch is not', async () => {
    const bytes = await readFile(file('mp3.txt'));
    const scratched = Buffer.from(bytes).fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 60);
    expect(await decodeCode(await write('scratched.mp3', scratched))).toBe('no error');
    const ruined = Buffer.from(bytes).fill(0x55, 3_000, bytes.length - 1_000);
    expect(await decodeCode(await write('ruined.mp3', ruined))).toBe('corrupt_audio');
  });

  it('a duration that no header declares is found by counting packets', async () => {
    const bytes = await readFile(file('mp3.txt'));
    // Drop the first frame, which holds the encoder's frame count.
    const id3Bytes = 10 + bytes.readUInt32BE(6);
    expect(bytes.toString('latin1', 0, 3)).toBe('ID3');
    const stripped = bytes.subarray(id3Bytes + 100);
    const info = await probeAudio(await write('stripped.mp3', stripped), limits);
    expect(info.declaredDurationMs).toBeGreaterThan(2_800);
    expect(info.declaredDurationMs).toBeLessThan(3_200);
  });

  it('a wav from a pipe, written without a size, is read to its end', async () => {
    const bytes = wavBytes(sound);
    bytes.writeUInt32LE(0xffff_ffff, 4);
    bytes.writeUInt32LE(0xffff_ffff, 40);
    const path = await write('piped.wav', bytes);
    expect((await probeAudio(path, limits)).declaredDurationMs).toBeCloseTo(3_000, -1);
    expect((await collect(decode(path))).length).toBe(48_000);
  });

  it('an m4a that keeps its sound in another file is refused, and the other file is not read', async () => {
    const path = await write(
      'elsewhere.m4a',
      withSoundElsewhere(await readFile(file('m4a.txt')), 'm4a-index-first.txt'),
    );
    expect(await probeCode(path)).toMatch(/^(corrupt_audio|empty_audio)$/);
    expect(await decodeCode(path)).toMatch(/^(corrupt_audio|empty_audio)$/);
  });
});

/**
 * Replaces the data reference of an m4a ("in this file") by an alias record that names another file
 * in the same folder.
 */
function withSoundElsewhere(bytes: Buffer, name: string): Buffer {
  const at = bytes.indexOf('url ') - 4;
  const alias = Buffer.alloc(8 + 4 + 10 + 28 + 12 + 64 + 16 + 4 + 16 + 4 + name.length + (name.length % 2) + 4);
  alias.writeUInt32BE(alias.length, 0);
  alias.write('alis', 4, 'latin1');
  alias.writeUInt8(name.length, 62);
  alias.write(name, 63, 'latin1');
  // The alias and its target are one folder below the common one: the same folder.
  alias.writeUInt16BE(1, 142);
  alias.writeUInt16BE(1, 144);
  alias.writeInt16BE(2, 162);
  alias.writeUInt16BE(name.length, 164);
  alias.write(name, 166, 'latin1');
  alias.writeInt16BE(-1, alias.length - 4);
  const changed = Buffer.concat([bytes.subarray(0, at), alias, bytes.subarray(at + 12)]);
  for (const box of ['dref', 'dinf', 'minf', 'mdia', 'trak', 'moov']) {
    const start = changed.lastIndexOf(box, at) - 4;
    changed.writeUInt32BE(changed.readUInt32BE(start) + alias.length - 12, start);
  }
  return changed;
}
