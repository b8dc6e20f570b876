import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ, type Recognizer } from '@jyutsing/contracts/recognizer';
import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { joinWords } from '@jyutsing/text/join-words';

/** What was recognized in a piece of a segment, in times of the session. */
export type RecognizedPiece = {
  text: string;
  words: readonly Word[];
  startMs: number;
  endMs: number;
  confidence: number | null;
};

/** Recognizers yield between chunks, so that an abort ends them soon. */
const CHUNK_SAMPLES = RECOGNIZER_SAMPLE_RATE_HZ;

/**
 * Recognizes a piece like a recording of its own. Throws what the recognizer throws; an aborted
 * signal throws its reason.
 */
export async function recognizePiece(
  recognizer: Recognizer,
  speech: SpeechSegment,
  options: { language: Language; context: string | null },
  signal: AbortSignal,
): Promise<RecognizedPiece> {
  const segments: Segment[] = [];
  for await (const event of recognizer.recognize(chunksOf(speech.samples), { ...options, romanize: false }, signal)) {
    if (event.type === 'segment-end') segments.push(event.segment);
  }
  return joinPieces(segments.map((segment) => shifted(segment, speech.startMs))) ?? emptyPiece(speech);
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
    confidence: sure.length === 0 ? null : sure.reduce((sum, one) => sum + one, 0) / sure.length,
  };
}

function emptyPiece({ speechStartMs, speechEndMs }: SpeechSegment): RecognizedPiece {
  return { text: '', words: [], startMs: speechStartMs, endMs: speechEndMs, confidence: null };
}

function shifted({ text, words, startMs, endMs, confidence }: Segment, byMs: number): RecognizedPiece {
  return {
    text,
    words: words.map((word) => ({ ...word, startMs: word.startMs + byMs, endMs: word.endMs + byMs })),
    startMs: startMs + byMs,
    endMs: endMs + byMs,
    confidence,
  };
}

async function* chunksOf(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
    yield {
      samples: samples.slice(at, at + CHUNK_SAMPLES),
      sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ,
      startMs: (at * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ,
    };
  }
}
