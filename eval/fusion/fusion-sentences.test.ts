import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadShippedCorpora } from '@jyutsing/text/corpora/load-shipped-corpora';
import { fusionConditions } from './fusion-conditions.ts';
import { PRIVATE, readFusionSentences } from './fusion-sentences.ts';
import { romanizedUnits } from '../spoken-sentences.ts';

const sentences = await readFusionSentences();
const corpora = new Map(
  loadShippedCorpora(join(import.meta.dirname, '../../corpora')).map(({ id, entries }) => [
    id,
    new Set(entries.map(({ text }) => text)),
  ]),
);
const listed = new Set([...corpora.values()].flatMap((texts) => [...texts]));

describe('fusion sentences', () => {
  it('have one syllable per character', () => {
    for (const { text, jyutping } of sentences) {
      expect(romanizedUnits('cantonese', jyutping)).toHaveLength(text.match(/\p{Script=Han}/gu)?.length ?? 0);
    }
  });

  it('contain their terms, and no sentence occurs twice', () => {
    for (const { text, terms } of sentences) {
      expect(terms.length).toBeGreaterThan(0);
      for (const term of terms) expect(text).toContain(term);
    }
    expect(new Set(sentences.map(({ text }) => text)).size).toBe(sentences.length);
  });

  it('use terms of the shipped corpora, or made-up names that no corpus lists', () => {
    const misplaced = sentences.flatMap(({ topic, terms }) =>
      terms.filter((term) => listed.has(term) !== (topic !== PRIVATE)),
    );
    expect(misplaced).toEqual([]);
    expect([...corpora.keys(), PRIVATE]).toEqual(expect.arrayContaining(sentences.map(({ topic }) => topic)));
  });

  it('are enough of each kind, split into halves of similar size', () => {
    const made = sentences.filter(({ topic }) => topic === PRIVATE);
    expect(made.length).toBeGreaterThanOrEqual(40);
    expect(sentences.length - made.length).toBeGreaterThanOrEqual(150);
    const judged = sentences.filter(({ half }) => half === 'judged').length;
    expect(judged / sentences.length).toBeGreaterThan(0.4);
    expect(judged / sentences.length).toBeLessThan(0.6);
  });
});

describe('fusion conditions', () => {
  const conditions = fusionConditions(sentences);
  const biasOf = (name: string, topic: string) =>
    conditions
      .find((condition) => condition.name === name)
      ?.biasOf(sentences.find((sentence) => sentence.topic === topic)!);

  it('provide no terms, those of all corpora, or those of one corpus', () => {
    expect(biasOf('no corpus, no hint', 'food')?.terms).toEqual([]);
    const all = biasOf('all public corpora', 'food')?.terms.length ?? 0;
    const one = biasOf('the corpus of the subject', 'food')?.terms.length ?? 0;
    expect(one).toBeGreaterThan(100);
    expect(all).toBeGreaterThan(5 * one);
  });

  it('made-up names have a corpus of their own and no topic corpus', () => {
    expect(biasOf('the corpus of the subject', PRIVATE)).toBeNull();
    expect(biasOf('a corpus of one’s own', 'food')).toBeNull();
    const names = biasOf('a corpus of one’s own', PRIVATE)?.terms.map(({ text }) => text);
    expect(names).toContain('晉滔科技');
  });

  it('a hint names the terms of the sentence among others of its topic', () => {
    const context = biasOf('all public corpora and a hint', PRIVATE)?.context ?? '';
    expect(context.split('、').length).toBeGreaterThan(3);
    expect(context).toContain('晉滔科技');
  });
});
