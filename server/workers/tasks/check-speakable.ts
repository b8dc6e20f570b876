import { defineTask } from '#workers/define-task.ts';

/** Whether a text has anything that can be spoken. */
export const checkSpeakable = defineTask({
  name: 'check-speakable',
  pool: 'interactive',
  timeoutMs: 60_000,
  async run({ text }: { text: string }): Promise<boolean> {
    const { isSpeakable } = await import('#features/alignment/spoken-units.ts');
    return isSpeakable(text);
  },
});
