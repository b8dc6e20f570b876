import { describe, expect, it } from 'vitest';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { BOUNDARY_WORD, openLanguageModel } from './language-model.ts';
import { decodeModelFile } from './model-file.ts';
import { smallModel } from '#engines/builtin/testing/small-model.ts';

const WORDS = [
  { text: '香港', readings: ['hoeng1 gong2'], count: 60 },
  { text: '香', readings: ['hoeng1'], count: 20 },
  { text: '講', readings: ['gong2'], count: 80 },
  { text: '港', readings: ['gong2'], count: 10 },
  { text: '行', readings: ['haang4', 'hang4', 'hong4'], count: 40 },
  { text: '香港人', readings: ['hoeng1 gong2 jan4'], count: 15 },
  { text: '人', readings: ['jan4'], count: 70 },
];
const model = openLanguageModel(
  decodeModelFile(
    smallModel(WORDS, [
      ['香港', '人'],
      ['人', '講'],
      ['人', '行'],
    ]),
  ),
);
const numberOf = (text: string) =>
  Array.from({ length: model.wordCount }, (_, word) => word).find((word) => model.text(word) === text)!;

/** Returns the node that a pronunciation leads to, or −1. */
function nodeOf(reading: string): number {
  return reading
    .split(' ')
    .reduce((node, unit) => (node < 0 ? -1 : model.trie.child(node, model.syllableNumber(unit) ?? 999)), 0);
}

const textsAt = (node: number) =>
  Array.from({ length: model.trie.endPronunciation(node) - model.trie.firstPronunciation(node) }, (_, index) =>
    model.text(model.trie.word(model.trie.firstPronunciation(node) + index)),
  );

describe('the tree of pronunciations', () => {
  it('has every word at each of its readings, the most frequent first, and no others', () => {
    const readings = [...new Set(WORDS.flatMap((word) => word.readings))];
    for (const reading of readings) {
      const expected = WORDS.filter((word) => word.readings.includes(reading)).toSorted((a, b) => b.count - a.count);
      expect(textsAt(nodeOf(reading))).toEqual(expected.map(({ text }) => text));
    }
  });

  it.each(['jan4 gong2', 'gong2 gong2', 'hoeng1 jan4', 'xxx1'])('has nothing at %s', (reading) => {
    expect(nodeOf(reading)).toBe(-1);
  });

  it('leads back from each node to the root', () => {
    for (let node = 1; node < model.trie.nodeCount; node += 1) {
      const parent = model.trie.parent(node);
      expect(parent).toBeLessThan(node);
      expect(model.trie.child(parent, model.trie.unit(node))).toBe(node);
    }
    expect(model.trie.hasChildren(nodeOf('hoeng1 gong2'))).toBe(true);
    expect(model.trie.hasChildren(nodeOf('jan4'))).toBe(false);
  });
});

describe('probabilities', () => {
  const total = WORDS.reduce((sum, { count }) => sum + count, WORDS.length);

  it('of a word alone are its share, as exactly as the file stores it', () => {
    for (const { text, count } of WORDS)
      expect(Math.abs(model.unigramLogp(numberOf(text)) - Math.log(count / total))).toBeLessThanOrEqual(0.051);
  });

  it('of a reading are shared evenly by the readings of a word', () => {
    const node = nodeOf('hong4');
    expect(model.readingLogp(model.trie.firstPronunciation(node))).toBeCloseTo(Math.log(1 / 3), 1);
  });

  it('of a known pair are those of the pair, and of others those of the word at a price', () => {
    const after = model.context(BOUNDARY_WORD, numberOf('人'));
    expect(model.logp(after, numberOf('講'))).toBeCloseTo(Math.log(0.45), 1);
    expect(model.logp(after, numberOf('行'))).toBeCloseTo(Math.log(0.45), 1);
    expect(model.logp(after, numberOf('香'))).toBeCloseTo(Math.log(0.1) + model.unigramLogp(numberOf('香')), 1);
    // The model has no word that follows 香.
    const unknown = model.context(BOUNDARY_WORD, numberOf('香'));
    expect(model.logp(unknown, numberOf('人'))).toBe(model.unigramLogp(numberOf('人')));
  });

  it('depend on the nearest words only where a pair is known', () => {
    const pair = model.context(numberOf('香港'), numberOf('人'));
    const other = model.context(numberOf('行'), numberOf('人'));
    for (const { text } of WORDS)
      expect(model.logp(pair, numberOf(text))).toBeCloseTo(model.logp(other, numberOf(text)), 6);
  });
});

it('any list of words is found again', () => {
  const random = randomFrom(11);
  const syllables = ['aa1', 'baa2', 'caa3', 'daa4'];
  const readings = new Set<string>();
  while (readings.size < 60)
    readings.add(
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => syllables[Math.floor(random() * 4)]!).join(' '),
    );
  const words = [...readings].map((reading, index) => ({
    text: String.fromCodePoint(0x4e00 + index),
    readings: [reading],
    count: 1 + index,
  }));
  const { trie, syllableNumber, text } = openLanguageModel(decodeModelFile(smallModel(words)));
  for (const word of words) {
    let node = 0;
    for (const unit of word.readings[0]!.split(' ')) node = trie.child(node, syllableNumber(unit)!);
    expect(trie.endPronunciation(node) - trie.firstPronunciation(node)).toBe(1);
    expect(text(trie.word(trie.firstPronunciation(node)))).toBe(word.text);
  }
});
