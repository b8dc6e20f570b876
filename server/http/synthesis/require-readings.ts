import { AppError } from '@jyutsing/contracts/errors';
import { unreadableCharacters } from '@jyutsing/text/readings/readable-characters';
import type { Speech } from '#features/synthesis/speech.ts';

/** The most characters that a refusal names. */
const MAX_NAMED = 10;

/**
 * Throws `text_not_readable` for Chinese characters without a reading, which would be left out in
 * the middle of the speech. Words of the lexicon have theirs.
 */
export function requireReadings({ text, model }: Pick<Speech, 'text' | 'model'>): void {
  const unread = new Set<string>();
  for (const [index, part] of text.parts.entries()) {
    const speaker = part.speaker ?? { model, language: text.language };
    if ('phrases' in part || !speaker.model.capabilities.readings) continue;
    const next = text.parts[index + 1];
    const after = next === undefined || 'phrases' in next ? '' : next.plain;
    for (const character of unreadableCharacters(part, speaker.language, after)) unread.add(character);
  }
  for (const word of text.lexicon) for (const character of word.text) unread.delete(character);
  if (unread.size === 0) return;
  const named = [...unread].slice(0, MAX_NAMED).join(' ');
  throw new AppError(
    'text_not_readable',
    `No reading is known of ${named}: leave it out, write another character, or write its reading in brackets after it.`,
  );
}
