import { normaliseSyllable } from '@jyutsing/text/jyutping';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { canonicalSyllable } from './minimal-pairs.ts';
import { readFirst } from './tables.ts';

/** Syllables that some character or word has, and a sentence that says by which lists. */
export type ExistingSyllables = { syllables: ReadonlySet<string>; said: string };

const LEXICON = 'text/rime-lexicon.tsv';
/** CJK Unified Ideographs of Unicode's first plane: all that are common, and many that are not. */
const [FIRST_CHARACTER, LAST_CHARACTER] = [0x4e00, 0x9fff];

/**
 * The syllables of a language that exist, by the dictionaries at hand: for Cantonese the lexicon of rime-cantonese in the folders and
 * to-jyutping's readings of single characters, for Mandarin pinyin-pro's. A pair that exists nowhere would be no test: nobody can be asked to say it.
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
    return { syllables, said: `${syllables.size} syllables exist by pinyin-pro's readings of single characters` };
  }
  const { textToJyutping } = await import('@jyutsing/text/text-to-jyutping');
  // Commas between, because characters side by side might be a word, which has one reading.
  const read = textToJyutping(characters.join('，')).flatMap(({ readings }) => readings);
  const lexicon = (await readFirst(folders, LEXICON))?.text ?? '';
  const listed = lexicon.split('\n').flatMap((line) => (line.split('\t')[1] ?? '').split(' '));
  const ofLexicon = canonical(language, listed);
  const ofCharacters = canonical(language, read);
  const more = [...ofCharacters].filter((syllable) => !ofLexicon.has(syllable)).length;
  const said = `${ofLexicon.size} syllables exist by rime-cantonese and ${more} more by to-jyutping's readings of characters`;
  return { syllables: canonical(language, [...ofLexicon, ...ofCharacters]), said };
}

/** In alphabetical order, so that nothing depends on that of the dictionaries. */
function canonical(language: SyllabicLanguage, written: readonly string[]): Set<string> {
  const syllables = new Set<string>();
  for (const text of new Set(written)) {
    const syllable = canonicalSyllable(language, language === 'cantonese' ? (normaliseSyllable(text) ?? '') : text);
    if (syllable !== null) syllables.add(syllable);
  }
  return new Set([...syllables].sort());
}
