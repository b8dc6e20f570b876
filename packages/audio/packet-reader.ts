import { AVERROR_EOF } from 'node-av/constants';
import { Packet, type FormatContext } from 'node-av/lib';

/** Reads the packets of one track. */
export type PacketReader = {
  /**
   * Returns the next packet of the track, in the same object each time, or null at the end of the
   * file, or where the rest cannot be read.
   */
  readPacket(): Packet | null;
  /** Whether packets could not be read. */
  hasReadErrors(): boolean;
  close(): void;
};

/**
 * Creates a reader, which does not close the context. After a part that cannot be read the next may
 * be readable; after `maxReadErrors` of them none is.
 */
export function createPacketReader(context: FormatContext, streamIndex: number, maxReadErrors: number): PacketReader {
  const packet = new Packet();
  packet.alloc();
  let readErrors = 0;
  return {
    readPacket() {
      while (readErrors < maxReadErrors) {
        packet.unref();
        const code = context.readFrameSync(packet);
        if (code === AVERROR_EOF) return null;
        if (code >= 0 && packet.streamIndex === streamIndex) return packet;
        if (code < 0) readErrors += 1;
      }
      return null;
    },
    hasReadErrors: () => readErrors > 0,
    close: () => packet.free(),
  };
}
