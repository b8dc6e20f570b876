import { addLogs } from '#packages/engines/builtin/pronunciation/add-logs.ts';
import {
  onsetEvidence,
  rimeEvidence,
  segmentFit,
  toneEvidence,
} from '#packages/engines/builtin/pronunciation/part-evidence.ts';
import type { Example } from './examples.ts';

/** Weights of the two models' evidence for onset and rime, and of contour and models for a tone. */
export type Pool = { first: number; further: number };
export type Tones = { contour: number; models: number };

/** Limit of the models' evidence against a tone, in nats, as in the judge of tones. */
const MAX_DOUBT = 6;

function segmentsOf({ first, further }: Example, pool: Pool) {
  return { ...first, logp: first.logp.map((value, at) => pool.first * value + pool.further * further.logp[at]!) };
}

/** Log-posterior of the spoken onset and rime. */
export function poolLogp(example: Example, pool: Pool): number {
  return segmentFit(segmentsOf(example, pool), example.sounds)(example.reading);
}

function tonesOf({ contourLogp, modelLogp }: Example, { contour, models }: Tones): number[] {
  const top = Math.max(...modelLogp);
  const sums = contourLogp.map((value, at) => contour * value + models * Math.max(-MAX_DOUBT, modelLogp[at]! - top));
  const all = sums.reduce(addLogs, -Infinity);
  return sums.map((value) => value - all);
}

/** Log-posterior of the spoken tone; labels are wrong now and then. */
export function toneFit(example: Example, weights: Tones): number {
  return Math.log(0.97 * Math.exp(tonesOf(example, weights)[example.reading.tone - 1]!) + 0.005);
}

/** Log-odds of the spoken part, and of all others in its place. */
export function oddsOf(example: Example, part: 'onset' | 'rime' | 'tone', pool: Pool, weights: Tones) {
  const { reading, sounds } = example;
  if (part === 'tone') {
    const logp = tonesOf(example, weights);
    const rivals = logp.map((_, at) => at + 1).filter((tone) => tone !== reading.tone);
    return {
      spoken: toneEvidence(logp, reading.tone).oddsLogp,
      rivals: rivals.map((tone) => toneEvidence(logp, tone).oddsLogp),
    };
  }
  const segments = segmentsOf(example, pool);
  const evidence = part === 'onset' ? onsetEvidence : rimeEvidence;
  const count = part === 'onset' ? segments.rows : segments.columns;
  const variants = part === 'onset' ? reading.onsetVariants : reading.rimeVariants;
  const rivals = Array.from({ length: count }, (_, number) => number).filter(
    (number) =>
      number !== reading[part] &&
      !variants.includes(number) &&
      sounds.exists(part === 'onset' ? number : reading.onset, part === 'rime' ? number : reading.rime),
  );
  const asRival = (number: number) => ({ ...reading, [part]: number, onsetVariants: [], rimeVariants: [] });
  return {
    spoken: evidence(segments, reading, sounds).oddsLogp,
    rivals: rivals.map((number) => evidence(segments, asRival(number), sounds).oddsLogp),
  };
}
