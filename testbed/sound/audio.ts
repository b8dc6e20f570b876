import { writeFile } from 'node:fs/promises';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S32,
} from 'node-av/constants';
import type { AVSampleFormat, FFAudioEncoder } from 'node-av/constants';
import {
  avChannelLayoutDefault,
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Log,
  Packet,
  Rational,
} from 'node-av/lib';
import { AppError } from '@jyutsing/contracts/errors';

// Silence the encoders' log output in test results.
Log.setLevel(AV_LOG_QUIET);

/** Sound of tests: one Float32Array a channel, −1..1. */
export type Sound = { sampleRateHz: number; channels: Float32Array[] };

/**
 * The upload formats, with both codecs of ogg, both positions of an m4a's index, and WebM with and
 * without a duration (as browsers record it).
 */
export const FIXTURE_FORMATS = [
  ...(['wav', 'mp3', 'm4a', 'm4a-index-first', 'flac', 'ogg-vorbis', 'ogg-opus'] as const),
  ...(['webm', 'webm-live', 'mkv', 'mov', 'aac', 'aiff', 'caf', 'wma'] as const),
] as const;
export type FixtureFormat = (typeof FIXTURE_FORMATS)[number];

type Encoding = {
  muxer: string;
  codec: FFAudioEncoder;
  sampleFormat: AVSampleFormat;
  muxerOptions: Record<string, string>;
  codecOptions?: Record<string, string>;
  /** Returns the time at which a packet is written instead of its own; null leaves it out. */
  retime?: (startMs: number) => number | null;
};

const ENCODERS: Record<FixtureFormat, Encoding> = {
  wav: encoding('wav', 'pcm_s16le', AV_SAMPLE_FMT_S16),
  mp3: encoding('mp3', 'libmp3lame', AV_SAMPLE_FMT_FLTP),
  m4a: encoding('ipod', 'aac', AV_SAMPLE_FMT_FLTP),
  'm4a-index-first': encoding('ipod', 'aac', AV_SAMPLE_FMT_FLTP, { movflags: '+faststart' }),
  flac: encoding('flac', 'flac', AV_SAMPLE_FMT_S16),
  'ogg-vorbis': encoding('ogg', 'libvorbis', AV_SAMPLE_FMT_FLTP),
  'ogg-opus': encoding('ogg', 'libopus', AV_SAMPLE_FMT_S16),
  webm: encoding('webm', 'libopus', AV_SAMPLE_FMT_S16),
  'webm-live': encoding('webm', 'libopus', AV_SAMPLE_FMT_S16, { live: '1' }),
  mkv: encoding('matroska', 'aac', AV_SAMPLE_FMT_FLTP),
  mov: encoding('mov', 'pcm_s16be', AV_SAMPLE_FMT_S16),
  aac: encoding('adts', 'aac', AV_SAMPLE_FMT_FLTP),
  aiff: encoding('aiff', 'pcm_s16be', AV_SAMPLE_FMT_S16),
  caf: encoding('caf', 'pcm_s16be', AV_SAMPLE_FMT_S16),
  wma: encoding('asf', 'wmav2', AV_SAMPLE_FMT_FLTP),
};

/** Muxers that need the codec configuration in their header; the others accept it, but for ADTS. */
const GLOBAL_HEADER_MUXERS = ['ipod', 'mp4', 'flac', 'webm', 'matroska', 'mov', 'caf', 'asf'];

export function encoding(
  muxer: string,
  codec: string,
  sampleFormat: AVSampleFormat,
  muxerOptions: Record<string, string> = {},
): Encoding {
  return { muxer, codec: codec as FFAudioEncoder, sampleFormat, muxerOptions };
}

const WAV_HEADER_BYTES = 44;

/** Makes `segments` of tone (Hz) or silence (0) in sequence, with soft edges against clicks. */
export function tones(
  segments: readonly { frequencyHz: number; durationMs: number; level?: number }[],
  sampleRateHz = 16_000,
): Sound {
  const lengths = segments.map((segment) => Math.round((segment.durationMs * sampleRateHz) / 1_000));
  const samples = new Float32Array(lengths.reduce((sum, length) => sum + length, 0));
  const fade = sampleRateHz / 200;
  let at = 0;
  for (const [index, { frequencyHz, level = 0.5 }] of segments.entries()) {
    const length = lengths[index] ?? 0;
    for (let i = 0; i < length; i += 1) {
      const edge = Math.min(1, i / fade, (length - 1 - i) / fade);
      samples[at + i] = level * edge * Math.sin((2 * Math.PI * frequencyHz * i) / sampleRateHz);
    }
    at += length;
  }
  return { sampleRateHz, channels: [samples] };
}

export function silence(durationMs: number, sampleRateHz = 16_000): Sound {
  return tones([{ frequencyHz: 0, durationMs }], sampleRateHz);
}

/** White noise by a fixed generator, so that a failing test fails again. */
export function noise(durationMs: number, level: number, sampleRateHz = 16_000): Sound {
  const samples = new Float32Array(Math.round((durationMs * sampleRateHz) / 1_000));
  let state = 1;
  for (let i = 0; i < samples.length; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    samples[i] = level * (state / 2 ** 31 - 1);
  }
  return { sampleRateHz, channels: [samples] };
}

/** A wav of 16-bit samples, header and all. */
export function wavBytes({ sampleRateHz, channels }: Sound): Buffer {
  const frames = channels[0]?.length ?? 0;
  const blockBytes = channels.length * 2;
  const bytes = Buffer.alloc(WAV_HEADER_BYTES + frames * blockBytes);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + frames * blockBytes, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels.length, 22);
  bytes.writeUInt32LE(sampleRateHz, 24);
  bytes.writeUInt32LE(sampleRateHz * blockBytes, 28);
  bytes.writeUInt16LE(blockBytes, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(frames * blockBytes, 40);
  let at = WAV_HEADER_BYTES;
  for (let i = 0; i < frames; i += 1) {
    for (const channel of channels) {
      bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, channel[i] ?? 0)) * 32_767), at);
      at += 2;
    }
  }
  return bytes;
}

/**
 * Writes `sound` to `path` in one of the upload formats, through the codec library itself, so that
 * tests need no other program.
 */
export async function writeSound(path: string, sound: Sound, format: FixtureFormat): Promise<void> {
  if (format === 'wav') await writeFile(path, wavBytes(sound));
  else encodeSync(path, sound, ENCODERS[format]);
}

/**
 * Encodes `sound` to a file. `addStreams` may add others before the header is written and returns
 * what writes their packets.
 */
export function encodeSync(
  path: string,
  sound: Sound,
  soundEncoding: Encoding,
  addStreams?: (output: FormatContext) => () => void,
): void {
  const { muxer, codec: codecName, sampleFormat, muxerOptions, codecOptions = {} } = soundEncoding;
  const { retime = (startMs) => startMs } = soundEncoding;
  const codec = Codec.findEncoderByName(codecName);
  if (codec === null) throw new AppError('internal_error', `The codec library has no encoder ${codecName}.`);
  const output = new FormatContext();
  using encoder = new CodecContext();
  using packet = new Packet();
  check(output.allocOutputContext2(null, muxer, path));
  encoder.allocContext3(codec);
  encoder.sampleRate = sound.sampleRateHz;
  encoder.channelLayout = avChannelLayoutDefault(sound.channels.length);
  encoder.sampleFormat = sampleFormat;
  encoder.timeBase = new Rational(1, sound.sampleRateHz);
  encoder.bitRate = 64_000n;
  if (GLOBAL_HEADER_MUXERS.includes(muxer)) encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  for (const [name, value] of Object.entries(codecOptions)) check(encoder.setOption(name, value));
  check(encoder.open2Sync(codec, null));
  const stream = output.newStream(null);
  check(stream.codecpar.fromContext(encoder));
  stream.timeBase = encoder.timeBase;
  const writeOthers = addStreams?.(output);
  check(output.openOutputSync());
  check(output.writeHeaderSync(Dictionary.fromObject(muxerOptions)));
  writeOthers?.();
  packet.alloc();
  const drain = () => {
    while (encoder.receivePacketSync(packet) >= 0) {
      const startMs = (Number(packet.pts) * 1_000) / sound.sampleRateHz;
      const newStartMs = retime(startMs);
      if (newStartMs === null) continue;
      const shift = BigInt(Math.round(((newStartMs - startMs) * sound.sampleRateHz) / 1_000));
      packet.pts += shift;
      packet.dts += shift;
      packet.streamIndex = stream.index;
      packet.rescaleTs(encoder.timeBase, stream.timeBase);
      check(output.interleavedWriteFrameSync(packet));
      packet.unref();
    }
  };
  const frameLength = encoder.frameSize > 0 ? encoder.frameSize : 1_024;
  const total = sound.channels[0]?.length ?? 0;
  for (let at = 0; at < total; at += frameLength) {
    const pieces = sound.channels.map((channel) => channel.subarray(at, at + frameLength));
    using frame = Frame.fromAudioBuffer(frameBytes(pieces, sampleFormat), {
      nbSamples: pieces[0]?.length ?? 0,
      format: sampleFormat,
      sampleRate: sound.sampleRateHz,
      channelLayout: encoder.channelLayout,
      timeBase: encoder.timeBase,
      pts: BigInt(at),
    });
    check(encoder.sendFrameSync(frame));
    drain();
  }
  check(encoder.sendFrameSync(null));
  drain();
  check(output.writeTrailerSync());
  output.closeOutputSync();
  output.freeContext();
}

/**
 * Converts the samples of one frame to the encoder's layout: planar floats or integers of 32 bits
 * (interleaved ones of one channel are the same), or interleaved 16-bit.
 */
function frameBytes(channels: Float32Array[], sampleFormat: AVSampleFormat): Buffer {
  const length = channels[0]?.length ?? 0;
  if (sampleFormat === AV_SAMPLE_FMT_FLTP || sampleFormat === AV_SAMPLE_FMT_FLT) {
    return Buffer.concat(channels.map((channel) => Buffer.from(channel.buffer, channel.byteOffset, length * 4)));
  }
  if (sampleFormat === AV_SAMPLE_FMT_S32) {
    const scale = 2 ** 31 - 1;
    return Buffer.concat(
      channels.map((channel) => Buffer.from(Int32Array.from(channel, (sample) => sample * scale).buffer)),
    );
  }
  return wavBytes({ sampleRateHz: 16_000, channels }).subarray(WAV_HEADER_BYTES);
}

export function check(code: number): void {
  if (code < 0) throw new AppError('internal_error', `The codec library failed: ${FFmpegError.strerror(code)}.`);
}
