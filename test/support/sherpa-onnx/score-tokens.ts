import type { OnnxConstant, OnnxNode } from '../onnx.ts';
import { floats, integers, node } from './typed-onnx.ts';
import { WHISTLES_HZ } from './hum.ts';

/**
 * Log energy in a band that only a whistle reaches, for samples of -1..1, and the offset for 16-bit
 * samples.
 */
export const THRESHOLD = 1;
export const SAMPLE_SCALE_LOG_ENERGY = 2 * Math.log(32_768);
const NEVER = -1_000;

/**
 * Whistle that a token stands for, with a bias. A token of null never comes, and 'blank' comes when
 * there is no whistle.
 */
export type TokenScore = { whistle: number; bias?: number } | 'blank' | null;

/**
 * Nodes that turn log mel energies `[…, bands * stacked]` into a score per token: the energy in the
 * band of its whistle. `addedLogEnergy` is the offset due to the samples' scale.
 */
export function scoreTokens(
  from: string,
  to: string,
  scores: readonly TokenScore[],
  options: { bands?: number; highHz?: number; stacked?: number; addedLogEnergy?: number } = {},
): { nodes: OnnxNode[]; constants: OnnxConstant[] } {
  const { bands = 80, highHz = 7_600, stacked = 1, addedLogEnergy = 0 } = options;
  const offset = bands * Math.floor(stacked / 2);
  const bandOf = (score: TokenScore) =>
    score === null || score === 'blank' ? -1 : offset + kaldiBand(WHISTLES_HZ[score.whistle] ?? 0, bands, highHz);
  return {
    nodes: [node('MatMul', [from, `${to}_weights`], `${to}_energy`), node('Add', [`${to}_energy`, `${to}_bias`], to)],
    constants: [
      floats(`${to}_weights`, [bands * stacked, scores.length], (band, token) =>
        band === bandOf(scores[token] ?? null) ? 1 : 0,
      ),
      floats(`${to}_bias`, [scores.length], (token) => {
        const score = scores[token] ?? null;
        if (score === null) return NEVER;
        return score === 'blank' ? THRESHOLD + addedLogEnergy : (score.bias ?? 0);
      }),
    ],
  };
}

/** Selects every `step`-th frame of `[1, frames, …]`. */
export function everyFrame(step: number, from: string, to: string): { nodes: OnnxNode[]; constants: OnnxConstant[] } {
  return {
    nodes: [node('Slice', [from, `${to}_from`, `${to}_until`, `${to}_axis`, `${to}_step`], to)],
    constants: [
      integers(`${to}_from`, [0]),
      integers(`${to}_until`, [1_000_000]),
      integers(`${to}_axis`, [1]),
      integers(`${to}_step`, [step]),
    ],
  };
}

/**
 * Nodes that turn whisper's mel energies (decades / 4, relative to the loudest) `[1, frames,
 * bands]` into the maximum level of each whistle relative to the loudest sound: 0 for the loudest,
 * -2 for silence, `[1, whistles]`.
 */
export function loudestWhistles(
  from: string,
  to: string,
  bands: number,
): { nodes: OnnxNode[]; constants: OnnxConstant[] } {
  return {
    nodes: [
      node('ReduceMax', [from], `${to}_bands`, { axes: [1], keepdims: 0 }),
      node('ReduceMax', [`${to}_bands`], `${to}_loudest`, { axes: [1], keepdims: 1 }),
      node('Sub', [`${to}_bands`, `${to}_loudest`], `${to}_level`),
      node('MatMul', [`${to}_level`, `${to}_pick`], to),
    ],
    constants: [
      floats(`${to}_pick`, [bands, WHISTLES_HZ.length], (band, whistle) =>
        band === slaneyBand(WHISTLES_HZ[whistle] ?? 0, bands) ? 1 : 0,
      ),
    ],
  };
}

const kaldiMel = (hz: number) => 1_127 * Math.log(1 + hz / 700);
const slaneyMel = (hz: number) => 15 + (27 * Math.log(hz / 1_000)) / Math.log(6.4);

/** Band of a frequency on Kaldi's mel scale. */
function kaldiBand(frequencyHz: number, bands: number, highHz: number): number {
  const step = (kaldiMel(highHz) - kaldiMel(20)) / (bands + 1);
  return Math.round((kaldiMel(frequencyHz) - kaldiMel(20)) / step) - 1;
}

/**
 * The same on Slaney's scale, which whisper uses; logarithmic above 1 kHz, where the whistles are.
 */
function slaneyBand(frequencyHz: number, bands: number): number {
  return Math.round((slaneyMel(frequencyHz) * (bands + 1)) / slaneyMel(8_000)) - 1;
}
