import { standardDeviation } from '@jyutsing/numeric/statistics';
import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import type { AcousticModel } from './acoustic-model.ts';
import { symbolCount } from './decoder/labels.ts';

/** Measures of one acoustic model about the language of an utterance. */
export type LanguageEvidence = {
  /** Logits of a softmax over the languages that the model tells apart. */
  scores: ReadonlyMap<Language, number>;
  /** Share of the frames with a symbol, as opposed to the CTC blank. */
  symbolShare: number;
  /** Symbols per second, with repetitions counted once: an estimate of the speech rate. */
  symbolRate: number;
  /** Mean entropy of the symbols over all frames, in nats; high when the model is unsure. */
  entropy: number;
  /** Mean entropy over the frames with a symbol only. */
  symbolEntropy: number;
  /** Mean log-probability of the most probable symbol over the frames with a symbol. */
  symbolLogp: number;
  /** Share of the frames that are voiced: English has more voiceless consonants than Chinese. */
  voicedShare: number;
  /** Standard deviation of the pitch of voiced frames, in octaves. */
  pitchSpread: number;
};

type SymbolEvidence = Omit<LanguageEvidence, 'scores' | keyof VoiceEvidence>;
type VoiceEvidence = Pick<LanguageEvidence, 'voicedShare' | 'pitchSpread'>;

/**
 * Measures an utterance, mono sound at 16 kHz, with a model that knows languages. The scores are
 * means over the frames by how voiced they are, because pauses have no language. Throws
 * `engine_failed`.
 */
export async function measureLanguage(model: AcousticModel, samples: Float32Array): Promise<LanguageEvidence> {
  const { posteriors, pitch, languages } = await model.computeForLanguage(samples);
  if (languages === null) throw new AppError('engine_failed', 'The acoustic model identifies no languages.');
  const { columns, scores: logits } = languages;
  const { frameCount, symbolLogp } = posteriors;
  const voicing = Float64Array.from({ length: frameCount }, (_, frame) => (pitch[frame * 2 + 1] ?? 0) + 0.01);
  const total = voicing.reduce((sum, value) => sum + value, 0);
  const scores = new Map(
    columns.map((language, column) => {
      const sum = voicing.reduce(
        (all, weight, frame) => all + weight * (logits[frame * columns.length + column] ?? 0),
        0,
      );
      return [language, sum / Math.max(total, 1e-9)];
    }),
  );
  const { labels } = model;
  const symbols = symbolEvidence(symbolLogp, { frameCount, width: symbolCount(labels), frameMs: labels.frameMs });
  return { scores, ...symbols, ...voiceEvidence(pitch) };
}

/** `logp` has `width` log-probabilities per frame, the blank first. */
export function symbolEvidence(
  logp: Float32Array,
  { frameCount, width, frameMs }: { frameCount: number; width: number; frameMs: number },
): SymbolEvidence {
  let symbolFrames = 0;
  let symbols = 0;
  let last = 0;
  let entropy = 0;
  let symbolEntropy = 0;
  let symbolLogp = 0;
  for (let frame = 0; frame < frameCount; frame++) {
    const row = logp.subarray(frame * width, (frame + 1) * width);
    const frameEntropy = -row.reduce((sum, value) => sum + Math.exp(value) * value, 0);
    entropy += frameEntropy;
    const highest = row.reduce((top, value) => Math.max(top, value), -Infinity);
    const symbol = row.indexOf(highest);
    if (symbol > 0 && symbol !== last) symbols += 1;
    last = symbol;
    if (symbol === 0) continue;
    symbolFrames += 1;
    symbolEntropy += frameEntropy;
    symbolLogp += highest;
  }
  return {
    symbolShare: symbolFrames / Math.max(1, frameCount),
    symbolRate: (symbols * 1_000) / Math.max(1, frameCount * frameMs),
    entropy: entropy / Math.max(1, frameCount),
    symbolEntropy: symbolEntropy / Math.max(1, symbolFrames),
    symbolLogp: symbolLogp / Math.max(1, symbolFrames),
  };
}

/** Strength of voicing above which a frame is voiced. */
const VOICED = 0.5;

/** `pitch` has two columns: log2 of the fundamental frequency in Hz, strength of voicing 0..1. */
export function voiceEvidence(pitch: Float32Array): VoiceEvidence {
  const frameCount = pitch.length / 2;
  const voiced: number[] = [];
  for (let frame = 0; frame < frameCount; frame++) {
    if ((pitch[2 * frame + 1] ?? 0) > VOICED) voiced.push(pitch[2 * frame] ?? 0);
  }
  return { voicedShare: voiced.length / Math.max(1, frameCount), pitchSpread: standardDeviation(voiced, 0) };
}
