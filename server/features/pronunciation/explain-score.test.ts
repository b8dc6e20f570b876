import { expect, it } from 'vitest';
import type {
  AssessedSyllable,
  InsertedSpeech,
  PronunciationAssessment,
  Verdict,
} from '@jyutsing/contracts/pronunciation';
import { explainScore } from './explain-score.ts';

const part = { expected: 'g', heard: 'g', verdict: 'right', score: 99 } as const;

function syllable(text: string, verdict: Verdict, spoken: string | null): AssessedSyllable {
  return {
    text,
    expected: 'gong2',
    heard: spoken,
    score: 50,
    verdict,
    rule: null,
    startMs: 0,
    endMs: 100,
    onset: part,
    rime: part,
    tone: { ...part, expected: 2, heard: 2, contourSemitones: [] },
  };
}

const right = (text: string): AssessedSyllable => syllable(text, 'right', 'gong2');

function explain(
  syllables: AssessedSyllable[],
  insertions: InsertedSpeech[] = [],
  language: 'cantonese' | 'mandarin' = 'cantonese',
  fluencyScore = 80,
) {
  const scores = { score: 50, accuracyScore: 50, fluencyScore, integrityScore: 100, heard: '' };
  return explainScore({ ...scores, language, insertions, syllables } satisfies PronunciationAssessment);
}

it('says why a score fails, also where every syllable is right', () => {
  const laa: InsertedSpeech = { kind: 'other', heard: 'laa1', startMs: 1_240, endMs: 1_400 };
  const again: InsertedSpeech = { kind: 'repetition', heard: 'gong2', startMs: 0, endMs: 300 };
  const three = [right('香'), right('港'), right('好')];
  expect([
    explain([right('香'), syllable('港', 'wrong', 'gong4')]),
    explain([...three, syllable('天', 'omitted', null)]),
    explain(three, [laa]),
    explain(three, [again]),
    explain(three, [], 'mandarin', 30),
    explain(three),
    explain([right('香'), syllable('港', 'wrong', 'gong4'), syllable('天', 'omitted', null)]),
  ]).toEqual([
    { code: 'wrong_sounds', message: '1 syllable sounds different: 港 was gong4 instead of gong2.' },
    { code: 'left_out', message: '1 syllable of the text was not heard: 天.' },
    {
      code: 'added',
      message:
        'Every syllable is right, but the score is lowered by the rest. Something was added that the text does not have: laa1 at 1.2 s.',
    },
    {
      code: 'repeated',
      message:
        'Every syllable is right, but the score is lowered by the rest. A part was said more than once: gong2 at 0.0 s.',
    },
    {
      code: 'not_fluent',
      message: 'Every syllable is right, but the score is lowered by the rest. The speech is slow or broken by pauses.',
    },
    {
      code: 'several_weak',
      message: 'No syllable is clearly wrong, but several are only just recognizable.',
    },
    {
      code: 'other_text',
      message: 'Only 1 of 3 syllables could be recognized; check that this text was read, close to the microphone.',
    },
  ]);
});
