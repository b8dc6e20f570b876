import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Frame, type CodecContext, type Packet } from 'node-av/lib';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { AudioInput } from './av-input.ts';
import { isInfoFrame } from './frame-headers.ts';
import type { RecordingClock } from './recording-clock.ts';
import { createSilentFrames } from './silent-frames.ts';
import type { StreamInput } from './stream-input.ts';

/**
 * Packets between yields to the event loop: the calls are synchronous, and heartbeats and aborts
 * must get through.
 */
export const PACKETS_PER_TURN = 256;

/**
 * Highest share of undecodable packets before the file counts as damaged; a short defect in a long
 * recording is acceptable.
 */
const MAX_BAD_PACKETS_SHARE = 0.05;
const FREE_BAD_PACKETS = 3;
/** Highest share of their bytes: a demuxer gives as one packet what it cannot read. */
const MAX_BAD_BYTES_SHARE = 0.5;
/** A stream may have no end, so it is refused after this many undecodable packets in a row. */
const MAX_BAD_PACKETS_OF_STREAM = 250;
/**
 * A phone sends so few bytes in a pause: a description of the noise, or nothing. FFmpeg 8.1 decodes
 * neither of AMR (libavcodec/amrnbdec.c, amrwbdec.c), but the packet is no defect.
 */
const MAX_PAUSE_BYTES = 7;

type DecodeOptions = {
  clock: RecordingClock;
  signal: AbortSignal;
  /** True for sound that arrives in parts. */
  isStream?: boolean;
};

/**
 * Passes the frames of the track at their times to `take`, reusing the object, and yields what it
 * returns unless that is null: an iteration for each frame would cost a tenth of the decoding.
 * Between them come frames of silence for gaps and for packets that cannot be decoded; too many of
 * these throw `corrupt_audio`. An aborted signal throws its reason.
 */
export async function* decodeFrames<Taken>(
  input: Pick<AudioInput | StreamInput, 'openDecoder' | 'readPacket'> & Partial<Pick<AudioInput, 'lostFrames'>>,
  { clock, signal, isStream = false }: DecodeOptions,
  take: (frame: Frame, samples: number) => Taken | null,
): AsyncGenerator<Taken> {
  const decoder = input.openDecoder();
  const frame = new Frame();
  frame.alloc();
  const silence = createSilentFrames();
  const damage = createDamageCount();
  let packets = 0;
  let badInARow = 0;
  try {
    for (;;) {
      const read = input.readPacket();
      const packet = read instanceof Promise ? await read : read;
      if (isStream) signal.throwIfAborted();
      const packetBytes = packet?.size ?? 0;
      if (packet !== null && packetBytes === 0) continue;
      if (packet !== null) {
        if (packets === 0) clock.begin(packet.pts, !isInfoFrame(packet.data ?? NO_BYTES));
        for (let lost = input.lostFrames?.() ?? 0; lost > 0; lost -= 1) clock.skipPacket(packet.duration, false);
      }
      let isRefused = decoder.sendPacketSync(packet) < 0;
      let hasFrames = false;
      for (let code = receive(decoder, frame); code !== DRAINED; code = receive(decoder, frame)) {
        if (code === REFUSED) {
          isRefused = true;
          break;
        }
        badInARow = 0;
        hasFrames = true;
        const samples = frame.nbSamples;
        if (samples === 0) continue;
        damage.addSound();
        const silentSamples = clock.place(frame.pts, samples, frame.sampleRate);
        if (silentSamples === null) continue;
        if (silentSamples > 0) yield* taken(silence.like(frame, silentSamples), take);
        const result = take(frame, samples);
        if (result !== null) yield result;
      }
      if (packet === null) break;
      packets += 1;
      badInARow += 1;
      const isPause = packetBytes <= MAX_PAUSE_BYTES;
      // The rest of a cut packet may be refused after its frames.
      if (isRefused && !hasFrames) clock.skipPacket(packet.duration, isPause);
      damage.addPacket(packet, packetBytes, isRefused && !isPause);
      if (isStream && badInARow > MAX_BAD_PACKETS_OF_STREAM) throw new AppError('corrupt_audio');
      if (packets % PACKETS_PER_TURN === 0) {
        await yieldToEventLoop();
        signal.throwIfAborted();
      }
    }
    if (damage.isTooMuch()) throw new AppError('corrupt_audio');
    const { sampleFormat: format, sampleRate, channelLayout } = decoder;
    yield* taken(silence.like({ format, sampleRate, channelLayout }, clock.end(sampleRate)), take);
  } finally {
    silence.close();
    frame.free();
    decoder.freeContext();
  }
}

/** Counts the packets that cannot be decoded. */
function createDamageCount() {
  const all = { packets: 0, bytes: 0 };
  const bad = { packets: 0, bytes: 0 };
  /** Zeros without sound behind them: the recorder reserved space and did not fill it. */
  const unfilled = { packets: 0, bytes: 0 };
  let isSound = false;
  return {
    addSound(): void {
      isSound = true;
      if (unfilled.bytes === 0) return;
      bad.packets += unfilled.packets;
      bad.bytes += unfilled.bytes;
      unfilled.packets = 0;
      unfilled.bytes = 0;
    },
    addPacket(packet: Packet, size: number, isBad: boolean): void {
      all.packets += 1;
      all.bytes += size;
      if (!isBad) return;
      const { data } = packet;
      const filledBytes = (data?.findLastIndex((byte) => byte !== 0) ?? size - 1) + 1;
      (filledBytes === 0 ? unfilled : bad).packets += 1;
      bad.bytes += filledBytes;
      unfilled.bytes += size - filledBytes;
    },
    isTooMuch(): boolean {
      const isDamaged = bad.packets > FREE_BAD_PACKETS + all.packets * MAX_BAD_PACKETS_SHARE;
      const isUseless = bad.packets + unfilled.packets > 0 && !isSound;
      return isDamaged || bad.bytes > (all.bytes - unfilled.bytes) * MAX_BAD_BYTES_SHARE || isUseless;
    },
  };
}

function* taken<Taken>(
  frames: Iterable<Frame>,
  take: (frame: Frame, samples: number) => Taken | null,
): Generator<Taken> {
  for (const frame of frames) {
    const result = take(frame, frame.nbSamples);
    if (result !== null) yield result;
  }
}

const NO_BYTES = Buffer.alloc(0);

/** The codes of a decoder that needs the next packet, and of one that refuses the last. */
const DRAINED = 0;
const REFUSED = -1;

/** Receives the next frame; otherwise returns DRAINED or REFUSED. */
function receive(decoder: CodecContext, frame: Frame): number | null {
  const code = decoder.receiveFrameSync(frame);
  if (code >= 0) return null;
  return code === AVERROR_EAGAIN || code === AVERROR_EOF ? DRAINED : REFUSED;
}
