import { dot, unit } from '@jyutsing/audio/speaker-clustering/clustering';

/**
 * Cosine similarity of CAM++ embeddings above which two voices are one speaker: sherpa-onnx's
 * clustering threshold.
 */
const SAME_VOICE = 0.5;

/** Matches the speakers of one block of a recording with those of earlier blocks. */
export type VoiceLinker = {
  /**
   * Returns the recording's speaker number of each voice of a block; new speakers get new numbers.
   * Two voices get the same number only where the block has more voices than speakers are allowed.
   */
  link(voices: readonly Float32Array[]): number[];
};

/**
 * Creates a linker. With `maxSpeakers`, a voice unlike all others is counted as the most similar
 * speaker once there are that many.
 */
export function createVoiceLinker(maxSpeakers = Infinity): VoiceLinker {
  /** Sums of the normalized embeddings of each speaker: their direction is the mean. */
  const speakerSums: Float32Array[] = [];
  const cosineWith = (voice: Float32Array, speaker: number) => dot(voice, unit(speakerSums[speaker]!));
  return {
    link(voices) {
      const units = voices.map(unit);
      const before = speakerSums.length;
      const numbers: (number | null)[] = voices.map(() => null);
      const pairs = units.flatMap((voice, index) =>
        Array.from({ length: before }, (_, speaker) => ({ index, speaker, cosine: cosineWith(voice, speaker) })),
      );
      for (const { index, speaker, cosine } of pairs.sort((a, b) => b.cosine - a.cosine)) {
        if (cosine >= SAME_VOICE && numbers[index] === null && !numbers.includes(speaker)) numbers[index] = speaker;
      }
      for (const [index, voice] of units.entries()) {
        const number = numbers[index] ?? (speakerSums.length < maxSpeakers ? speakerSums.length : nearestTo(voice));
        numbers[index] = number;
        speakerSums[number] = speakerSums[number]?.map((value, i) => value + voice[i]!) ?? voice;
      }
      return numbers.map((number) => number ?? 0);
    },
  };

  function nearestTo(voice: Float32Array): number {
    const cosines = speakerSums.map((_, speaker) => cosineWith(voice, speaker));
    return cosines.indexOf(Math.max(...cosines));
  }
}
