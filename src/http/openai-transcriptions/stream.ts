import { toAppError, type AppError } from '#contracts/errors.ts';
import type { Segment } from '#contracts/transcript.ts';
import type { TranscriptionRecord } from '#contracts/transcription.ts';
import { createPlainWriter } from '#features/transcription/format.ts';
import { errorBody } from '#http/errors.ts';
import { resultOf, viewJson } from './views.ts';

/**
 * A transcription as OpenAI's server-sent events: `transcript.text.delta` with what each segment adds to the text, and last
 * `transcript.text.done` with the whole text, languages and usage.
 * A failure before the first event is thrown, so that the answer can still have its status; a later one is an event `error`.
 */
export async function* transcriptEvents(
  followed: AsyncGenerator<Segment, TranscriptionRecord>,
  requestId: string,
  onLateError: (error: AppError) => void,
): AsyncGenerator<string> {
  const write = createPlainWriter();
  let hasBegun = false;
  try {
    for (;;) {
      const next = await followed.next();
      if (next.done === true) {
        yield dataEvent({ type: 'transcript.text.done', ...viewJson(resultOf(next.value)) });
        return;
      }
      const delta = write(next.value);
      if (delta === '') continue;
      yield dataEvent({ type: 'transcript.text.delta', delta });
      hasBegun = true;
    }
  } catch (thrown) {
    if (!hasBegun) throw thrown;
    const error = toAppError(thrown);
    onLateError(error);
    yield `event: error\n${dataEvent(errorBody(error, requestId))}`;
  }
}

function dataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
