import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { SpokenTime, SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { TimedSyllable } from './timing.ts';

/**
 * Collects the syllables of a phrase into words. A word is emitted when the next one begins, or the
 * phrase ends.
 */
export function createWordTimer(words: readonly SpokenWord[]) {
  let open: { index: number; syllables: SpokenTime[]; isEnglish: boolean } | null = null;

  function* close(): Generator<SynthesisEvent> {
    if (open === null) return;
    const { index, syllables, isEnglish } = open;
    open = null;
    const text = words[index]!.written;
    const word = { text, startMs: syllables[0]!.startMs, endMs: syllables.at(-1)!.endMs };
    // English words are not split into syllables.
    yield { type: 'word', word, syllables: isEnglish ? [] : syllables };
  }

  return {
    *add({ item, voice, startMs, endMs }: TimedSyllable): Generator<SynthesisEvent> {
      if (open !== null && open.index !== item.word) yield* close();
      open ??= { index: item.word, syllables: [], isEnglish: voice === 'en' };
      open.syllables.push({ text: item.reading, startMs: Math.round(startMs), endMs: Math.round(endMs) });
    },
    end: close,
  };
}
