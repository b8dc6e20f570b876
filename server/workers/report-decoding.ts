import { decodeStream, type StreamFormat } from '@jyutsing/audio/decode-stream';
import { createChannel } from '@jyutsing/concurrency/channel';
import type { DecodeMessage, DecodeReport } from './decode-messages.ts';

/** Well below the time after which a silent process counts as hung. */
const ALIVE_EVERY_MS = 1_000;

/**
 * Decodes the bytes of messages. What was decoded of a message is reported before the message is
 * reported as taken. Decodes no further while the reports are not taken.
 */
export async function* reportDecoding(
  format: StreamFormat,
  messages: AsyncIterable<DecodeMessage>,
  { sampleRateHz, signal }: { sampleRateHz: number; signal: AbortSignal },
): AsyncGenerator<DecodeReport> {
  const left = new AbortController();
  const options = { sampleRateHz, signal: AbortSignal.any([signal, left.signal]) };
  const reports = createChannel<DecodeReport>({ capacity: 0, sizeOf: ({ type }) => (type === 'sound' ? 1 : 0) });
  let isWaiting = false;

  async function* bytes(): AsyncGenerator<Uint8Array> {
    isWaiting = true;
    for await (const message of messages) {
      isWaiting = false;
      if (message === 'end') return;
      yield message;
      reports.push({ type: 'taken', bytes: message.length });
      isWaiting = true;
    }
  }
  const decode = async () => {
    for await (const samples of decodeStream(bytes(), format, options)) await reports.send({ type: 'sound', samples });
  };
  const alive = setInterval(() => isWaiting && reports.push({ type: 'alive' }), ALIVE_EVERY_MS);
  const decoding = decode().then(reports.close, reports.fail);
  try {
    yield* reports;
  } finally {
    clearInterval(alive);
    // The reader may leave early.
    left.abort();
    await decoding;
  }
}
