import type { Verdict } from '@jyutsing/contracts/pronunciation';
import { wrongOdds, type Calibration, type CalibrationLine } from './calibration.ts';
import { likeliestSyllable, onsetEvidence, rimeEvidence, toneEvidence, type PartEvidence } from './part-evidence.ts';
import type { SegmentEvidence } from './segment-evidence.ts';
import type { Reading, SyllableSound, SyllableSounds } from './syllable-sounds.ts';

/** Judgement of a part of a syllable; numbers are those of `SyllableSound`. */
export type JudgedPart = {
  heard: number;
  verdict: Exclude<Verdict, 'omitted'>;
  /** 0–100. */
  score: number;
  /** Odds of a wrong pronunciation. */
  wrongOdds: number;
  /** The most probable alternative to the expected sound. */
  rival: number;
};

export type JudgedSyllable = {
  reading: Reading;
  onset: JudgedPart;
  rime: JudgedPart;
  tone: JudgedPart;
  verdict: Exclude<Verdict, 'omitted'>;
  /** 0–100. */
  score: number;
  heard: SyllableSound;
};

/** Evidence for a syllable, independent of the expected one. `toneLogp` by tone − 1. */
type SyllableEvidence = { segments: SegmentEvidence; toneLogp: readonly number[] };

/** Settings of a language for judging. */
export type JudgingRules = {
  sounds: SyllableSounds;
  calibration: Calibration;
  /** Score at even odds of right and wrong. */
  passMark: number;
};

/** Highest cost of a variant, as a share of the range above the mark. */
const VARIANT_SHARE = 0.3;
/**
 * An alternative reading must fit better than the most probable one in its context by this much
 * (nats of odds).
 */
const LATER_READING_COST = 0.7;
/** A variant must fit better than the expected sound by this much. */
const EXPECTED_PRIOR = 1;

/**
 * Maps the probability p = 1 / (1 + odds) of a right pronunciation to 0–100, monotonically: from
 * zero to the mark for p up to a half, from the mark to 100 above.
 */
export function scoreOf(wrongOdds: number, passMark: number): number {
  const probability = 1 / (1 + wrongOdds);
  if (probability >= 0.5) return passMark + (100 - passMark) * (2 * probability - 1);
  return passMark * 2 * probability;
}

/**
 * Judges a syllable by the accepted reading that fits best. Each part has odds of being wrong; the
 * odds of the syllable are their sum, which is a soft minimum of the parts' scores: one wrong part
 * makes a wrong syllable.
 */
export function judgeSyllable(
  readings: readonly Reading[],
  evidence: SyllableEvidence,
  rules: JudgingRules,
): JudgedSyllable {
  let best: JudgedSyllable | null = null;
  let bestCost = Infinity;
  readings.forEach((reading, index) => {
    const judged = judgeAs(reading, evidence, rules);
    const cost = Math.log(wrongOddsOf(judged)) + (index === 0 ? 0 : LATER_READING_COST);
    if (best === null || cost < bestCost) [best, bestCost] = [judged, cost];
  });
  return best!;
}

const wrongOddsOf = ({ onset, rime, tone }: Pick<JudgedSyllable, 'onset' | 'rime' | 'tone'>): number =>
  onset.wrongOdds + rime.wrongOdds + tone.wrongOdds;

function judgeAs(reading: Reading, { segments, toneLogp }: SyllableEvidence, rules: JudgingRules): JudgedSyllable {
  const { sounds, calibration, passMark } = rules;
  const onset = judgePart(onsetEvidence(segments, reading, sounds), reading.onset, calibration.onset, passMark);
  const rime = judgePart(rimeEvidence(segments, reading, sounds), reading.rime, calibration.rime, passMark);
  const tone = judgePart(toneEvidence(toneLogp, reading.tone), reading.tone, calibration.tone, passMark);
  const parts = [onset, rime, tone];
  const score = scoreOf(wrongOddsOf({ onset, rime, tone }), passMark);
  if (score < passMark) blameTheWeakest(parts, score);
  if (onset.verdict === 'wrong' && rime.verdict === 'wrong') {
    // The alternatives of each part assumed the other as expected, which is no evidence when both
    // are wrong.
    const likeliest = likeliestSyllable(segments, toneLogp, sounds);
    if (likeliest.onset !== reading.onset) onset.heard = likeliest.onset;
    if (likeliest.rime !== reading.rime) rime.heard = likeliest.rime;
  }
  const isVariant = parts.some(({ verdict }) => verdict === 'variant');
  return {
    reading,
    onset,
    rime,
    tone,
    verdict: score < passMark ? 'wrong' : isVariant ? 'variant' : 'right',
    score: isVariant ? Math.min(score, variantScore(passMark)) : score,
    heard: { onset: onset.heard, rime: rime.heard, tone: tone.heard },
  };
}

/** Parts that pass separately may fail together: then the worst one is marked as wrong. */
function blameTheWeakest(parts: readonly JudgedPart[], score: number): void {
  if (parts.some(({ verdict }) => verdict === 'wrong')) return;
  const weakest = parts.reduce((worst, part) => (part.wrongOdds > worst.wrongOdds ? part : worst));
  Object.assign(weakest, { verdict: 'wrong', heard: weakest.rival, score: Math.min(weakest.score, score) });
}

const variantScore = (passMark: number): number => passMark + (100 - passMark) * (1 - VARIANT_SHARE);

function judgePart(
  { oddsLogp, rival, variant }: PartEvidence,
  expected: number,
  line: CalibrationLine,
  passMark: number,
): JudgedPart {
  const odds = wrongOdds(oddsLogp, line);
  const score = scoreOf(odds, passMark);
  if (odds > 1) return { heard: rival, verdict: 'wrong', score, wrongOdds: odds, rival };
  return variant !== null && variant.aheadLogp > EXPECTED_PRIOR
    ? {
        heard: variant.number,
        verdict: 'variant',
        score: Math.min(score, variantScore(passMark)),
        wrongOdds: odds,
        rival,
      }
    : { heard: expected, verdict: 'right', score, wrongOdds: odds, rival };
}
