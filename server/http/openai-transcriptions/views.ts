import { deflateSync } from 'node:zlib';
import type { z } from 'zod';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { CueLimits, TranscriptionResult } from '@jyutsing/contracts/transcription';
import { creditsOf } from '#features/transcription/credits.ts';
import { formatPlain, speakerLabels } from '#features/transcription/format.ts';
import { notesOf } from '#http/recording-notes.ts';
import { finalSegments } from '#http/transcription/record-view.ts';
import { TEXT_FILES } from '#http/transcription/transcript-file.ts';
import { LANGUAGE_CODES } from './language-code.ts';
import type { DiarizedAnswer, Granularity, ResponseFormat, TranscriptionAnswer, VerboseAnswer } from './schema.ts';

type TextFormat = Exclude<ResponseFormat, 'json' | 'verbose_json' | 'diarized_json'>;

/** The result as a text file. */
export async function viewText(
  result: TranscriptionResult,
  format: TextFormat,
  cues: CueLimits,
): Promise<{ mediaType: string; text: string }> {
  const { mediaType, write } = TEXT_FILES[format === 'text' ? 'txt' : format];
  return { mediaType, text: await write(finalSegments(result), result.channels !== undefined, cues) };
}

/** The result as `json`. */
export function viewJson(result: TranscriptionResult, withLogprobs: boolean): z.output<typeof TranscriptionAnswer> {
  const segments = finalSegments(result);
  return {
    text: formatPlain(segments),
    languages: [{ code: LANGUAGE_CODES[result.language] }],
    ...(withLogprobs ? { logprobs: segments.flatMap(logprobsOf) } : {}),
    ...notesOf(result),
    usage: usageOf(result),
  };
}

/** The result as `diarized_json`. */
export function viewDiarized(result: TranscriptionResult): z.output<typeof DiarizedAnswer> {
  const segments = finalSegments(result);
  const nameOf = speakerNamer(result, segments);
  return {
    task: 'transcribe',
    duration: inSeconds(result.durationMs),
    text: formatPlain(segments),
    segments: segments.map(({ text, startMs, endMs, speaker }, index) => ({
      type: 'transcript.text.segment',
      id: `seg_${index + 1}`,
      start: inSeconds(startMs),
      end: inSeconds(endMs),
      text,
      speaker: speaker === null ? UNKNOWN_SPEAKER : nameOf(speaker),
    })),
    ...notesOf(result),
    usage: usageOf(result),
  };
}

/** Names speakers as they are known, others by letters. */
function speakerNamer({ speakerNames }: TranscriptionResult, segments: readonly Segment[]) {
  const letters = [...speakerLabels(segments).keys()].filter((speaker) => speakerNames?.[speaker] === undefined);
  return (speaker: string) => speakerNames?.[speaker] ?? letterOf(letters.indexOf(speaker));
}

const UNKNOWN_SPEAKER = 'unknown';

/** A to Z, then AA, AB … */
function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

/** The probabilities of the words of a segment, as far as the model reports them. */
export function logprobsOf({
  words,
}: {
  words: readonly Word[];
}): { token: string; bytes: number[]; logprob: number }[] {
  return words.flatMap(({ text, confidence }) =>
    confidence === null
      ? []
      : [
          {
            token: text,
            bytes: [...Buffer.from(text)],
            logprob: rounded(Math.log(Math.max(confidence, MIN_PROBABILITY))),
          },
        ],
  );
}

/**
 * The charge in the units of OpenAI's stream: the seconds as tokens of the audio, the characters as
 * tokens of the text.
 */
export function tokenUsageOf(result: TranscriptionResult, text: string) {
  const { seconds } = usageOf(result);
  const characters = Array.from(text).length;
  return {
    type: 'tokens',
    input_tokens: seconds,
    input_token_details: { audio_tokens: seconds, text_tokens: 0 },
    output_tokens: characters,
    total_tokens: seconds + characters,
  };
}

/** The result as `verbose_json`. */
export function viewVerbose(
  result: TranscriptionResult,
  granularities: ReadonlySet<Granularity>,
): z.output<typeof VerboseAnswer> {
  const segments = finalSegments(result);
  const words = segments.flatMap((segment) => segment.words);
  return {
    task: 'transcribe',
    language: result.language,
    duration: inSeconds(result.durationMs),
    text: formatPlain(segments),
    ...(granularities.has('word')
      ? {
          words: words.map(({ text, startMs, endMs }) => ({
            word: text,
            start: inSeconds(startMs),
            end: inSeconds(endMs),
          })),
        }
      : {}),
    ...(granularities.has('segment') ? { segments: viewSegments(result, segments) } : {}),
    ...notesOf(result),
    usage: usageOf(result),
  };
}

/** Speakers are only in `diarized_json`, but channels are in both. */
function viewSegments(result: TranscriptionResult, segments: readonly Segment[]) {
  const nameOf = speakerNamer(result, segments);
  return segments.map((segment, index) => ({
    ...viewSegment(segment, index),
    ...(result.channels === undefined || segment.speaker === null ? {} : { speaker: nameOf(segment.speaker) }),
  }));
}

function viewSegment(segment: Segment, id: number) {
  const { startMs, endMs, text } = segment;
  return {
    id,
    seek: Math.round(startMs / 10),
    start: inSeconds(startMs),
    end: inSeconds(endMs),
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: averageLogProbability(segment),
    compression_ratio: compressionRatio(text),
    no_speech_prob: rounded(segment.noSpeech ?? 0),
  };
}

/** Replaces a confidence of 0, whose logarithm JSON cannot represent. */
const MIN_PROBABILITY = 1e-6;

function averageLogProbability({ words, confidence }: Segment): number {
  const known = words.flatMap((word) => (word.confidence === null ? [] : [word.confidence]));
  const confidences = known.length > 0 ? known : confidence === null ? [] : [confidence];
  if (confidences.length === 0) return 0;
  const sum = confidences.reduce((total, confidence) => total + Math.log(Math.max(confidence, MIN_PROBABILITY)), 0);
  return rounded(sum / confidences.length);
}

/** High for repetitive text, a typical failure of recognizers on noise. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return rounded(bytes.length / deflateSync(bytes).length);
}

/** Charged in whole seconds. */
function usageOf(result: TranscriptionResult): { type: 'duration'; seconds: number } {
  return { type: 'duration', seconds: creditsOf(result) };
}

function inSeconds(timeMs: number): number {
  return Math.round(timeMs) / 1_000;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
