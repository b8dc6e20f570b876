/**
 * A pattern that matches one character (its context in look-arounds), and the syllable of that
 * character.
 */
export type ReadingRule = { pattern: RegExp; syllable: string };

export const rule = (pattern: RegExp, syllable: string): ReadingRule => ({ pattern, syllable });
