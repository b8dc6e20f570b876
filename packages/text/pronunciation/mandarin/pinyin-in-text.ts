import { pinyin } from 'pinyin-pro';
import { simplifiedForReading } from '#text/normalization/mandarin/add-pinyin.ts';
import { SURELY_TONED } from '#text/pronunciation/mixed-text.ts';
import { readPinyin, type WrittenSyllable } from '#text/pronunciation/parse-romanized.ts';
import type { SpokenRomanization } from '#text/pronunciation/written-syllables.ts';
import { spokenAsWritten } from './written-pinyin.ts';

/** Pinyin is mostly written in the tones of dictionaries, and spoken after sandhi. */
export const PINYIN_IN_TEXT: SpokenRomanization = {
  language: 'mandarin',
  parse: readSpokenPinyin,
  isInUse: () => true,
  // Names that look like pinyin: Gen3, Mi4, Gen3/Gen4; also a level (lv3) and a digest (sha1).
  name: /^(?:(\p{Lu}\p{L}*|gen|lv)[1-5](?:[\s\p{P}]+\1[1-5])*|sha1)$/u,
  // The words that `readPinyin` separates; u: is ü.
  word: /(?:u:|[^\s\p{Cf}\p{P}])+/giu,
  isWordEach: false,
  speak: spokenAsWritten,
  readingsOf: (characters) =>
    Array.from(simplifiedForReading(characters), (char) =>
      pinyin(char, { type: 'array', toneType: 'num', v: true, multiple: true }),
    ),
};

/**
 * Reads pinyin; null for European names too: no word of pinyin has its first accent on a later
 * syllable.
 */
function readSpokenPinyin(text: string): WrittenSyllable[] | null {
  const syllables = readPinyin(text);
  if (syllables === null || SURELY_TONED.test(text.normalize('NFC'))) return syllables;
  const isName = syllables.some(
    ({ isJoined }, index) => isJoined && !syllables[index - 1]!.isJoined && syllables[index - 1]!.text.endsWith('5'),
  );
  return isName ? null : syllables;
}
