import { openOnnxModel } from '#engines/runtime/onnx.ts';
import { VOICE_RATE_HZ } from './voice-file.ts';

/**
 * Number of places of an envelope that the network reads and changes, evenly spaced on the mel
 * scale.
 */
export const FINISH_BANDS = 40;
const LOWEST_HZ = 60;
const HIGHEST_HZ = 11_500;
/** Number of frames that the network sees before and after the one that it changes. */
export const FINISH_CONTEXT = 16;
const DB = 20 / Math.LN10;

/**
 * A network that moves the envelopes of joined recordings towards those of connected speech of the
 * same speaker (training/voices/finish).
 */
export type Finish = {
  /**
   * Computes the change of each band, dB, in `FINISH_BANDS` rows of `isVoiced.length` frames like
   * `bandsDb`. The changes of the first and last `FINISH_CONTEXT` frames are only right at the ends
   * of the sound.
   */
  changes(bandsDb: Float32Array, isVoiced: Float32Array): Promise<Float32Array>;
  close(): Promise<void>;
};

/** Opens the network. Throws the errors of `openOnnxModel`. */
export async function openFinish(path: string): Promise<Finish> {
  const network = await openOnnxModel(path, { inputs: ['bands', 'voiced'], outputs: ['changes'] });
  return {
    async changes(bandsDb, isVoiced) {
      const frames = isVoiced.length;
      const { changes } = await network.run({
        bands: { data: bandsDb, dims: [1, FINISH_BANDS, frames] },
        voiced: { data: isVoiced, dims: [1, 1, frames] },
      });
      return changes!.data;
    },
    close: () => network.close(),
  };
}

const melOf = (hz: number) => 1_127 * Math.log(1 + hz / 700);
const hzOf = (mel: number) => 700 * (Math.exp(mel / 1_127) - 1);
const [LOWEST, HIGHEST] = [melOf(LOWEST_HZ), melOf(HIGHEST_HZ)];

/**
 * Reads bands from envelopes of spectra of `bins` bins, nepers, and adds changes of bands to them.
 */
export function createBands(bins: number) {
  const hzPerBin = VOICE_RATE_HZ / 2 / (bins - 1);
  const places = Float64Array.from(
    { length: FINISH_BANDS },
    (_, band) => hzOf(LOWEST + ((HIGHEST - LOWEST) * band) / (FINISH_BANDS - 1)) / hzPerBin,
  );
  const bandAt = Float64Array.from({ length: bins }, (_, bin) => {
    const band = ((melOf(bin * hzPerBin) - LOWEST) / (HIGHEST - LOWEST)) * (FINISH_BANDS - 1);
    return Math.min(FINISH_BANDS - 1, Math.max(0, band));
  });
  return {
    /** Writes the bands of a frame, dB, into its column of a matrix with that many frames. */
    read(envelope: Float64Array, into: Float32Array, frame: number, frames: number): void {
      for (const [band, place] of places.entries()) {
        const bin = Math.floor(place);
        const level = envelope[bin]! + (place - bin) * (envelope[bin + 1]! - envelope[bin]!);
        into[band * frames + frame] = DB * level;
      }
    },
    /** Adds a frame's changes, dB, to the changes of its bins, nepers. */
    add(changes: Float32Array, frame: number, frames: number, into: Float64Array): void {
      for (let bin = 0; bin < bins; bin += 1) {
        const band = Math.min(FINISH_BANDS - 2, Math.floor(bandAt[bin]!));
        const share = bandAt[bin]! - band;
        const low = changes[band * frames + frame]!;
        into[bin]! += (low + share * (changes[(band + 1) * frames + frame]! - low)) / DB;
      }
    },
  };
}
