import type { Verdict } from '#contracts/pronunciation.ts';
import { type Calibration, type CalibrationLine, wrongOddsLogp } from './calibration.ts';
import { addLogs, type SegmentEvidence } from './segment-evidence.ts';
import type { Reading, SyllableSound } from './syllable-sounds.ts';

/** A part of a syllable as it was judged; `heard` is its number, tones from 1. */
export type JudgedPart = {
  heard: number;
  verdict: Exclude<Verdict, 'omitted'>;
  /** 0–100. */
  score: number;
  /** Odds that it was said wrongly. */
  wrongOdds: number;
};

export type JudgedSyllable = {
  reading: Reading;
  onset: JudgedPart;
  rime: JudgedPart;
  tone: JudgedPart;
  verdict: Exclude<Verdict, 'omitted'>;
  score: number;
  heard: SyllableSound;
};

/** What was heard of the parts, whatever was expected: log-likelihoods by number. */
export type PartEvidence = { onset: Float64Array; rime: Float64Array; tone: readonly number[] };

/** The score of what is as likely wrong as right: the mark that a Cantonese recording must reach. */
const EVEN_SCORE = 90;
/** Below it the score falls so that odds of 10 to 1 against it leave 31. */
const FALL = 0.585;
/** A variant is accepted, and is not what the dictionary has. */
const VARIANT_SCORE = 93;
/** A reading that is not the likeliest in its context must sound better by this much (nats of odds) to be the one that was meant. */
const LATER_READING_COST = 0.7;
/** Of two accepted sounds the expected one is taken to have been said unless the variant is clearer by this much. */
const EXPECTED_PRIOR = 1;

/** 0–100, monotone in the probability that it was said as expected; 90 where that is a half. */
export function scoreOf(wrongOdds: number): number {
  const probability = 1 / (1 + wrongOdds);
  if (probability >= 0.5) return EVEN_SCORE + (100 - EVEN_SCORE) * (2 * probability - 1);
  return EVEN_SCORE * (2 * probability) ** FALL;
}

/** Sums over the other part: what an onset is does not hang on what the rime is. */
export function partEvidence({ rows, columns, logp }: SegmentEvidence, tone: readonly number[]): PartEvidence {
  const onset = new Float64Array(rows).fill(-Infinity);
  const rime = new Float64Array(columns).fill(-Infinity);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      onset[row] = addLogs(onset[row]!, logp[at]!);
      rime[column] = addLogs(rime[column]!, logp[at]!);
    }
  }
  return { onset, rime, tone };
}

/**
 * Judges a syllable by the accepted reading that fits best. Each part has odds of having been said wrongly; the odds of the syllable are
 * their sum, which is a soft minimum of the parts' scores: one wrong part makes a wrong syllable.
 */
export function judgeSyllable(
  readings: readonly Reading[],
  evidence: PartEvidence,
  calibration: Calibration,
): JudgedSyllable {
  let best: JudgedSyllable | null = null;
  let bestCost = Infinity;
  readings.forEach((reading, index) => {
    const judged = judgeAs(reading, evidence, calibration);
    const cost = Math.log(wrongOddsOf(judged)) + (index === 0 ? 0 : LATER_READING_COST);
    if (best === null || cost < bestCost) [best, bestCost] = [judged, cost];
  });
  return best!;
}

const wrongOddsOf = ({ onset, rime, tone }: Pick<JudgedSyllable, 'onset' | 'rime' | 'tone'>): number =>
  onset.wrongOdds + rime.wrongOdds + tone.wrongOdds;

function judgeAs(reading: Reading, evidence: PartEvidence, calibration: Calibration): JudgedSyllable {
  const onset = judgePart(evidence.onset, reading.onset, reading.onsetVariants, calibration.onset);
  const rime = judgePart(evidence.rime, reading.rime, reading.rimeVariants, calibration.rime);
  const toneIndex = judgePart(evidence.tone, reading.tone - 1, [], calibration.tone);
  const tone = { ...toneIndex, heard: toneIndex.heard + 1 };
  const parts = [onset, rime, tone];
  const total = scoreOf(wrongOddsOf({ onset, rime, tone }));
  const isVariant = parts.some(({ verdict }) => verdict === 'variant');
  const isWrong = parts.some(({ verdict }) => verdict === 'wrong');
  return {
    reading,
    onset,
    rime,
    tone,
    verdict: isWrong ? 'wrong' : isVariant ? 'variant' : 'right',
    score: isVariant ? Math.min(total, VARIANT_SCORE) : total,
    heard: { onset: onset.heard, rime: rime.heard, tone: tone.heard },
  };
}

function judgePart(
  logp: ArrayLike<number>,
  expected: number,
  variants: readonly number[],
  line: CalibrationLine,
): JudgedPart {
  let accepted = logp[expected]!;
  let variant = -1;
  for (const each of variants) {
    accepted = addLogs(accepted, logp[each]!);
    if (variant < 0 || logp[each]! > logp[variant]!) variant = each;
  }
  let others = -Infinity;
  let rival = -1;
  for (let number = 0; number < logp.length; number++) {
    if (number === expected || variants.includes(number)) continue;
    others = addLogs(others, logp[number]!);
    if (rival < 0 || logp[number]! > logp[rival]!) rival = number;
  }
  const wrongOdds = Math.exp(wrongOddsLogp(accepted - others, line));
  const score = scoreOf(wrongOdds);
  if (wrongOdds > 1 && rival >= 0) return { heard: rival, verdict: 'wrong', score, wrongOdds };
  const isVariant = variant >= 0 && logp[variant]! > logp[expected]! + EXPECTED_PRIOR;
  return isVariant
    ? { heard: variant, verdict: 'variant', score: Math.min(score, VARIANT_SCORE), wrongOdds }
    : { heard: expected, verdict: 'right', score, wrongOdds };
}
