import { parseSyllable } from '@jyutsing/text/syllables/jyutping';
import { parsePinyin } from '@jyutsing/text/syllables/pinyin';
import type { LanguageModel } from '#engines/builtin/decoder/language-model.ts';
import type { AcousticLabels, SyllabicLanguage } from '#engines/builtin/decoder/types.ts';

/** How the columns of a CTC head spell a character or letter. */
export type Reading = {
  columns: readonly number[];
  /** How many of the columns, at the beginning, are breaks between words, heard in any pause. */
  breaks: number;
  /** Written syllables that are spelled so, which differ in tone: `ge3`; none of a letter. */
  syllables: readonly string[];
};

/**
 * Returns the readings of a character that comes after `before`, the text so far; none when the
 * head does not hear it, as punctuation.
 */
export type Spelling = (character: string, before: string) => readonly Reading[];

const BREAK = '_';
const LETTER = /[\p{L}'’]/u;

/** Letters of English, with a break before every word but the first. */
export function englishSpelling({ phones: letters }: AcousticLabels): Spelling {
  const columnOf = new Map(letters.map((letter, index) => [letter, index + 1]));
  const wordBreak = columnOf.get(BREAK) ?? 0;
  return (character, before) => {
    const column = columnOf.get(character === '’' ? "'" : character.toUpperCase());
    if (column === undefined || character === BREAK) return [];
    const isFirst = !LETTER.test(before);
    const isInside = LETTER.test(before.at(-1) ?? ' ');
    const columns = isFirst || isInside ? [column] : [wordBreak, column];
    return [{ columns, breaks: columns.length - 1, syllables: [] }];
  };
}

/** Characters of Chinese by the readings that the language model of their language has for them. */
export function chineseSpelling(language: SyllabicLanguage, labels: AcousticLabels, model: LanguageModel): Spelling {
  const parse = language === 'cantonese' ? parseSyllable : parsePinyin;
  const written = writtenReadings(model);
  const readings = new Map<string, Reading[]>();
  return (character) => {
    let found = readings.get(character);
    if (found === undefined) {
      const byColumns = Map.groupBy(written.get(character) ?? [], (reading) => syllableColumns(parse(reading), labels));
      found = [...byColumns].flatMap(([columns, syllables]) =>
        columns === '' ? [] : [{ columns: columns.split(' ').map(Number), breaks: 0, syllables }],
      );
      readings.set(character, found);
    }
    return found;
  };
}

/** Columns of a syllable, of its onset if it has one and of its rime, with a space between. */
function syllableColumns(syllable: { onset: string; rime: string } | null, { onsets, rimes }: AcousticLabels): string {
  const rime = rimes.indexOf(syllable?.rime ?? '');
  const onset = onsets.indexOf(syllable?.onset ?? '');
  if (rime < 0) return '';
  return `${onset < 0 ? '' : `${1 + onset} `}${1 + onsets.length + rime}`;
}

/** Written readings of all characters: `ge3` of 嘅, each once. */
function writtenReadings({ trie, parts, hasLetters, syllables }: LanguageModel): Map<string, Set<string>> {
  const readings = new Map<string, Set<string>>();
  for (let node = 1; node < trie.nodeCount; node++) {
    if (trie.firstPronunciation(node) === trie.endPronunciation(node)) continue;
    const path = pathTo(trie, node);
    for (let entry = trie.firstPronunciation(node); entry < trie.endPronunciation(node); entry++) {
      if (hasLetters(trie.word(entry))) continue;
      parts(trie.word(entry)).forEach((character, index) => {
        const reading = syllables[path[index] ?? -1];
        if (reading === undefined) return;
        const found = readings.get(character) ?? new Set();
        readings.set(character, found.add(reading));
      });
    }
  }
  return readings;
}

function pathTo(trie: LanguageModel['trie'], node: number): number[] {
  const path: number[] = [];
  for (let at = node; at > 0; at = trie.parent(at)) path.push(trie.unit(at));
  return path.toReversed();
}
