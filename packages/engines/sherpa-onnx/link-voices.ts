/**
 * Cosine similarity of CAM++ embeddings above which two voices are one speaker: sherpa-onnx's
 * clustering threshold.
 */
const SAME_VOICE = 0.5;

/** Matches the speakers of one block of a recording with those of earlier blocks. */
export type VoiceLinker = {
  /**
   * The recording's speaker number of each voice of a block; new speakers get new numbers. No two
   * voices get the same number.
   */
  link(voices: readonly Float32Array[]): number[];
};

export function createVoiceLinker(): VoiceLinker {
  /** Sums of normalized embeddings: their direction is the mean. */
  const known: Float32Array[] = [];
  return {
    link(voices) {
      const units = voices.map(unit);
      const pairs = units.flatMap((voice, index) =>
        known.map((sum, speaker) => ({ index, speaker, cosine: dot(voice, unit(sum)) })),
      );
      const numbers: (number | null)[] = voices.map(() => null);
      for (const { index, speaker, cosine } of pairs.sort((a, b) => b.cosine - a.cosine)) {
        if (cosine >= SAME_VOICE && numbers[index] === null && !numbers.includes(speaker)) numbers[index] = speaker;
      }
      return units.map((voice, index) => {
        const number = numbers[index] ?? known.length;
        known[number] = known[number]?.map((value, i) => value + voice[i]!) ?? voice;
        return number;
      });
    },
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length > 0 ? vector.map((value) => value / length) : vector;
}
