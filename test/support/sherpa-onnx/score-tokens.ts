import type { OnnxConstant, OnnxNode } from '../onnx.ts';
import { floats, integers, node } from './typed-onnx.ts';
import { WHISTLES_HZ } from './hum.ts';

/** Log energy that only a whistle reaches in its band, with samples of -1..1, and what 16-bit samples add to it. */
const THRESHOLD = 1;
export const SAMPLE_SCALE_LOG_ENERGY = 2 * Math.log(32_768);
const NEVER = -1_000;

/** Which whistle each token answers to, with how much more or less than the others; null never, 'blank' when no whistle is heard. */
export type TokenScore = { whistle: number; bias?: number } | 'blank' | null;

/**
 * Nodes that turn log mel energies `[…, bands * stacked]` into one score a token: the energy in the band of its whistle. `addedLogEnergy` is
 * what the samples' scale adds.
 */
export function scoreTokens(
  from: string,
  to: string,
  ears: readonly TokenScore[],
  options: { bands?: number; highHz?: number; stacked?: number; addedLogEnergy?: number } = {},
): { nodes: OnnxNode[]; constants: OnnxConstant[] } {
  const { bands = 80, highHz = 7_600, stacked = 1, addedLogEnergy = 0 } = options;
  const offset = bands * Math.floor(stacked / 2);
  const bandOf = (ear: TokenScore) =>
    ear === null || ear === 'blank' ? -1 : offset + kaldiBand(WHISTLES_HZ[ear.whistle] ?? 0, bands, highHz);
  return {
    nodes: [node('MatMul', [from, `${to}_weights`], `${to}_energy`), node('Add', [`${to}_energy`, `${to}_bias`], to)],
    constants: [
      floats(`${to}_weights`, [bands * stacked, ears.length], (band, token) =>
        band === bandOf(ears[token] ?? null) ? 1 : 0,
      ),
      floats(`${to}_bias`, [ears.length], (token) => {
        const ear = ears[token] ?? null;
        if (ear === null) return NEVER;
        return ear === 'blank' ? THRESHOLD + addedLogEnergy : (ear.bias ?? 0);
      }),
    ],
  };
}

/** Every `step`-th frame of `[1, frames, …]`. */
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
 * Nodes that turn whisper's mel energies (decades / 4, the loudest is the measure) `[1, frames, bands]` into how loud each whistle ever was
 * against the loudest sound: 0 for the loudest, -2 for silence, as `[1, whistles]`.
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

/** The band around a frequency on the mel scale of Kaldi. */
function kaldiBand(frequencyHz: number, bands: number, highHz: number): number {
  const step = (kaldiMel(highHz) - kaldiMel(20)) / (bands + 1);
  return Math.round((kaldiMel(frequencyHz) - kaldiMel(20)) / step) - 1;
}

/** The same on Slaney's scale, which whisper uses; above 1 kHz, where the whistles are, it is logarithmic. */
function slaneyBand(frequencyHz: number, bands: number): number {
  return Math.round((slaneyMel(frequencyHz) * (bands + 1)) / slaneyMel(8_000)) - 1;
}
