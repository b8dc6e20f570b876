import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_FLAG_QSCALE,
  AV_LOG_QUIET,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  type FFAudioEncoder,
} from 'node-av/constants';
import { avChannelLayoutDefault, Codec, CodecContext, Frame, Log, Packet, Rational } from 'node-av/lib';
import { AppError } from '@jyutsing/contracts/errors';
import { toInt16Bytes } from './sample-values.ts';

// Silence the library, which logs to stderr.
Log.setLevel(AV_LOG_QUIET);

export type CodecSettings = {
  /** Name of the codec in the library. */
  encoder: string;
  sampleRateHz: number;
  /** Sample format of the encoder's input; only these two are needed. */
  samples: 'float' | 's16';
  /** Constant bit rate in bits per second, or a quality at a variable rate. */
  bitRate?: number;
  quality?: number;
  /** Options of this encoder. */
  options?: Record<string, string>;
};

/** An encoded packet. The first ones start before sample 0 when the encoder has a delay. */
export type CodecPacket = { data: Uint8Array; startSample: number; sampleCount: number };

/** One encoder of the codec library, for mono sound. */
type PacketEncoder = {
  /** Returns the codec configuration for decoders (extradata); complete after `finish`. */
  setup(): Uint8Array;
  push(samples: Float32Array): CodecPacket[];
  finish(): CodecPacket[];
  /** Frees the encoder; may be called more than once. Call nothing else afterwards. */
  close(): void;
};

/** Frame length of encoders that accept any length. */
const FREE_FRAME_SAMPLES = 1_024;
/** The library's unit of quality. */
const LAMBDA_PER_QUALITY = 118;

/** Samples must be within −1..1. Throws `engine_failed` when the codec library fails. */
export function createPacketEncoder(settings: CodecSettings): PacketEncoder {
  const context = openContext(settings);
  const packet = new Packet();
  packet.alloc();
  const channelLayout = avChannelLayoutDefault(1);
  const timeBase = new Rational(1, settings.sampleRateHz);
  const isFloat = settings.samples === 'float';
  const pending = new Float32Array(context.frameSize > 0 ? context.frameSize : FREE_FRAME_SAMPLES);
  let filled = 0;
  let sentSamples = 0;
  let isClosed = false;

  const drain = (packets: CodecPacket[]) => {
    for (;;) {
      packet.unref();
      if (context.receivePacketSync(packet) < 0) return;
      const { data } = packet;
      if (data === null || data.length === 0) continue;
      packets.push({
        data: Uint8Array.from(data),
        startSample: Number(packet.pts),
        sampleCount: Number(packet.duration),
      });
    }
  };
  const send = (packets: CodecPacket[]) => {
    const samples = pending.subarray(0, filled);
    using frame = Frame.fromAudioBuffer(isFloat ? floatBytes(samples) : toInt16Bytes(samples), {
      nbSamples: filled,
      format: isFloat ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16,
      sampleRate: settings.sampleRateHz,
      channelLayout,
      timeBase,
      pts: BigInt(sentSamples),
    });
    if (context.sendFrameSync(frame) < 0) throw codecFailure('the encoder refused sound');
    sentSamples += filled;
    filled = 0;
    drain(packets);
  };

  return {
    setup: () => Uint8Array.from(context.extraData ?? []),
    push(samples) {
      const packets: CodecPacket[] = [];
      for (let at = 0; at < samples.length;) {
        const take = Math.min(samples.length - at, pending.length - filled);
        pending.set(samples.subarray(at, at + take), filled);
        at += take;
        filled += take;
        if (filled === pending.length) send(packets);
      }
      return packets;
    },
    finish() {
      const packets: CodecPacket[] = [];
      if (filled > 0) send(packets);
      if (context.sendFrameSync(null) < 0) throw codecFailure('the encoder did not end');
      drain(packets);
      return packets;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      packet.free();
      context.freeContext();
    },
  };
}

function openContext(settings: CodecSettings): CodecContext {
  const codec = Codec.findEncoderByName(settings.encoder as FFAudioEncoder);
  if (codec === null) throw codecFailure(`no encoder ${settings.encoder}`);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.sampleRate = settings.sampleRateHz;
  context.channelLayout = avChannelLayoutDefault(1);
  context.sampleFormat = settings.samples === 'float' ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16;
  context.timeBase = new Rational(1, settings.sampleRateHz);
  context.threadCount = 1;
  if (settings.bitRate !== undefined) context.bitRate = BigInt(settings.bitRate);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  if (settings.quality !== undefined) {
    context.setFlags(AV_CODEC_FLAG_QSCALE);
    context.globalQuality = settings.quality * LAMBDA_PER_QUALITY;
  }
  // Set options one by one: node-av frees a used dictionary twice.
  const isAccepted = Object.entries(settings.options ?? {}).every(
    ([name, value]) => context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN) >= 0,
  );
  if (!isAccepted || context.open2Sync(codec, null) < 0) {
    context.freeContext();
    throw codecFailure(`${settings.encoder} does not open at ${settings.sampleRateHz} Hz`);
  }
  return context;
}

function floatBytes(samples: Float32Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

function codecFailure(cause: string): AppError {
  return new AppError('engine_failed', 'The audio could not be encoded in this format.', { cause });
}
