import { AVERROR_EOF } from 'node-av/constants';
import { Packet, type FormatContext } from 'node-av/lib';
import type { LostFrames } from './lost-frames.ts';

/** Reads the packets of one track. */
export type PacketReader = {
  /**
   * Returns the next packet of the track, in the same object each time, or null at the end of the
   * file, or where the rest cannot be read.
   */
  readPacket(): Packet | null;
  /** The frames that damage has taken from the stream before the last packet. */
  lostFrames(): number;
  /** Whether packets could not be read. */
  hasReadErrors(): boolean;
  close(): void;
};

type ReaderOptions = {
  streamIndex: number;
  maxReadErrors: number;
  lostFrames: LostFrames | null;
  /** By how many ticks the packets at the position of the first one are later than they say. */
  lateTicks: bigint;
};

/**
 * Creates a reader, which does not close the context. After a part that cannot be read the next may
 * be readable; after `maxReadErrors` of them none is. The times of packets leave room for frames
 * that were lost before them.
 */
export function createPacketReader(
  context: FormatContext,
  { streamIndex, maxReadErrors, lostFrames, lateTicks }: ReaderOptions,
): PacketReader {
  const packet = new Packet();
  packet.alloc();
  let readErrors = 0;
  let lostNow = 0;
  let lostTicks = 0n;
  let firstByte: bigint | null = null;
  const take = (): Packet => {
    firstByte ??= packet.pos;
    if (lateTicks > 0n && packet.pos === firstByte) packet.pts += lateTicks;
    lostNow = lostFrames?.before(packet) ?? 0;
    lostTicks += BigInt(lostNow) * packet.duration;
    if (lostTicks > 0n) packet.pts += lostTicks;
    return packet;
  };
  return {
    readPacket() {
      while (readErrors < maxReadErrors) {
        packet.unref();
        const code = context.readFrameSync(packet);
        if (code === AVERROR_EOF) return null;
        if (code >= 0 && packet.streamIndex === streamIndex) return take();
        if (code < 0) readErrors += 1;
      }
      return null;
    },
    lostFrames: () => lostNow,
    hasReadErrors: () => readErrors > 0,
    close: () => packet.free(),
  };
}
