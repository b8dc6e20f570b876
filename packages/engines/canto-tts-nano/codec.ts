import type { OnnxInputs, OnnxModel, OnnxOutputs } from '#engines/runtime/onnx.ts';
import { AppError } from '@jyutsing/contracts/errors';
import type { Bundle, Codes, CodecState } from './bundle.ts';

/** Sound of both channels, one after the other: `samples` of each. */
export type CodecSound = { data: Float32Array; samples: number; stride: number };

/**
 * Returns a decoder of one stream of frames. It keeps the states of the causal codec between
 * calls, so that the sound does not depend on how the frames are cut.
 */
export function createDecoder(
  { codebooks, codecStates }: Pick<Bundle, 'codebooks' | 'codecStates'>,
  graph: OnnxModel,
): (frames: Codes) => Promise<CodecSound> {
  let states: OnnxInputs = Object.fromEntries(codecStates.map((state) => [state.input, initial(state)]));
  return async (frames) => {
    const outputs = await graph.runMixed({
      audio_codes: { data: Int32Array.from(frames.flat()), dims: [1, frames.length, codebooks] },
      audio_code_lengths: { data: Int32Array.of(frames.length), dims: [1] },
      ...states,
    });
    states = Object.fromEntries(codecStates.map(({ input, output }) => [input, outputs[output]!]));
    return soundIn(outputs);
  };
}

/** Encodes 1 to 30 s of sound (mono, at the rate of the codec) to a row of codes for each frame. */
export async function encodeSound(
  { codebooks, codebookSize }: Pick<Bundle, 'codebooks' | 'codebookSize'>,
  graph: OnnxModel,
  sound: Float32Array,
): Promise<Codes> {
  const both = new Float32Array(2 * sound.length);
  both.set(sound);
  both.set(sound, sound.length);
  const outputs = await graph.runMixed({
    waveform: { data: both, dims: [1, 2, sound.length] },
    input_lengths: { data: Int32Array.of(sound.length), dims: [1] },
  });
  const codes = outputs['audio_codes']?.data ?? new Int32Array(0);
  const frames = outputs['audio_code_lengths']?.data[0] ?? 0;
  const isWhole = codes.length >= frames * codebooks && codes.every((code) => code >= 0 && code < codebookSize);
  if (!isWhole) throw new AppError('engine_failed', undefined, { cause: 'the codec gave no codes of its codebooks' });
  return Array.from({ length: frames }, (_, frame) => [...codes.subarray(frame * codebooks, (frame + 1) * codebooks)]);
}

function initial({ dims, type, fill }: CodecState): OnnxInputs[string] {
  const size = dims.reduce((product, dim) => product * dim, 1);
  return type === 'int' ? { data: new Int32Array(size).fill(fill), dims } : { data: new Float32Array(size), dims };
}

function soundIn({ audio, audio_lengths: lengths }: OnnxOutputs): CodecSound {
  const samples = lengths?.data[0] ?? 0;
  const stride = audio?.dims[2] ?? 0;
  if (!(audio?.data instanceof Float32Array) || samples > stride || audio.data.length < 2 * stride) {
    throw new AppError('engine_failed', undefined, { cause: 'the codec gave no sound of two channels' });
  }
  return { data: audio.data, samples, stride };
}
