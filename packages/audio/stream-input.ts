import { AVERROR_EOF, AVFMT_FLAG_CUSTOM_IO } from 'node-av/constants';
import { avChannelLayoutDefault, Codec, CodecContext, FormatContext, IOContext, Packet } from 'node-av/lib';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { chooseTrack, demuxerOf, openDecoder, optionsFor, refuseIf } from './av-input.ts';
import type { ClockStart } from './recording-clock.ts';
import { createStreamReader, type StreamReader } from './stream-reader.ts';

/** Sound that arrives in parts, opened for reading packets. */
export type StreamInput = {
  /** Returns the next packet, in the same object each time, or null at the end of the stream. */
  readPacket(): Promise<Packet | null>;
  openDecoder(): CodecContext;
  clockStart: ClockStart;
  close(): Promise<void>;
};

/** Containers that can be read from the beginning to the end without seeking. */
const STREAMED: readonly AudioContainer[] = ['webm', 'ogg', 'wav', 'mp3', 'flac', 'aac'];
/**
 * Limits in bytes and microseconds of what is read ahead to learn the codec: the sound waits for
 * it.
 */
const ANALYSIS = { probesize: 16_384, analyzeduration: 200_000, fpsprobesize: 0 };
const READ_BYTES = 4_096;

/**
 * Opens a stream in a container as soon as enough of it has arrived. Throws
 * `unsupported_audio_format` and `corrupt_audio`. An aborted signal ends the stream.
 */
export async function openStreamInput(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StreamInput> {
  const reader = createStreamReader(source, signal);
  const container = await identify(reader).finally(() => signal.throwIfAborted());
  const context = new FormatContext();
  const io = new IOContext();
  const packet = new Packet();
  const close = async () => {
    packet.free();
    context.pb = null;
    await context.closeInput();
    io.freeContext();
  };
  try {
    context.allocContext();
    io.allocContextWithCallbacks(READ_BYTES, 0, (size) => reader.read(size) as never, undefined, undefined);
    context.pb = io;
    context.setFlags(AVFMT_FLAG_CUSTOM_IO);
    using options = optionsFor(container, ANALYSIS);
    refuseIf((await context.openInput('', demuxerOf(container), options)) < 0);
    refuseIf((await context.findStreamInfo(null)) < 0);
    const { stream } = chooseTrack(context, container);
    packet.alloc();
    return {
      async readPacket() {
        for (;;) {
          packet.unref();
          const code = await context.readFrame(packet);
          // A stream may end in the middle of a packet.
          if (code === AVERROR_EOF || (code < 0 && reader.isEnded())) return null;
          refuseIf(code < 0);
          if (packet.streamIndex === stream.index) return packet;
        }
      },
      openDecoder: () => openDecoder(stream),
      clockStart: liveClockStart(stream.timeBase),
      close,
    };
  } catch (thrown) {
    await close();
    signal.throwIfAborted();
    throw thrown;
  }
}

async function identify(reader: StreamReader): Promise<AudioContainer> {
  const identified = await reader.identify();
  const { container } = identified;
  const isFreeFormat = 'freeFrameBytes' in identified;
  if (container !== null && STREAMED.includes(container) && !isFreeFormat) return container;
  const name = isFreeFormat ? 'MP3 in the free format' : container;
  const problem = container === null ? `The sound is ${identified.found}` : `Live sound cannot be ${name}`;
  throw new AppError(
    'unsupported_audio_format',
    `${problem}; send ${STREAMED.join(', ')}, or samples with "encoding".`,
  );
}

const OPUS_RATE_HZ = 48_000;

/** Opens a stream of Opus packets without a container. */
export function openOpusPackets(source: AsyncIterable<Uint8Array>, channels: number, signal: AbortSignal): StreamInput {
  const reader = createStreamReader(source, signal);
  const packet = new Packet();
  packet.alloc();
  return {
    async readPacket() {
      const bytes = await reader.next();
      if (bytes === null) return null;
      packet.unref();
      packet.data = bytes;
      return packet;
    },
    openDecoder() {
      const codec = Codec.findDecoderByName('libopus' as never) ?? Codec.findDecoderByName('opus' as never);
      if (codec === null) throw new AppError('engine_unavailable');
      const decoder = new CodecContext();
      decoder.allocContext3(codec);
      decoder.threadCount = 1;
      decoder.sampleRate = OPUS_RATE_HZ;
      decoder.channelLayout = avChannelLayoutDefault(channels);
      if (decoder.open2Sync(codec, null) < 0) {
        decoder.freeContext();
        throw new AppError('corrupt_audio');
      }
      return decoder;
    },
    clockStart: liveClockStart({ num: 1, den: OPUS_RATE_HZ }),
    close: async () => packet.free(),
  };
}

/** A longer pause of live sound is no silence: a listener would wait for it, and it is charged. */
const MAX_LIVE_GAP_MS = 60_000;

/** The time of live sound begins with the first of it. */
function liveClockStart({ num, den }: { num: number; den: number }): ClockStart {
  return { tickMs: (1_000 * num) / den, startMs: null, priming: { samples: 0 }, maxGapMs: MAX_LIVE_GAP_MS };
}
