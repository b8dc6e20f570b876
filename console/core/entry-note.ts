import type { CorpusEntryNote } from '@jyutsing/client';
import { text } from './text.ts';

/** Says in the language of the page why a word of a list does not help. */
export function describeNote({ code, message, character = '', readings = [], jyutping = '' }: CorpusEntryNote): string {
  return text().corpora.notes[code]?.(character, readings.join(' / '), jyutping) ?? message;
}
