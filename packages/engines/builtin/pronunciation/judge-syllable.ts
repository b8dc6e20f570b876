import type { Verdict } from '@jyutsing/contracts/pronunciation';
import { wrongOdds, type CalibrationLine, type CalibrationLines } from './calibration.ts';
import {
  likeliestSyllable,
  onsetEvidence,
  rimeEvidence,
  segmentFit,
  toneEvidence,
  type PartEvidence,
} from './part-evidence.ts';
import type { SegmentEvidence } from './segment-evidence.ts';
import type { Reading, SyllableSound, SyllableSounds } from './syllable-sounds.ts';
import { NO_RELIEF, type Relief } from './unfamiliar-voice.ts';
import { addLogs } from './add-logs.ts';

/** Judgement of a part of a syllable; onset, rime and tone have the numbers of `SyllableSound`. */
export type JudgedPart = {
  heard: number;
  verdict: Exclude<Verdict, 'omitted'>;
  /** Score, 0–100. */
  score: number;
  /** Odds of a wrong pronunciation against a right one. */
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
  /** Score, 0–100. */
  score: number;
  heard: SyllableSound;
};

/** Evidence for one accepted reading of a syllable. */
type ReadingEvidence = Record<'onset' | 'rime' | 'tone', PartEvidence> & {
  reading: Reading;
  /** Log-posterior of this reading among all syllables of the language. */
  fitLogp: number;
};

/** Evidence for a syllable of the text, by accepted reading, at least one. */
export type SyllableEvidence = { readings: readonly ReadingEvidence[]; likeliest: SyllableSound };

/** Settings of a language for judging. */
export type JudgingRules = {
  sounds: SyllableSounds;
  calibration: CalibrationLines;
  /** Lines for fluent speech that agrees with its text; null where none were fitted. */
  fluent: CalibrationLines | null;
  /** Score at even odds of right and wrong. */
  passMark: number;
};

/** Highest cost of a variant, as a share of the range above the mark. */
const VARIANT_SHARE = 0.3;
/**
 * Least lead, in nats of odds, by which an alternative reading must fit better than the most
 * probable one in its context.
 */
const LATER_READING_COST = 0.7;
/** Least lead, in nats, by which a variant must fit better than the expected sound. */
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

/** Weighs every accepted reading of a syllable; `toneLogp` is indexed by tone − 1. */
export function weighSyllable(
  readings: readonly Reading[],
  { segments, toneLogp }: { segments: SegmentEvidence; toneLogp: readonly number[] },
  sounds: SyllableSounds,
): SyllableEvidence {
  const fitOf = segmentFit(segments, sounds);
  const allTones = toneLogp.reduce(addLogs, -Infinity);
  return {
    readings: readings.map((reading) => ({
      reading,
      onset: onsetEvidence(segments, reading, sounds),
      rime: rimeEvidence(segments, reading, sounds),
      tone: toneEvidence(toneLogp, reading.tone),
      fitLogp: fitOf(reading) + toneLogp[reading.tone - 1]! - allTones,
    })),
    likeliest: likeliestSyllable(segments, toneLogp, sounds),
  };
}

/**
 * Judges a syllable by the accepted reading that fits best. Each part has odds of being wrong; the
 * odds of the syllable are their sum, which is a soft minimum of the parts' scores: one wrong part
 * makes a wrong syllable. A part that is right only thanks to relief is `unsure`.
 */
export function judgeSyllable(evidence: SyllableEvidence, rules: JudgingRules, relief = NO_RELIEF): JudgedSyllable {
  let best: JudgedSyllable | null = null;
  let bestCost = Infinity;
  evidence.readings.forEach((reading, index) => {
    const judged = judgeAs(reading, evidence.likeliest, rules, relief);
    const cost = Math.log(wrongOddsOf(judged)) + (index === 0 ? 0 : LATER_READING_COST);
    if (best === null || cost < bestCost) [best, bestCost] = [judged, cost];
  });
  return best!;
}

const wrongOddsOf = ({ onset, rime, tone }: Pick<JudgedSyllable, 'onset' | 'rime' | 'tone'>): number =>
  onset.wrongOdds + rime.wrongOdds + tone.wrongOdds;

function judgeAs(
  evidence: ReadingEvidence,
  likeliest: SyllableSound,
  { calibration, fluent, passMark }: JudgingRules,
  relief: Relief,
): JudgedSyllable {
  const { reading } = evidence;
  const judge = (part: 'onset' | 'rime' | 'tone') => {
    const { oddsLogp } = evidence[part];
    const reliefLogp = part === 'tone' ? relief.tone : relief.segments;
    const fluentLogp = fluent === null ? 0 : leniencyOf(oddsLogp, calibration[part], fluent[part]);
    return judgePart(evidence[part], reading[part], calibration[part], {
      passMark,
      reliefLogp: reliefLogp + relief.fluency * fluentLogp,
    });
  };
  const [onset, rime, tone] = [judge('onset'), judge('rime'), judge('tone')];
  const parts = [onset, rime, tone];
  const score = scoreOf(wrongOddsOf({ onset, rime, tone }), passMark);
  if (score < passMark) blameTheWeakest(parts, score);
  if (onset.verdict === 'wrong' && rime.verdict === 'wrong') {
    // The alternatives of each part assumed the other as expected, which is no evidence when both
    // are wrong.
    if (likeliest.onset !== reading.onset) onset.heard = likeliest.onset;
    if (likeliest.rime !== reading.rime) rime.heard = likeliest.rime;
  }
  const has = (searched: Verdict): boolean => parts.some(({ verdict }) => verdict === searched);
  return {
    reading,
    onset,
    rime,
    tone,
    verdict: score < passMark ? 'wrong' : has('unsure') ? 'unsure' : has('variant') ? 'variant' : 'right',
    score: has('variant') ? Math.min(score, variantScore(passMark)) : score,
    heard: { onset: onset.heard, rime: rime.heard, tone: tone.heard },
  };
}

/** Returns by how many nats a line for fluent speech is more lenient than another one. */
function leniencyOf(oddsLogp: number, line: CalibrationLine, fluent: CalibrationLine): number {
  return Math.log(wrongOdds(oddsLogp, line) / wrongOdds(oddsLogp, fluent));
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
  { passMark, reliefLogp }: { passMark: number; reliefLogp: number },
): JudgedPart {
  const measured = wrongOdds(oddsLogp, line);
  const odds = measured * Math.exp(-reliefLogp);
  const score = scoreOf(odds, passMark);
  if (odds > 1) return { heard: rival, verdict: 'wrong', score, wrongOdds: odds, rival };
  if (measured > 1) return { heard: rival, verdict: 'unsure', score, wrongOdds: odds, rival };
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
