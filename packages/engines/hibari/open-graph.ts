import { AppError } from '@jyutsing/contracts/errors';
import { openOnnxModel } from '#engines/runtime/onnx.ts';
import { FRAME_SIZE, type Spectra } from './spectra.ts';
import { SYMBOLS } from './symbols.ts';

/** What the graph predicts, and how many frames each letter has, with the edges of the text. */
export type Prediction = { spectra: Spectra; lengths: readonly number[] };

export type Graph = {
  /**
   * Predicts the speech of letters of the voice's alphabet. `speed` divides the durations; 0.5 to
   * 2. Throws `engine_failed`.
   */
  predict(letters: readonly string[], speed: number): Promise<Prediction>;
  close(): Promise<void>;
};

/** The graph counts the lengths of letters in steps of two frames. */
const FRAMES_PER_STEP = 2;
const EDGE = 0;

/** Opens the graph of the voice; throws as `openOnnxModel` does. */
export async function openGraph(path: string): Promise<Graph> {
  const outputs = ['spectra', 'f0', 'steps'];
  const model = await openOnnxModel(path, { inputs: ['ids', 'speed'], outputs, keepsMemory: true });
  return {
    async predict(letters, speed) {
      const ids = BigInt64Array.from([EDGE, ...letters.map((letter) => SYMBOLS[letter] ?? EDGE), EDGE], BigInt);
      const { spectra, f0, steps } = await model.run({
        ids: { data: ids, dims: [1, ids.length] },
        speed: { data: Float32Array.of(speed), dims: [1] },
      });
      const [frames, pitchHz] = [spectra!.data, f0!.data];
      const lengths = Array.from(steps!.data, (count) => count * FRAMES_PER_STEP);
      if (frames.length !== pitchHz.length * FRAME_SIZE || lengths.length !== ids.length)
        throw new AppError('engine_failed', 'The model file of the English voice gives spectra of another size.');
      return { spectra: { frames, pitchHz }, lengths };
    },
    close: () => model.close(),
  };
}
