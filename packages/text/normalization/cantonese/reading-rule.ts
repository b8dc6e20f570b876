/** A pattern that matches one character (what stands around it in look-arounds), and the syllable that the character then has. */
export type ReadingRule = { pattern: RegExp; syllable: string };

export const rule = (pattern: RegExp, syllable: string): ReadingRule => ({ pattern, syllable });
