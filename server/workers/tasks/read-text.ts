import type { CharacterJyutping } from '@jyutsing/text/readings/spoken-jyutping';
import { defineTask } from '#workers/define-task.ts';

/** Loaded by the first text, and kept. */
let spokenJyutping: ((text: string) => CharacterJyutping[]) | null = null;

/** Reads a Cantonese text as it is spoken: jyutping of every character. */
export const readText = defineTask({
  name: 'read-text',
  pool: 'interactive',
  timeoutMs: 60_000,
  async run({ text }: { text: string }): Promise<CharacterJyutping[]> {
    const { createSpokenJyutping } = await import('@jyutsing/text/readings/spoken-jyutping');
    spokenJyutping ??= createSpokenJyutping();
    return spokenJyutping(text);
  },
});
