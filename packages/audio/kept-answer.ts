/** A function of a sound, whose answer can be kept for the next call about the same sound. */
type KeepingAnswer<Answer> = {
  /** Computes the answer, or takes the kept one if it is about the same samples. */
  take(samples: Float32Array): Promise<Answer>;
  /** Computes the answer and keeps it, unless it is a failure, until the next call of either. */
  keep(samples: Float32Array): Promise<Answer>;
};

/**
 * Keeps one answer: what identifies the language of a short recording asks a model about the same
 * samples as what recognizes it afterwards.
 */
export function keepAnswer<Answer>(compute: (samples: Float32Array) => Promise<Answer>): KeepingAnswer<Answer> {
  let kept: { samples: Float32Array; answer: Answer } | null = null;
  return {
    async take(samples) {
      if (kept === null || !isSame(kept.samples, samples)) return compute(samples);
      const { answer } = kept;
      kept = null;
      return answer;
    },
    async keep(samples) {
      kept = null;
      const answer = await compute(samples);
      // A copy: the samples may lie in a buffer that is used again.
      kept = { samples: samples.slice(), answer };
      return answer;
    },
  };
}

function isSame(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => Buffer.from(buffer, byteOffset, byteLength);
