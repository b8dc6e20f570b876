/** Above this cosine two voices of CAM++ are one speaker's: the threshold that sherpa-onnx clusters by. */
const SAME_VOICE = 0.5;

/** Recognises speakers of one block of a recording in the next. */
export type VoiceLinker = {
  /** For each voice of a block the number of its speaker in the whole recording; new ones are counted on. No two get the same. */
  link(voices: readonly Float32Array[]): number[];
};

export function createVoiceLinker(): VoiceLinker {
  /** Sums of voices of length 1: their direction is the mean. */
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
