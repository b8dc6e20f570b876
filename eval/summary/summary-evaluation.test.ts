import { describe, expect, it } from 'vitest';
import { detectTranscriptLanguage } from '@jyutsing/text/summary/languages';
import { lettersOf, scoreSummary } from './score-summary.ts';
import { FORMS, HALVES, inForm, readTranscripts, type KeyedTranscript } from './transcripts.ts';

const TALK: KeyedTranscript = {
  name: 'talk',
  language: 'english',
  title: null,
  sentences: [
    { text: 'Hello there.', isKey: false },
    { text: 'Bread needs salt, water and time.', isKey: true },
    { text: 'My oven is old.', isKey: false },
    { text: 'Never open the oven early.', isKey: true },
  ],
};

describe('summary score', () => {
  it('a quoted key sentence is kept, regardless of punctuation and capitals', () => {
    const score = scoreSummary(TALK, 'bread needs salt water and time. My oven is old.');
    expect(score).toMatchObject({ keySentences: 2, kept: 1, isExtract: true });
    expect(score.keyCharactersKept).toBeCloseTo(26 / 47, 1);
  });

  it('a partly quoted key sentence counts by characters, and as kept from two thirds on', () => {
    expect(scoreSummary(TALK, 'Bread needs salt.').kept).toBe(0);
    expect(scoreSummary(TALK, 'Salt water and time. Never open the oven.').kept).toBe(1);
  });

  it('text not in the transcript or out of order is no extract', () => {
    expect(scoreSummary(TALK, 'Bread needs sugar.').isExtract).toBe(false);
    expect(scoreSummary(TALK, 'My oven is old. Hello there.').isExtract).toBe(false);
    expect(scoreSummary(TALK, '')).toMatchObject({ kept: 0, lengthShare: 0, isExtract: true });
  });
});

describe.each(HALVES)('transcripts of the %s half', (half) => {
  it('have 60 to 150 sentences and 6 to 10 key sentences that fit into a summary', async () => {
    for (const { name, sentences } of await readTranscripts(half)) {
      const keys = sentences.filter(({ isKey }) => isKey);
      const length = (of: typeof sentences) => of.reduce((sum, { text }) => sum + text.length, 0);
      expect.soft(sentences.length, name).toBeGreaterThanOrEqual(60);
      expect.soft(sentences.length, name).toBeLessThanOrEqual(150);
      expect.soft(keys.length, name).toBeGreaterThanOrEqual(6);
      expect.soft(keys.length, name).toBeLessThanOrEqual(10);
      expect.soft(length(keys) / length(sentences), name).toBeLessThan(0.15);
    }
  });

  it('have the same text in every form, and the language of their name', async () => {
    for (const transcript of await readTranscripts(half)) {
      const letters = lettersOf(transcript.sentences.map(({ text }) => text).join(''));
      for (const form of FORMS) {
        const text = inForm(transcript, form);
        expect(lettersOf(text)).toBe(letters);
        expect(detectTranscriptLanguage(text)).toBe(transcript.language);
      }
    }
  });
});

it('no transcript is in both halves', async () => {
  const [test, development] = await Promise.all(HALVES.map(readTranscripts));
  const developmentTexts = new Set(development!.flatMap(({ sentences }) => sentences.map(({ text }) => text)));
  const shared = test!.flatMap(({ sentences }) => sentences.filter(({ text }) => developmentTexts.has(text)));
  expect(shared).toEqual([]);
});
