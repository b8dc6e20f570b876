import type { Alignment } from '#features/alignment/align-text.ts';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { defineTask } from '#workers/define-task.ts';

/** A text and the transcript of its recording. */
type AlignmentCall = { text: string; transcript: readonly Segment[]; language: Language };

/** Throws `text_not_readable`. */
export const alignTextTask = defineTask({
  name: 'align-text',
  pool: 'interactive',
  timeoutMs: 10 * 60_000,
  async run({ text, transcript, language }: AlignmentCall): Promise<Alignment> {
    const { alignText } = await import('#features/alignment/align-text.ts');
    return alignText(text, transcript, language);
  },
});
