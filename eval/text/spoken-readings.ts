import { createSpokenJyutping } from '@jyutsing/text/readings/spoken-jyutping';
import { pronunciationVariants } from '@jyutsing/text/syllables/jyutping';
import { isComparable, readUtterances, type Utterance } from '../../training/readings/read-utterances.ts';
import { answersOfPackages } from './python-packages.ts';

/** Words of which the table has a row. */
export const CHARACTERS_OF_INTEREST = ['會', '下', '咪', '成', '使', '到', '度', '上', '話', '哋'];

/** How many characters were read, and how many of them as people read them. */
export type Count = { characters: number; right: number };

/** The characters that a reader reads as people do. */
export type ReaderFigures = {
  reader: string;
  all: Count;
  /** The characters of `CHARACTERS_OF_INTEREST`. */
  byCharacter: ReadonlyMap<string, Count>;
  /**
   * Those of them that transcribers agree about: before the same next character the corpus has them
   * at least twice and always alike, 成日 but not 成個. A single one says nothing.
   */
  agreed: ReadonlyMap<string, Count>;
  /** Wrong readings with the number of times they occur, most frequent first. */
  mistakes: string[];
};

/** A syllable for each character of a sentence; null where the reader has none. */
type Readings = readonly (string | null)[];

/**
 * Compares readings of the held-out utterances with those that people wrote. `folder` holds
 * `hkcancor.tsv`; `python`, where it is not null, is an interpreter with other packages.
 */
export function spokenReadingFigures(folder: string, python: string | null): ReaderFigures[] {
  const all = readUtterances(folder);
  const utterances = all.filter(({ isHeldOut }) => isHeldOut);
  const writtenIn = readingsInPairs(all);
  const texts = utterances.map(({ words }) => words.join(''));
  const read = createSpokenJyutping();
  const readings = new Map<string, readonly Readings[]>([
    ['jyutsing', texts.map((text) => read(text).flatMap(perCharacter))],
    ...(python === null ? [] : answersOfPackages<Readings>(python, 'other_readers.py', texts)),
  ]);
  return [...readings].map(([reader, list]) => figuresOf(reader, { utterances, writtenIn }, list));
}

/** For each character with the next one, the readings that transcribers wrote for the first. */
function readingsInPairs(utterances: readonly Utterance[]): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  for (const { words, syllables } of utterances) {
    const characters = Array.from(words.join(''));
    for (const [at, syllable] of syllables.entries()) {
      const pair = pairAt(characters, at);
      pairs.set(pair, [...(pairs.get(pair) ?? []), syllable]);
    }
  }
  return pairs;
}

function areAlike(readings: readonly string[]): boolean {
  return readings.length > 1 && new Set(readings).size === 1;
}

function pairAt(characters: readonly string[], at: number): string {
  return `${characters[at]}${characters[at + 1] ?? ''}`;
}

function perCharacter({ character, jyutping }: ReturnType<ReturnType<typeof createSpokenJyutping>>[number]): Readings {
  const characters = Array.from(character);
  const syllables = jyutping?.split(' ') ?? [];
  return characters.map((_, index) => (syllables.length === characters.length ? syllables[index]! : null));
}

function noneOfEach(): Map<string, Count> {
  return new Map(CHARACTERS_OF_INTEREST.map((character) => [character, { characters: 0, right: 0 }]));
}

type Transcribed = { utterances: readonly Utterance[]; writtenIn: ReadonlyMap<string, readonly string[]> };

function figuresOf(reader: string, { utterances, writtenIn }: Transcribed, list: readonly Readings[]): ReaderFigures {
  const all: Count = { characters: 0, right: 0 };
  const [byCharacter, agreed] = [noneOfEach(), noneOfEach()];
  const mistakes = new Map<string, { count: number; example: string }>();
  for (const [index, { words, syllables }] of utterances.entries()) {
    const text = words.join('');
    const characters = Array.from(text);
    for (const [at, character] of characters.entries()) {
      const expected = syllables[at]!;
      if (!isComparable(character, expected)) continue;
      const actual = list[index]?.[at] ?? null;
      const isRight = isSame(actual, expected);
      const isAgreed = characters.length > 1 && areAlike(writtenIn.get(pairAt(characters, at)) ?? []);
      for (const count of [all, byCharacter.get(character), isAgreed ? agreed.get(character) : undefined]) {
        if (count === undefined) continue;
        count.characters += 1;
        count.right += isRight ? 1 : 0;
      }
      if (isRight) continue;
      const name = `${character} ${expected}, not ${actual}`;
      const mistake = mistakes.get(name) ?? { count: 0, example: text };
      mistakes.set(name, { ...mistake, count: mistake.count + 1 });
    }
  }
  const listed = [...mistakes].toSorted((one, other) => other[1].count - one[1].count);
  return {
    reader,
    all,
    byCharacter,
    agreed,
    mistakes: listed.map(([name, { count, example }]) => `${count} × ${name}: ${example}`),
  };
}

/** Sounds that speakers use interchangeably (ngaam1, aam1) are one reading. */
function isSame(actual: string | null, expected: string): boolean {
  return actual !== null && (actual === expected || pronunciationVariants(expected).includes(actual));
}
