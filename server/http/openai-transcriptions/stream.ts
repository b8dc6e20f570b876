import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { createPlainWriter } from '#features/transcription/format.ts';
import type { ServerSentEvent } from '#http/server-sent-events.ts';
import { resultOf } from '#http/transcription/record-view.ts';
import { viewJson } from './views.ts';

/**
 * Notes that the client is about to receive text up to this time, so that it is charged however the
 * work ends. False when the record is final. Throws `not_found` when it was deleted.
 */
export type HandOut = (endMs: number) => Promise<boolean>;

/**
 * A transcription as OpenAI's server-sent events: `transcript.text.delta` with the text that each
 * segment adds, then `transcript.text.done` with the whole text, languages and usage. Throws the
 * error of a failed record.
 */
export async function* transcriptEvents(
  followed: AsyncGenerator<Segment, TranscriptionRecord>,
  handOut: HandOut,
): AsyncGenerator<ServerSentEvent> {
  const write = createPlainWriter();
  let isOpen = true;
  for (;;) {
    const next = await followed.next();
    if (next.done === true) {
      yield { data: { type: 'transcript.text.done', ...viewJson(resultOf(next.value)) } };
      return;
    }
    const delta = write(next.value);
    if (delta === '') continue;
    if (isOpen) isOpen = await handOut(next.value.endMs);
    yield { data: { type: 'transcript.text.delta', delta } };
  }
}
