import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { LexiconWord } from '@jyutsing/contracts/corpus';
import type { RenderedSpeechFile, SpeechFileRequest } from '@jyutsing/audio/encoding/render-speech-file';
import { AppError } from '@jyutsing/contracts/errors';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import {
  SYNTHESIS_SAMPLE_RATE_HZ,
  type SpeechStyle,
  type SynthesisEvent,
  type SynthesisVoice,
} from '@jyutsing/contracts/synthesizer';
import type { Voice } from '@jyutsing/contracts/voice';
import type { Language } from '@jyutsing/contracts/transcript';
import { splitAtBreaks } from '@jyutsing/text/normalization/break-tags';
import { piecesOfJyutping } from '@jyutsing/text/normalization/jyutping-input';
import { splitSpans } from '@jyutsing/text/normalization/split-text';
import type { TokenizedPiece } from '@jyutsing/text/normalization/tokens';

/**
 * The most that the pauses of one request may add up to: they are free, and take memory and time.
 */
export const MAX_PAUSES_MS = 120_000;

/**
 * Tokenized text that the worker normalizes, or words whose readings the request has given.
 * `speaker` replaces the language, the model and the voice of the speech.
 */
export type SpeechPart = (TokenizedPiece | SpokenPiece) & { speaker?: Speaker };

/** A speaker of parts of a text in one language. */
export type Speaker = { language: Language; model: SpeechModel; voice: SynthesisVoice };

/** A place in a text whose time is told: `at` UTF-16 units after the beginning of a part. */
export type Mark = { name: string; part: number; at: number };

/** A text in parts of about one breath each; at least one. */
export type SpeechText = {
  language: Language;
  parts: readonly SpeechPart[];
  /** The pause before each part, and after the last one; one more than there are parts. */
  pausesMs: readonly number[];
  /** In order. */
  marks: readonly Mark[];
  /** Whether the text is converted from Simplified to Hong Kong characters first. */
  fromSimplified: boolean;
  /** Parts that are not spoken: pinyin in them may explain characters of the spoken ones. */
  beside: { before: readonly SpeechPart[]; after: readonly SpeechPart[] };
  /** How words of the text are said. */
  lexicon: readonly LexiconWord[];
};

/** At least one of `text` and `jyutping` is given. */
type SpeechTextSource = {
  text: string | null;
  /** Cantonese syllables; beside a text, the readings of its characters. */
  jyutping: string | null;
  language: Language;
  /** The text is in Simplified characters; Cantonese is converted to Hong Kong characters first. */
  fromSimplified: boolean;
};

export type SpeechModel = ModelRef<'synthesizer'>;

/**
 * Chooses the model for a language: the preferred one, else that of the voice, where it knows the
 * language, else the best. Throws `model_not_found` for an unknown name,
 * `invalid_parameter` for a model that does not know the language, `engine_unavailable` if no model
 * is available.
 */
export type ChooseModel = (
  language: Language,
  preference: string,
  voice: Pick<Voice, 'accountId' | 'engine'>,
) => SpeechModel;

/** A text to speak for an account, with the model, the voice and the style that speak it. */
export type Speech = {
  accountId: string;
  text: SpeechText;
  model: SpeechModel;
  voice: SynthesisVoice;
  style: SpeechStyle;
  /** The same seed and speech give the same prosody. */
  seed: number;
};

/**
 * Events of a synthesizer, with sound as signed 16-bit samples at `SYNTHESIS_SAMPLE_RATE_HZ`, in
 * half the memory. Louder sound than a synthesizer may make is clipped, in files too.
 */
export type SpeechEvent =
  | Extract<SynthesisEvent, { type: 'word' }>
  | { type: 'audio'; samples: Int16Array<ArrayBuffer> };

/** Events of a whole speech: sound, words, and the marks of its text with their times. */
export type StreamEvent = SpeechEvent | { type: 'mark'; name: string; atMs: number };

/** The milliseconds of a number of samples of such sound. */
export function inMs(samples: number): number {
  return (samples * 1_000) / SYNTHESIS_SAMPLE_RATE_HZ;
}

/** The samples of such sound that last so long. */
export function samplesIn(timeMs: number): number {
  return Math.round((timeMs * SYNTHESIS_SAMPLE_RATE_HZ) / 1_000);
}

/**
 * Normalizes the parts of a text and synthesizes them, without the pauses; yields the events of the
 * synthesizer.
 */
export type Speak = (speech: Speech, signal: AbortSignal) => AsyncIterable<SpeechEvent>;

/** Renders raw sound as a file for an account. */
export type RenderSpeechFile = (
  call: SpeechFileRequest,
  signal: AbortSignal,
  accountId: string,
) => Promise<RenderedSpeechFile>;

/**
 * Break tags in the text and the jyutping become pauses. Throws `invalid_request` if the text has
 * nothing to speak or more than `MAX_PAUSES_MS` of pauses, the jyutping is malformed, or the two
 * have other numbers of break tags.
 */
export async function splitSpeechText({
  text,
  jyutping,
  language,
  fromSimplified,
}: SpeechTextSource): Promise<SpeechText> {
  const draft = newSpeechText(language, fromSimplified);
  for (const stretch of stretchesOf(text, jyutping)) {
    const parts =
      stretch.jyutping === null
        ? await splitSpans([{ text: stretch.text ?? '', tokens: null }], language)
        : piecesOfJyutping(stretch.jyutping, stretch.text);
    addParts(draft, parts, stretch.pauseMs);
  }
  return checkSpeechText(draft);
}

/** A text under construction. */
export type SpeechTextDraft = SpeechText & { parts: SpeechPart[]; pausesMs: number[]; marks: Mark[] };

export function newSpeechText(language: Language, fromSimplified: boolean): SpeechTextDraft {
  const isConverted = fromSimplified && language === 'cantonese';
  const beside = { before: [], after: [] };
  return { language, parts: [], pausesMs: [0], marks: [], fromSimplified: isConverted, beside, lexicon: [] };
}

/** Adds parts and the pause after them. */
export function addParts({ parts, pausesMs }: SpeechTextDraft, more: readonly SpeechPart[], pauseMs: number): void {
  parts.push(...more);
  pausesMs.push(...more.map(() => 0));
  pausesMs.push((pausesMs.pop() ?? 0) + pauseMs);
}

/** Throws `invalid_request` for a text with nothing to speak or too many pauses. */
export function checkSpeechText(text: SpeechText): SpeechText {
  if (text.parts.length === 0) throw new AppError('invalid_request', 'The text has nothing that can be spoken.');
  const wholeMs = pausesIn(text);
  if (wholeMs <= MAX_PAUSES_MS) return text;
  throw new AppError(
    'invalid_request',
    `The pauses of the text add up to ${Math.ceil(wholeMs / 1_000)} seconds; one request may have at most ${MAX_PAUSES_MS / 1_000}.`,
  );
}

/** The milliseconds of all pauses of a text. */
export function pausesIn({ pausesMs }: Pick<SpeechText, 'pausesMs'>): number {
  return pausesMs.reduce((sum, pauseMs) => sum + pauseMs, 0);
}

type Stretch = Pick<SpeechTextSource, 'text' | 'jyutping'> & { pauseMs: number };

/** The text and its jyutping between the pauses. */
function stretchesOf(text: string | null, jyutping: string | null): Stretch[] {
  const texts = text === null ? [] : splitAtBreaks(text);
  if (jyutping === null) return texts.map((stretch) => ({ ...stretch, jyutping: null }));
  const readings = splitAtBreaks(jyutping);
  if (text !== null && texts.length !== readings.length) {
    throw new AppError('invalid_request', 'Put the same break tags into "text" and "jyutping", or none.');
  }
  return readings.map(({ text: syllables, pauseMs }, index) => ({
    text: texts[index]?.text ?? null,
    jyutping: syllables,
    pauseMs,
  }));
}

/** Counts the syllables of a text that was given as jyutping. */
export function countSyllables({ parts }: SpeechText): number {
  let count = 0;
  for (const part of parts) {
    if (!('phrases' in part)) continue;
    for (const { words } of part.phrases) for (const { reading } of words) count += reading.length;
  }
  return count;
}
