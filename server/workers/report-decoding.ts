import { decodeStream, type StreamFormat } from '@jyutsing/audio/decode-stream';
import { createMessageQueue } from '@jyutsing/concurrency/message-queue';
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
  const reports = createMessageQueue<DecodeReport>();
  let isWaiting = false;
  const reader: { goOn: (() => void) | null } = { goOn: null };

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
    for await (const samples of decodeStream(bytes(), format, options)) {
      const reported = Promise.withResolvers<void>();
      reader.goOn = reported.resolve;
      reports.push({ type: 'sound', samples });
      await reported.promise;
    }
  };
  const alive = setInterval(() => isWaiting && reports.push({ type: 'alive' }), ALIVE_EVERY_MS);
  const decoding = decode().then(reports.end, reports.fail);
  try {
    for await (const report of reports.messages) {
      yield report;
      if (report.type === 'sound') reader.goOn?.();
    }
  } finally {
    clearInterval(alive);
    // The reader may leave early.
    left.abort();
    reader.goOn?.();
    await decoding;
  }
}
