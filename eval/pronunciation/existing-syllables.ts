import { normalizeSyllable } from '@jyutsing/text/syllables/jyutping';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { canonicalSyllable } from './minimal-pairs.ts';
import { readFirst } from './tables.ts';

/** Syllables of any character or word, and a summary of the sources. */
export type ExistingSyllables = { syllables: ReadonlySet<string>; summary: string };

const LEXICON = 'text/rime-lexicon.tsv';
/** CJK Unified Ideographs of the Basic Multilingual Plane. */
const [FIRST_CHARACTER, LAST_CHARACTER] = [0x4e00, 0x9fff];

/**
 * Syllables of a language by its dictionaries: for Cantonese the lexicon of rime-cantonese in the
 * folders and to-jyutping's readings of single characters, for Mandarin pinyin-pro's. Minimal pairs
 * with syllables that do not exist would test nothing.
 */
export async function findExistingSyllables(
  language: SyllabicLanguage,
  folders: readonly string[],
): Promise<ExistingSyllables> {
  const characters = Array.from({ length: LAST_CHARACTER - FIRST_CHARACTER + 1 }, (_, index) =>
    String.fromCodePoint(FIRST_CHARACTER + index),
  );
  if (language === 'mandarin') {
    const { pinyin } = await import('pinyin-pro');
    const written = characters.flatMap((character) =>
      pinyin(character, { multiple: true, toneType: 'num', type: 'array', v: true, nonZh: 'removed' }),
    );
    const syllables = canonical(language, written);
    return { syllables, summary: `${syllables.size} syllables exist by pinyin-pro's readings of single characters` };
  }
  const { textToJyutping } = await import('@jyutsing/text/readings/text-to-jyutping');
  // Commas keep adjacent characters from being read as a word with a single reading.
  const read = textToJyutping(characters.join('，')).flatMap(({ readings }) => readings);
  const lexicon = (await readFirst(folders, LEXICON))?.text ?? '';
  const listed = lexicon.split('\n').flatMap((line) => (line.split('\t')[1] ?? '').split(' '));
  const ofLexicon = canonical(language, listed);
  const ofCharacters = canonical(language, read);
  const more = [...ofCharacters].filter((syllable) => !ofLexicon.has(syllable)).length;
  const summary = `${ofLexicon.size} syllables exist by rime-cantonese and ${more} more by to-jyutping's readings of characters`;
  return { syllables: canonical(language, [...ofLexicon, ...ofCharacters]), summary };
}

/** Sorted, so that results do not depend on the order in dictionaries. */
function canonical(language: SyllabicLanguage, written: readonly string[]): Set<string> {
  const syllables = new Set<string>();
  for (const text of new Set(written)) {
    const syllable = canonicalSyllable(language, language === 'cantonese' ? (normalizeSyllable(text) ?? '') : text);
    if (syllable !== null) syllables.add(syllable);
  }
  return new Set([...syllables].sort());
}
