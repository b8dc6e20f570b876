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

/** After a part that cannot be read the next may be readable; after so many none is. */
const MAX_READ_ERRORS = 100;

/** Creates a reader, which does not close the context. */
export function createPacketReader(context: FormatContext, streamIndex: number): PacketReader {
  const packet = new Packet();
  packet.alloc();
  let readErrors = 0;
  return {
    readPacket() {
      while (readErrors < MAX_READ_ERRORS) {
        packet.unref();
        const code = context.readFrameSync(packet);
        if (code === AVERROR_EOF) return null;
        if (code < 0) readErrors += 1;
        else if (packet.streamIndex === streamIndex) return packet;
      }
      return null;
    },
    hasReadErrors: () => readErrors > 0,
    close: () => packet.free(),
  };
}
