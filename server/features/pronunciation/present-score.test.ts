import { describe, expect, it } from 'vitest';
import type { AssessedSyllable, PronunciationAssessment, PronunciationTarget } from '@jyutsing/contracts/pronunciation';
import { presentScore } from './present-score.ts';

const part = { expected: 'm', heard: 'm', verdict: 'right', score: 97.249 } as const;
const SYLLABLE: AssessedSyllable = {
  text: '行',
  expected: 'hong4',
  heard: 'hong2',
  score: 61.04,
  verdict: 'wrong',
  rule: null,
  startMs: 119.6,
  endMs: 480.4321,
  onset: { ...part, expected: 'h', heard: 'h' },
  rime: { expected: 'ong', heard: null, verdict: 'omitted', score: 0 },
  tone: { expected: 4, heard: 2, verdict: 'wrong', score: 3.05, contourSemitones: [-0.001, 1.236, -12.3456] },
};
const COMMON = {
  score: 89.95,
  accuracyScore: 80.06,
  fluencyScore: 70.04,
  integrityScore: 100,
  heard: 'hong2',
  insertions: [],
};
const PASSED = { reason: null, insertions: [], omissions: [] };
const CANTONESE: PronunciationAssessment = { ...COMMON, language: 'cantonese', syllables: [SYLLABLE] };
const TARGET: PronunciationTarget = {
  language: 'cantonese',
  units: [
    { kind: 'syllable', text: '行', readings: ['haang4', 'hong4'], afterPause: false },
    { kind: 'other', text: 'OK', afterPause: false },
    { kind: 'syllable', text: '呀', readings: ['aa3'], afterPause: true },
  ],
};

const scored = (score: number, assessment: PronunciationAssessment = CANTONESE) =>
  presentScore({ target: TARGET, assessment: { ...assessment, score } }, '行OK呀');

describe('Cantonese', () => {
  it('has the fields of the interface, with details of each syllable', () => {
    expect(presentScore({ target: TARGET, assessment: CANTONESE }, '行OK呀')).toEqual({
      success: true,
      score: 90,
      passed: true,
      ...PASSED,
      language: 'cantonese',
      strictness: 'everyday',
      expectedJyutping: 'haang4 aa3',
      transcribedJyutping: 'hong2',
      syllables: [
        {
          text: '行',
          expected: 'hong4',
          heard: 'hong2',
          score: 61,
          verdict: 'wrong',
          rule: null,
          start: 0.12,
          end: 0.48,
          onset: { expected: 'h', heard: 'h', score: 97.2, verdict: 'right' },
          rime: { expected: 'ong', heard: null, score: 0, verdict: 'omitted' },
          tone: { expected: 4, heard: 2, score: 3.1, verdict: 'wrong', contour: [0, 1.24, -12.35] },
        },
      ],
    });
  });

  it('an omitted syllable has no times', () => {
    const omitted = { ...SYLLABLE, startMs: null, endMs: null, heard: null, verdict: 'omitted' as const };
    const shown = presentScore({ target: TARGET, assessment: { ...CANTONESE, syllables: [omitted] } }, '行');
    expect(shown).toMatchObject({ syllables: [{ start: null, end: null, heard: null, verdict: 'omitted' }] });
  });
});

describe('Mandarin and English', () => {
  const reading = {
    success: true,
    score: 75.4,
    passed: true,
    ...PASSED,
    expectedText: '行OK呀',
    accuracyScore: 80.1,
    fluencyScore: 70,
    integrityScore: 100,
    pronunciationScore: 75.4,
  };

  it('Mandarin has a score for each character', () => {
    const assessment: PronunciationAssessment = { ...CANTONESE, language: 'mandarin', score: 75.4, heard: '红' };
    expect(presentScore({ target: { ...TARGET, language: 'mandarin' }, assessment }, '行OK呀')).toEqual({
      ...reading,
      language: 'mandarin',
      transcribedText: '红',
      wordScores: [{ word: '行', score: 61 }],
      syllables: [expect.objectContaining({ text: '行', heard: 'hong2', start: 0.12 })],
    });
  });

  it('pinyin is written with ü everywhere', () => {
    const rime = { ...SYLLABLE.rime, expected: 'v', heard: 've' };
    const syllable = { ...SYLLABLE, text: 'lv4', expected: 'lv4', heard: 'lve4', rime };
    const assessment: PronunciationAssessment = {
      ...CANTONESE,
      language: 'mandarin',
      heard: 'lve4',
      syllables: [syllable],
    };
    const shown = presentScore({ target: { ...TARGET, language: 'mandarin' }, assessment }, 'lü4');
    expect(shown).toMatchObject({
      expectedText: 'lü4',
      transcribedText: 'lüe4',
      wordScores: [{ word: 'lü4' }],
      syllables: [{ text: 'lü4', expected: 'lü4', heard: 'lüe4', rime: { expected: 'ü', heard: 'üe', score: 0 } }],
    });
    expect(JSON.stringify(shown)).not.toMatch(/lv/);
  });

  it('English has a score for each word, and its phonemes', () => {
    const times = { startMs: 0, endMs: 1_234.5678 };
    const phonemes = [{ ...times, expected: 'OW', heard: 'AO', verdict: 'variant', score: 88.88 } as const];
    const assessment: PronunciationAssessment = {
      ...COMMON,
      language: 'english',
      score: 75.4,
      heard: 'oh',
      words: [{ ...times, text: 'Oh', verdict: 'variant', score: 88.88, phonemes }],
    };
    const target: PronunciationTarget = {
      language: 'english',
      units: [{ kind: 'word', text: 'Oh', pronunciations: [['OW']], afterPause: false }],
    };
    expect(presentScore({ target, assessment }, '行OK呀')).toEqual({
      ...reading,
      language: 'english',
      transcribedText: 'oh',
      wordScores: [{ word: 'Oh', score: 88.9 }],
      words: [
        {
          text: 'Oh',
          score: 88.9,
          verdict: 'variant',
          start: 0,
          end: 1.235,
          phonemes: [{ expected: 'OW', heard: 'AO', score: 88.9, verdict: 'variant', start: 0, end: 1.235 }],
        },
      ],
    });
  });
});

describe('passed', () => {
  it.each([
    ['cantonese', 90, true],
    ['cantonese', 89.95, true],
    ['cantonese', 89.94, false],
    ['mandarin', 70, true],
    ['mandarin', 69.94, false],
  ] as const)('in %s with %d: %s, consistent with the shown score', (language, score, passed) => {
    const shown = scored(score, { ...CANTONESE, language });
    expect(shown.passed).toBe(passed);
    expect(shown.passed).toBe(shown.score >= (language === 'cantonese' ? 90 : 70));
  });

  it('in English from 70 on', () => {
    const assessment: PronunciationAssessment = { ...COMMON, language: 'english', words: [] };
    expect([scored(70, assessment).passed, scored(69.9, assessment).passed]).toEqual([true, false]);
  });
});
