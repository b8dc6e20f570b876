import { AVERROR_EOF } from 'node-av/constants';
import { Packet, type FormatContext } from 'node-av/lib';
import type { LostFrames } from './lost-frames.ts';

/** Reads the packets of one track. */
export type PacketReader = {
  /**
   * Returns the next packet of the track, which is valid until the next call, or null at the end of
   * the file, or where the rest cannot be read.
   */
  readPacket(): Packet | null;
  /** The frames that damage has taken from the stream before the last packet. */
  lostFrames(): number;
  /** Whether packets could not be read. */
  hasReadErrors(): boolean;
  /** At the end: the position of the last packet in the file. */
  lastPacketByte(): number;
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
 * be readable; after `maxReadErrors` of them none is.
 */
export function createPacketReader(
  context: FormatContext,
  { streamIndex, maxReadErrors, lostFrames, lateTicks }: ReaderOptions,
): PacketReader {
  // Two in turn: when there is no next packet, the last one can still be asked for its position.
  let [packet, lastPacket] = [new Packet(), new Packet()];
  packet.alloc();
  lastPacket.alloc();
  let lastPacketByte = 0;
  let readErrors = 0;
  let lostNow = 0;
  let firstByte: bigint | null = null;
  const take = (): Packet => {
    firstByte ??= packet.pos;
    if (lateTicks > 0n && packet.pos === firstByte) packet.pts += lateTicks;
    lostNow = lostFrames?.before(packet) ?? 0;
    return packet;
  };
  return {
    readPacket() {
      [packet, lastPacket] = [lastPacket, packet];
      while (readErrors < maxReadErrors) {
        packet.unref();
        const code = context.readFrameSync(packet);
        if (code === AVERROR_EOF) break;
        if (code >= 0 && packet.streamIndex === streamIndex) return take();
        if (code < 0) readErrors += 1;
      }
      lastPacketByte = Number(lastPacket.pos);
      return null;
    },
    lostFrames: () => lostNow,
    hasReadErrors: () => readErrors > 0,
    lastPacketByte: () => lastPacketByte,
    close() {
      packet.free();
      lastPacket.free();
    },
  };
}
