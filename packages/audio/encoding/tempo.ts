/* oxlint-disable no-underscore-dangle -- names of the module's C functions */
import loadSonic, { type SonicModule } from '@echogarden/sonic-wasm';
import { AppError } from '@jyutsing/contracts/errors';
import { withinFullScale } from './sample-values.ts';

/** Changes the tempo of a stream; pitch and formants stay. */
export type TempoChanger = {
  push(samples: Float32Array): Float32Array<ArrayBuffer>;
  /** Returns the remaining samples: the total is exactly the input length divided by the tempo. */
  flush(): Float32Array<ArrayBuffer>;
  /** Frees the changer; call nothing else afterwards. */
  close(): void;
};

/**
 * Silence appended to the audio, because the library drops the end of its input; without it, the
 * end of the last syllable would be lost.
 */
const TAIL_MS = 300;
/** A few milliseconds may be cut at the end; a fade avoids a click. */
const FADE_MS = 3;
const PIECE_SAMPLES = 8_192;

let loading: Promise<SonicModule> | null = null;

/**
 * Drops or repeats whole pitch periods with sonic (B. Cox, libsonic; PICOLA) at full search
 * resolution. `tempo` 2 halves the duration; range 0.1 to 6.
 */
export async function createTempoChanger(tempo: number, sampleRateHz: number): Promise<TempoChanger> {
  loading ??= loadSonic();
  const sonic = await loading;
  const stream = sonic._sonicCreateStream(sampleRateHz, 1);
  const heap = sonic._malloc(PIECE_SAMPLES * Float32Array.BYTES_PER_ELEMENT);
  if (stream === 0 || heap === 0) {
    throw new AppError('engine_failed', 'The tempo of the audio could not be changed.', { cause: 'no memory' });
  }
  sonic._sonicSetQuality(stream, 1);
  sonic._sonicSetSpeed(stream, tempo);
  const fade = Math.round((FADE_MS * sampleRateHz) / 1_000);
  let inputSamples = 0;
  let outputSamples = 0;

  /** Creates a new view each time, because the library's memory may move when it grows. */
  const view = (length: number) => new Float32Array(sonic.HEAPF32.buffer, heap, length);
  const write = (samples: Float32Array) => {
    view(samples.length).set(samples);
    sonic._sonicWriteFloatToStream(stream, heap, samples.length);
  };
  const read = (pieces: Float32Array[]) => {
    for (;;) {
      const count = sonic._sonicReadFloatFromStream(stream, heap, PIECE_SAMPLES);
      if (count <= 0) return;
      pieces.push(view(count).slice());
    }
  };
  const convert = (samples: Float32Array): Float32Array[] => {
    const pieces: Float32Array[] = [];
    const clamped = withinFullScale(samples);
    for (let at = 0; at < clamped.length; at += PIECE_SAMPLES) {
      write(clamped.subarray(at, at + PIECE_SAMPLES));
      read(pieces);
    }
    return pieces;
  };
  /**
   * Output that cannot be released before the total length is known, including the part to fade.
   */
  const waitingPieces: Float32Array[] = [];
  let heldSamples = 0;
  const hold = (pieces: Float32Array[]) => {
    for (const piece of pieces) {
      waitingPieces.push(piece);
      heldSamples += piece.length;
    }
  };
  const take = (count: number): Float32Array<ArrayBuffer> => {
    const samples = new Float32Array(Math.max(0, count));
    let filled = 0;
    while (filled < samples.length && waitingPieces.length > 0) {
      const piece = waitingPieces[0]!;
      const part = piece.subarray(0, samples.length - filled);
      samples.set(part, filled);
      filled += part.length;
      if (part.length === piece.length) waitingPieces.shift();
      else waitingPieces[0] = piece.subarray(part.length);
    }
    heldSamples -= filled;
    outputSamples += samples.length;
    return samples;
  };

  return {
    push(samples) {
      inputSamples += samples.length;
      hold(convert(samples));
      return take(Math.min(heldSamples, Math.floor(inputSamples / tempo) - outputSamples) - fade);
    },
    flush() {
      hold(convert(new Float32Array(Math.round((TAIL_MS * sampleRateHz) / 1_000))));
      const pieces: Float32Array[] = [];
      sonic._sonicFlushStream(stream);
      read(pieces);
      hold(pieces);
      const samples = take(Math.round(inputSamples / tempo) - outputSamples);
      const faded = Math.min(fade, samples.length);
      for (let i = 1; i <= faded; i += 1) samples[samples.length - i]! *= i / (faded + 1);
      return samples;
    },
    close() {
      sonic._sonicDestroyStream(stream);
      sonic._free(heap);
    },
  };
}
