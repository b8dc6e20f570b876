import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { AudioInput } from './av-input.ts';
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
/** A stream may have no end, so it is refused after this many undecodable packets in a row. */
const MAX_BAD_PACKETS_OF_STREAM = 250;

/**
 * Yields decoded frames of the track, reusing one object: use it before the next iteration. Skips
 * packets that cannot be decoded, as players do; too many throw `corrupt_audio`. An aborted signal
 * throws its reason.
 */
export async function* decodeFrames(
  input: Pick<AudioInput | StreamInput, 'openDecoder' | 'readPacket'>,
  signal: AbortSignal,
  isStream = false,
): AsyncGenerator<Frame> {
  const decoder = input.openDecoder();
  const frame = new Frame();
  frame.alloc();
  let packets = 0;
  let badPackets = 0;
  let badInARow = 0;
  try {
    for (let packet = await input.readPacket(); ; packet = await input.readPacket()) {
      signal.throwIfAborted();
      if (packet !== null && packet.size === 0) continue;
      const sendStatus = decoder.sendPacketSync(packet);
      if (sendStatus < 0 && packet !== null) badPackets += 1;
      for (;;) {
        frame.unref();
        const code = decoder.receiveFrameSync(frame);
        if (code === AVERROR_EAGAIN || code === AVERROR_EOF) break;
        if (code < 0) {
          badPackets += 1;
          break;
        }
        badInARow = 0;
        if (frame.nbSamples > 0) yield frame;
      }
      if (packet === null) break;
      badInARow += 1;
      if (isStream && badInARow > MAX_BAD_PACKETS_OF_STREAM) throw new AppError('corrupt_audio');
      packets += 1;
      if (packets % PACKETS_PER_TURN === 0) {
        await yieldToEventLoop();
        signal.throwIfAborted();
      }
    }
    if (badPackets > FREE_BAD_PACKETS + packets * MAX_BAD_PACKETS_SHARE) throw new AppError('corrupt_audio');
  } finally {
    frame.free();
    decoder.freeContext();
  }
}
