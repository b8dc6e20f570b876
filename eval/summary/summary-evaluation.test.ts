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

describe('the score of a summary', () => {
  it('a key sentence that is quoted is kept, whatever its marks and capitals', () => {
    const score = scoreSummary(TALK, 'bread needs salt water and time. My oven is old.');
    expect(score).toMatchObject({ keySentences: 2, kept: 1, isExtract: true });
    expect(score.keyCharactersKept).toBeCloseTo(26 / 47, 1);
  });

  it('a part of a key sentence counts for its characters, and as kept from two thirds on', () => {
    expect(scoreSummary(TALK, 'Bread needs salt.').kept).toBe(0);
    expect(scoreSummary(TALK, 'Salt water and time. Never open the oven.').kept).toBe(1);
  });

  it('what was not said, and what is out of order, is no extract', () => {
    expect(scoreSummary(TALK, 'Bread needs sugar.').isExtract).toBe(false);
    expect(scoreSummary(TALK, 'My oven is old. Hello there.').isExtract).toBe(false);
    expect(scoreSummary(TALK, '')).toMatchObject({ kept: 0, lengthShare: 0, isExtract: true });
  });
});

describe.each(HALVES)('the transcripts of the %s half', (half) => {
  it('have 60 to 150 sentences, 6 to 10 of them keys, which fit into the length of a summary', async () => {
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

  it('say the same in every form, in the language they are named after', async () => {
    for (const transcript of await readTranscripts(half)) {
      const said = lettersOf(transcript.sentences.map(({ text }) => text).join(''));
      for (const form of FORMS) {
        const text = inForm(transcript, form);
        expect(lettersOf(text)).toBe(said);
        expect(detectTranscriptLanguage(text)).toBe(transcript.language);
      }
    }
  });
});

it('no transcript is in both halves', async () => {
  const [test, development] = await Promise.all(HALVES.map(readTranscripts));
  const known = new Set(development!.flatMap(({ sentences }) => sentences.map(({ text }) => text)));
  const shared = test!.flatMap(({ sentences }) => sentences.filter(({ text }) => known.has(text)));
  expect(shared).toEqual([]);
});
