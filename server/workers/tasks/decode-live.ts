import type { StreamFormat } from '@jyutsing/audio/decode-stream';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { defineDuplexTask } from '#workers/define-task.ts';
import type { DecodeMessage, DecodeReport } from '#workers/decode-messages.ts';

/**
 * Decodes one compressed live stream, so that a hostile one harms no other. A process that decodes
 * without asking for more bytes or giving sound counts as silent.
 */
export const decodeLive = defineDuplexTask({
  name: 'decode-live',
  pool: 'decoding',
  timeoutMs: Infinity,
  async *run(
    format: StreamFormat,
    messages: AsyncIterable<DecodeMessage>,
    _context,
    signal,
  ): AsyncGenerator<DecodeReport> {
    const { reportDecoding } = await import('#workers/report-decoding.ts');
    yield* reportDecoding(format, messages, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, signal });
  },
});
