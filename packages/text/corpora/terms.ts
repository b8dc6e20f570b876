import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { Term } from '@jyutsing/contracts/corrector';
import { countHan } from './check-entry.ts';
import { contextCandidates } from './context-candidates.ts';
import { likelyReadings } from './likely-readings.ts';

/**
 * Terms of corpus entries, each text once: with the readings of its entries, or with at most 4
 * likely ones if they give none; the highest weight counts. Leaves out entries without a readable
 * Chinese character.
 */
export function termsOf(entries: readonly CorpusEntry[]): Term[] {
  const terms = new Map<string, Term>();
  for (const { text, jyutping, weight } of entries) {
    const readings = jyutping === null ? likelyReadings(text) : givenReadings(text, jyutping);
    if (readings.length > 0) merge(terms, { text, readings, weight });
  }
  return [...terms.values()];
}

/**
 * Terms in a free-form hint (a topic, names, an agenda), in Hong Kong's characters, at most 500.
 * Phrases that stand alone between punctuation or line breaks count twice as much as words within a
 * sentence; everyday words do not count. A text without Chinese gives no terms.
 */
export function termsFromContext(context: string): Term[] {
  const terms: Term[] = [];
  for (const { text, weight } of contextCandidates(context)) {
    const readings = likelyReadings(text);
    if (readings.length > 0) terms.push({ text, readings, weight });
  }
  return terms;
}

function givenReadings(text: string, jyutping: string): string[][] {
  const syllables = jyutping.split(' ').filter((syllable) => syllable !== '');
  return syllables.length > 0 && syllables.length === countHan(text) ? [syllables] : [];
}

function merge(terms: Map<string, Term>, term: Term): void {
  const before = terms.get(term.text);
  if (before === undefined) {
    terms.set(term.text, term);
    return;
  }
  const existing = new Set(before.readings.map((reading) => reading.join(' ')));
  const added = term.readings.filter((reading) => !existing.has(reading.join(' ')));
  terms.set(term.text, {
    text: term.text,
    readings: [...before.readings, ...added],
    weight: Math.max(before.weight, term.weight),
  });
}
