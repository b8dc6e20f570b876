import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { finishText, toScriptOf } from '@jyutsing/text/finish-text';
import { isKnownPhrase, isTooFast, withoutLoops } from './hallucinations.ts';
import { joinTokens, piecesOfText, withoutTags, type Piece } from './pieces.ts';
import type { Punctuator } from './punctuation.ts';

/**
 * The output of a model for a speech segment: tokens with start times in seconds, and the whole
 * text.
 */
export type RawRecognition = { text: string; tokens: readonly string[]; timestamps: readonly number[] };

type Rules = {
  /** False if tokens have no times: the segment has a text then, but no words. */
  hasWordTimes: boolean;
  isGenerative: boolean;
  punctuator: Punctuator | null;
};

const SENTENCE_MARK = /[，。？！、,.?!]/u;

/**
 * Converts a model's output to a segment in the recording's time; null without speech, or for a
 * hallucination. The text is in the script of the language, with punctuation. Times are whole
 * milliseconds.
 */
export function toSegment(
  speech: SpeechSegment,
  raw: RawRecognition,
  language: Language,
  rules: Rules,
): Segment | null {
  const soundMs = (speech.samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  const pieces = rules.hasWordTimes
    ? joinTokens(
        raw.tokens,
        raw.timestamps.map((seconds) => seconds * 1_000),
        soundMs,
      )
    : piecesOfText(raw.text, soundMs);
  const keptPieces = rules.isGenerative ? withoutLoops(pieces, ({ text }) => text.toLowerCase()) : pieces;
  if (keptPieces.length === 0 || isTooFast(keptPieces.length, soundMs)) return null;
  if (rules.isGenerative && isKnownPhrase(keptPieces.map(({ text }) => text).join(''))) return null;

  const { startMs, endMs, clamp } = boundsOf(speech, soundMs);
  const isWhole = keptPieces.length === pieces.length;
  if (!rules.hasWordTimes && isWhole && SENTENCE_MARK.test(raw.text)) {
    const text = toScriptOf(withoutTags(raw.text), language);
    return { text, startMs, endMs, words: [], speaker: null, confidence: null };
  }
  const finished = finishText(toWords(punctuated(keptPieces, language, rules), clamp), language);
  const words = rules.hasWordTimes ? finished.words : [];
  return {
    text: finished.text,
    startMs: Math.min(startMs, words[0]?.startMs ?? startMs),
    endMs: Math.max(endMs, words.at(-1)?.endMs ?? endMs),
    words,
    speaker: null,
    confidence: null,
  };
}

/** Adds punctuation: that of the recognizer, else of the punctuation model, else by pauses. */
function punctuated(pieces: readonly Piece[], language: Language, { punctuator }: Rules): readonly Piece[] {
  if (punctuator === null || pieces.some(({ after }) => SENTENCE_MARK.test(after))) return pieces;
  return punctuator.punctuate(pieces, language);
}

/** Makes words and punctuation in order, in the recording's time; punctuation has no duration. */
function toWords(pieces: readonly Piece[], clamp: (timeMs: number) => number): Word[] {
  let reachedMs = 0;
  return pieces.flatMap((piece) => {
    // Rounding must not make neighbors overlap.
    const startMs = Math.max(reachedMs, clamp(piece.startMs));
    reachedMs = Math.max(startMs, clamp(piece.endMs));
    const word: Word = { text: piece.text, reading: null, startMs, endMs: reachedMs, confidence: null };
    return piece.after === '' ? [word] : [word, { ...word, text: piece.after, startMs: reachedMs }];
  });
}

/** Returns the speech without padding, and a conversion of times to those of the recording. */
function boundsOf(speech: SpeechSegment, soundMs: number) {
  const firstMs = Math.ceil(speech.startMs);
  const lastMs = Math.floor(speech.startMs + soundMs);
  const within = (timeMs: number) => Math.min(lastMs, Math.max(firstMs, Math.round(timeMs)));
  return {
    startMs: within(speech.speechStartMs),
    endMs: within(speech.speechEndMs),
    clamp: (timeMs: number) => within(speech.startMs + timeMs),
  };
}
