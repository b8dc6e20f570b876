import { mean } from '@jyutsing/numeric/statistics';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ, type Recognizer, type SpeechFollower } from '@jyutsing/contracts/recognizer';
import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { joinWords } from '@jyutsing/text/join-words';
import type { LiveContext } from './live-context.ts';

/** The recognized text of a piece of a segment, in times of the session. */
export type RecognizedPiece = {
  text: string;
  words: readonly Word[];
  startMs: number;
  endMs: number;
  confidence: number | null;
};

/** Recognizers yield between chunks, so that an abort ends them soon. */
const CHUNK_SAMPLES = RECOGNIZER_SAMPLE_RATE_HZ;

type PieceOptions = { language: Language; context: string | null };

/** Follows a piece with the recognizer's own means, or by recognizing it anew each time. */
export async function followPiece(recognizer: Recognizer, options: PieceOptions): Promise<SpeechFollower> {
  if (recognizer.follow !== null) return recognizer.follow(options);
  const recognizeAll = async (samples: Float32Array, signal: AbortSignal): Promise<Segment | null> => {
    const segments: Segment[] = [];
    for await (const event of recognizer.recognize(chunksOf(samples), { ...options, romanize: false }, signal)) {
      if (event.type === 'segment-end') segments.push(event.segment);
    }
    const joined = joinPieces(segments);
    return joined === null ? null : { ...joined, words: [...joined.words], speaker: null };
  };
  return { update: recognizeAll, finish: recognizeAll };
}

/**
 * Recognizes nothing in a piece that is no speech after all. A growing piece is checked until it is
 * speech, the complete one again.
 */
export function skipNoise(follower: SpeechFollower, isSpeech: LiveContext['isSpeech']): SpeechFollower {
  let isSpeechSoFar = false;
  return {
    async update(samples, signal) {
      if (!isSpeechSoFar && (await isSpeech(samples))) isSpeechSoFar = true;
      return isSpeechSoFar ? follower.update(samples, signal) : null;
    },
    finish: async (samples, signal) => ((await isSpeech(samples)) ? follower.finish(samples, signal) : null),
  };
}

/** A segment of the piece in times of the session. */
export function toPiece(segment: Segment | null, speech: Omit<SpeechSegment, 'samples'>): RecognizedPiece {
  const { startMs, speechStartMs, speechEndMs } = speech;
  const words = (segment?.words ?? []).map((word) => ({
    ...word,
    startMs: word.startMs + startMs,
    endMs: word.endMs + startMs,
  }));
  return {
    text: segment?.text ?? '',
    words,
    startMs: Math.min(speechStartMs, words[0]?.startMs ?? speechStartMs),
    endMs: Math.max(speechEndMs, words.at(-1)?.endMs ?? speechEndMs),
    confidence: segment?.confidence ?? null,
  };
}

/** The texts and times of pieces in a row as one; null where there is none. */
export function joinPieces(pieces: readonly RecognizedPiece[]): RecognizedPiece | null {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return null;
  const sure = pieces.flatMap(({ confidence }) => confidence ?? []);
  return {
    text: joinWords(pieces.map(({ text }) => text)),
    words: pieces.flatMap(({ words }) => words),
    startMs: first.startMs,
    endMs: last.endMs,
    confidence: sure.length === 0 ? null : mean(sure),
  };
}

/** Sound in chunks of a second. */
export async function* chunksOf(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
    yield {
      samples: samples.slice(at, at + CHUNK_SAMPLES),
      sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ,
      startMs: (at * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ,
    };
  }
}
