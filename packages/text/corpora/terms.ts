import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { Term } from '@jyutsing/contracts/corrector';
import { countHan } from './check-entry.ts';
import { contextCandidates } from './context-candidates.ts';
import { likelyReadings } from './likely-readings.ts';

/**
 * Terms of corpus entries, each text once: with the readings that its entries give, and with the likely ones (at most 4) where an
 * entry gives none; the highest weight counts. Entries without a Chinese character or a readable one are left out.
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
 * Terms that a hint in free form (a topic, names, an agenda) makes likely, in Hong Kong's characters, at most 500. What stands alone
 * between punctuation or line breaks counts twice as much as a word within a sentence; everyday words count nothing. Any text is
 * safe; one without Chinese gives no term.
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
  const known = new Set(before.readings.map((reading) => reading.join(' ')));
  const added = term.readings.filter((reading) => !known.has(reading.join(' ')));
  terms.set(term.text, {
    text: term.text,
    readings: [...before.readings, ...added],
    weight: Math.max(before.weight, term.weight),
  });
}
