import { describe, expect, it } from 'vitest';
import type { Term } from '@jyutsing/contracts/corrector';
import { openLanguageModel } from '#engines/builtin/decoder/language-model.ts';
import { decodeModelFile } from '#engines/builtin/decoder/model-file.ts';
import { smallModel } from '#engines/builtin/testing/small-model.ts';
import { term } from '#engines/builtin/testing/correction-segments.ts';
import { syllableCode } from './sound-likeness.ts';
import { createTermIndex, type TermNode } from './term-index.ts';
import { createVocabulary } from './vocabulary.ts';

const model = openLanguageModel(
  decodeModelFile(
    smallModel(
      [
        { text: '香', readings: ['hoeng1'], count: 6 },
        { text: '港', readings: ['gong2'], count: 3 },
        { text: '香港', readings: ['hoeng1 gong2'], count: 50 },
        { text: '港人', readings: ['gong2 jan4'], count: 2 },
        { text: '人', readings: ['jan4'], count: 70 },
        { text: '香港人', readings: ['hoeng1 gong2 jan4'], count: 40 },
        // Two words have one spelling: the more frequent one comes first.
        { text: '行', readings: ['haang4'], count: 20 },
        { text: '行', readings: ['hong4'], count: 5 },
      ],
      [['香港', '人']],
    ),
  ),
);
const vocabulary = createVocabulary(model);
const divided = (text: string) =>
  vocabulary.wordsOf([...text]).map((word) => (word === vocabulary.unknown ? '?' : model.text(word)));

const logpOf = (words: readonly string[]) =>
  words.reduce((sum, word) => sum + model.unigramLogp(vocabulary.wordOf(word)!), 0);

describe('the words of a text', () => {
  it.each([
    ['', []],
    ['香', ['香']],
    ['香港', ['香港']],
    // One word with a count of 40 is likelier than two with 50 and 70.
    ['香港人', ['香港人']],
    ['人香港', ['人', '香港']],
    ['鼕', ['?']],
    ['香鼕港', ['香', '?', '港']],
    ['鼕鼕香港', ['?', '?', '香港']],
    ['港港人人', ['港', '港人', '人']],
  ])('%s: %j', (text, expected) => {
    expect(divided(text)).toEqual(expected);
  });

  it('are the most probable of all divisions', () => {
    const text = [...'香港人港人香港人'];
    /** Lists all ways of dividing characters into words of the model. */
    const divisions = (from: number): string[][] => {
      if (from === text.length) return [[]];
      return Array.from({ length: text.length - from }, (_, length) => text.slice(from, from + length + 1).join(''))
        .filter((word) => vocabulary.wordOf(word) !== undefined)
        .flatMap((word) => divisions(from + [...word].length).map((laterWords) => [word, ...laterWords]));
    };
    const all = divisions(0);
    expect(all.length).toBeGreaterThan(10);
    expect(logpOf(divided(text.join('')))).toBeCloseTo(Math.max(...all.map(logpOf)), 9);
  });

  it('have the number of the more frequent one of a spelling', () => {
    const word = vocabulary.wordOf('行')!;
    expect(model.unigramLogp(word)).toBe(Math.max(...[7, 8].map((number) => model.unigramLogp(number))));
    expect(vocabulary.wordOf('龘')).toBeUndefined();
    expect(vocabulary.wordOf('')).toBeUndefined();
  });
});

describe('the syllables of the model', () => {
  it('have codes, and codes have their syllables', () => {
    for (const [number, syllable] of model.syllables.entries()) {
      expect(vocabulary.codeOf(number)).toBe(syllableCode(syllable));
      expect(vocabulary.numberOf(syllableCode(syllable))).toBe(number);
    }
  });

  it('are none for a syllable that no word has', () => {
    expect(vocabulary.numberOf(syllableCode('si1'))).toBe(-1);
    expect([vocabulary.numberOf(-1), vocabulary.numberOf(1e6), vocabulary.codeOf(99)]).toEqual([-1, -1, -1]);
  });
});

const index = createTermIndex(vocabulary);
/** Returns the terms at the end of these syllables. */
function termsAt(root: TermNode, syllables: string): string[] {
  let node: TermNode | undefined = root;
  for (const syllable of syllables.split(' ')) node = node?.children[node.next.codes.indexOf(syllableCode(syllable))];
  return node?.terms.map(({ characters }) => characters.join('')) ?? [];
}

const listOf = (number: number) => [term('香港', 'hoeng1 gong2', number)];

describe('the tree of terms', () => {
  it('has them at the end of each of their readings', () => {
    const tree = index([
      term('香港', 'hoeng1 gong2'),
      term('鄉港', 'hoeng1 gong2'),
      {
        text: '行人',
        readings: [
          ['hong4', 'jan4'],
          ['haang4', 'jan4'],
        ],
        weight: 1,
      },
    ]);
    expect(termsAt(tree, 'hoeng1 gong2')).toEqual(['香港', '鄉港']);
    expect(termsAt(tree, 'hong4 jan4')).toEqual(['行人']);
    expect(termsAt(tree, 'haang4 jan4')).toEqual(['行人']);
    expect(termsAt(tree, 'hoeng1')).toEqual([]);
  });

  it.each<[string, Term]>([
    ['a single character', term('香', 'hoeng1')],
    ['other letters', term('香a', 'hoeng1 gong2')],
    ['a space', term('香 港', 'hoeng1 gong2')],
    ['nothing', term('', '')],
    ['more than 24 characters', term('香'.repeat(25), 'hoeng1 '.repeat(25).trim())],
    ['a reading of another length', term('香港', 'hoeng1')],
    ['a reading that is no jyutping', term('香港', 'xiang1 gang3')],
    ['no reading', { text: '香港', readings: [], weight: 1 }],
  ])('leaves out a term of %s', (_name, term) => {
    expect(index([term]).children).toEqual([]);
  });

  it('has a term of 24 characters', () => {
    const reading = 'hoeng1 '.repeat(24).trim();
    expect(termsAt(index([term('香'.repeat(24), reading)]), reading)).toEqual(['香'.repeat(24)]);
  });

  it('has the sixteen heaviest of one sound', () => {
    const alike = Array.from({ length: 40 }, (_, number) => {
      return term(`香${String.fromCodePoint(0x4e00 + number)}`, 'hoeng1 gong2', 1 + ((number * 7) % 40) / 10);
    });
    const heaviest = alike.toSorted((a, b) => b.weight - a.weight).slice(0, 16);
    expect(new Set(termsAt(index(alike), 'hoeng1 gong2'))).toEqual(new Set(heaviest.map(({ text }) => text)));
  });

  it.each([
    [5, 5],
    [10, 10],
    [11, 10],
    [0, 1],
    [-3, 1],
    [Number.NaN, 1],
  ])('has a weight within its bounds: %d is %d', (weight, expected) => {
    const tree = index([term('香港', 'hoeng1 gong2', weight)]);
    expect(tree.children[0]!.children[0]!.terms[0]!.weight).toBe(expected);
  });

  it('knows the words of a term, and how probable those after the first are', () => {
    const [foundTerm] = index([term('香港人', 'hoeng1 gong2 jan4')]).children[0]!.children[0]!.children[0]!.terms;
    expect(foundTerm!.words.map((word) => model.text(word))).toEqual(['香港人']);
    expect(foundTerm!.restLogp).toBe(0);
    const [unknown] = index([term('香鼕', 'hoeng1 dung1')]).children[0]!.children[0]!.terms;
    expect(unknown!.restLogp).toBe(-Infinity);
  });

  it('is built once for a list, and for another list of the same terms', () => {
    const terms = [term('香港', 'hoeng1 gong2')];
    const tree = index(terms);
    expect(index(terms)).toBe(tree);
    expect(index([term('香港', 'hoeng1 gong2')])).toBe(tree);
    expect(index([term('香港', 'hoeng1 gong2', 2)])).not.toBe(tree);
  });

  it('is forgotten when four others were used since', () => {
    const first = index(listOf(1.5));
    for (const number of [2.5, 3.5, 4.5]) index(listOf(number));
    expect(index(listOf(1.5))).toBe(first);
    for (const number of [5.5, 6.5, 7.5, 8.5]) index(listOf(number));
    expect(index(listOf(1.5))).not.toBe(first);
  });
});
