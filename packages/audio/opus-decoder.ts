import { AV_LOG_QUIET } from 'node-av/constants';
import { avChannelLayoutDefault, Codec, CodecContext, Frame, Log, Packet } from 'node-av/lib';
import { AppError } from '@jyutsing/contracts/errors';
import { joinSamples } from './join-samples.ts';
import { createMixer } from './mixer.ts';

// Silence the library, which logs to stderr.
Log.setLevel(AV_LOG_QUIET);

const OPUS_RATE_HZ = 48_000;

/** Decodes short runs of mono Opus packets, each independent of the one before. */
export type OpusDecoder = {
  /** Throws `engine_failed` when a packet is not an Opus packet. */
  decode(packets: readonly Uint8Array[]): Float32Array;
  /** Frees the decoder. Call nothing else afterwards. */
  close(): void;
};

/** Creates a decoder with output at `sampleRateHz`. */
export function createOpusDecoder(sampleRateHz: number): OpusDecoder {
  const codec = Codec.findDecoderByName('libopus' as never) ?? Codec.findDecoderByName('opus' as never);
  if (codec === null) throw new AppError('engine_unavailable', 'The codec library cannot decode Opus.');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.threadCount = 1;
  context.sampleRate = OPUS_RATE_HZ;
  context.channelLayout = avChannelLayoutDefault(1);
  if (context.open2Sync(codec, null) < 0) {
    context.freeContext();
    throw new AppError('engine_failed', 'The Opus decoder could not be opened.');
  }
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  return {
    decode(packets) {
      context.flushBuffers();
      const mixer = createMixer(sampleRateHz);
      const pieces: Float32Array[] = [];
      try {
        for (const bytes of packets) {
          packet.unref();
          packet.data = Buffer.from(bytes);
          if (context.sendPacketSync(packet) < 0) throw new AppError('engine_failed', 'An Opus packet is damaged.');
          for (frame.unref(); context.receiveFrameSync(frame) >= 0; frame.unref())
            pieces.push(mixer.push(frame).slice());
        }
        return joinSamples([...pieces, mixer.flush().slice()]);
      } finally {
        mixer.close();
      }
    },
    close() {
      frame.free();
      packet.free();
      context.freeContext();
    },
  };
}
