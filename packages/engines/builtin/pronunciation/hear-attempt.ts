import { joinSamples } from '@jyutsing/audio/join-samples';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { AcousticModel, FramePitch } from '#engines/builtin/acoustic-model.ts';
import type { SyllabicLanguage } from '#engines/builtin/decoder/types.ts';
import { isVoiceKnown } from '#engines/builtin/read-person.ts';
import type { Listener } from '#engines/builtin/listener/listener.ts';
import type { AcousticAnalysis, Hearing } from './types.ts';

/** Longest piece that the listener hears at a time, in seconds, and the shortest before a cut. */
const LONGEST_PIECE_S = 20;
const SHORTEST_PIECE_S = 12;
/** Length over which the loudness at a cut is measured, in seconds. */
const QUIET_S = 0.1;

/**
 * Lets the models of a language hear a recording. The acoustic model tracks the pitch, and hears
 * alone a voice that it knows, which is synthetic; a person is heard by the listener first. Throws
 * `engine_failed`.
 */
export async function hearAttempt(
  samples: Float32Array,
  language: SyllabicLanguage,
  { acoustic, listener }: { acoustic: AcousticModel; listener: Listener | null },
): Promise<AcousticAnalysis> {
  const { posteriors, pitch } = await acoustic.computeWithPitch(samples);
  const further = { labels: acoustic.labels, posteriors };
  if (listener === null || isVoiceKnown(posteriors, acoustic.labels)) return { samples, ...further, pitch };
  const first = await hearWhole(samples, language, listener);
  return { samples, ...first, pitch: pitchAt(pitch, further, first), further };
}

/** Hears a recording of any length in pieces, which are cut where it is quiet. */
async function hearWhole(samples: Float32Array, language: SyllabicLanguage, listener: Listener): Promise<Hearing> {
  const labels = listener.labels[language];
  const frameSamples = (labels.frameMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
  const pieces = [];
  for (let from = 0; from < samples.length;) {
    const end = pieceEnd(samples, from, frameSamples);
    pieces.push((await listener.hear(samples.subarray(from, end))).posteriors[language]);
    from = end;
  }
  return {
    labels,
    posteriors: {
      frameCount: pieces.reduce((sum, { frameCount }) => sum + frameCount, 0),
      symbolLogp: joinSamples(pieces.map(({ symbolLogp }) => symbolLogp)),
      toneLogp: joinSamples(pieces.map(({ toneLogp }) => toneLogp)),
    },
  };
}

/** Returns where a piece ends: at a whole frame in the quietest place that leaves a long piece. */
function pieceEnd(samples: Float32Array, from: number, frameSamples: number): number {
  const longest = LONGEST_PIECE_S * RECOGNIZER_SAMPLE_RATE_HZ;
  if (samples.length - from <= longest) return samples.length;
  const half = Math.round((QUIET_S / 2) * RECOGNIZER_SAMPLE_RATE_HZ);
  let quietest = from + longest;
  let least = Infinity;
  for (let at = from + SHORTEST_PIECE_S * RECOGNIZER_SAMPLE_RATE_HZ; at <= from + longest; at += frameSamples) {
    let power = 0;
    for (let near = at - half; near < at + half; near++) power += (samples[near] ?? 0) ** 2;
    if (power < least) [least, quietest] = [power, at];
  }
  return quietest;
}

/** Returns the pitch that was tracked in the frames of one model for those of another. */
function pitchAt(pitch: FramePitch, from: Hearing, to: Hearing): FramePitch {
  const { frameCount } = to.posteriors;
  const last = from.posteriors.frameCount - 1;
  const ratio = to.labels.frameMs / from.labels.frameMs;
  const result = new Float32Array(2 * frameCount);
  for (let frame = 0; frame < frameCount; frame++) {
    const at = Math.min(last, Math.floor(frame * ratio));
    result.set(pitch.subarray(2 * at, 2 * at + 2), 2 * frame);
  }
  return result;
}
