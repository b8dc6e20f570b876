import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { createPlainWriter } from '#features/transcription/format.ts';
import type { ServerSentEvent } from '#http/server-sent-events.ts';
import { resultOf } from '#http/transcription/record-view.ts';
import type { AnswerShape } from './schema.ts';
import { logprobsOf, tokenUsageOf, viewDiarized, viewJson } from './views.ts';

/**
 * Notes that the client is about to receive text up to this time, so that it is charged however the
 * work ends. False when the record is final. Throws `not_found` when it was deleted.
 */
export type HandOut = (endMs: number) => Promise<boolean>;

/**
 * A transcription as OpenAI's server-sent events: `transcript.text.delta` with the text that each
 * segment adds, then for `diarized_json` a `transcript.text.segment` for each with its speaker, and
 * `transcript.text.done` with the whole text, languages and usage. Throws the error of a failed
 * record.
 */
export async function* transcriptEvents(
  followed: AsyncGenerator<Segment, TranscriptionRecord>,
  handOut: HandOut,
  { format, withLogprobs }: Pick<AnswerShape, 'format' | 'withLogprobs'>,
): AsyncGenerator<ServerSentEvent> {
  const write = createPlainWriter();
  let isOpen = true;
  for (;;) {
    const next = await followed.next();
    if (next.done === true) {
      const result = resultOf(next.value);
      // Speakers are known only when the whole recording was heard.
      if (format === 'diarized_json') for (const segment of viewDiarized(result).segments) yield { data: segment };
      const { usage: _, ...answer } = viewJson(result, withLogprobs);
      yield { data: { type: 'transcript.text.done', ...answer, usage: tokenUsageOf(result, answer.text) } };
      return;
    }
    const delta = write(next.value);
    if (delta === '') continue;
    if (isOpen) isOpen = await handOut(next.value.endMs);
    const logprobs = withLogprobs ? { logprobs: logprobsOf(next.value) } : {};
    yield { data: { type: 'transcript.text.delta', delta, ...logprobs } };
  }
}
