import { deflateSync } from 'node:zlib';
import type { z } from 'zod';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { CueLimits, TranscriptionResult } from '@jyutsing/contracts/transcription';
import { formatPlain } from '#features/transcription/format.ts';
import { creditsFor } from '#features/transcription/transcribe.ts';
import { finalSegments } from '#http/transcription/record-view.ts';
import { TEXT_FILES } from '#http/transcription/transcript-file.ts';
import { LANGUAGE_CODES } from './language-code.ts';
import type { Granularity, ResponseFormat, TranscriptionAnswer, VerboseAnswer } from './schema.ts';

type TextFormat = Exclude<ResponseFormat, 'json' | 'verbose_json'>;

/** The result as a text file. */
export function viewText(
  result: TranscriptionResult,
  format: TextFormat,
  cues: CueLimits,
): { mediaType: string; text: string } {
  const { mediaType, write } = TEXT_FILES[format === 'text' ? 'txt' : format];
  return { mediaType, text: write(finalSegments(result), false, cues) };
}

/** The result as `json`. */
export function viewJson(result: TranscriptionResult): z.output<typeof TranscriptionAnswer> {
  return {
    text: formatPlain(finalSegments(result)),
    languages: [{ code: LANGUAGE_CODES[result.language] }],
    usage: usageOf(result),
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
    ...(granularities.has('segment') ? { segments: segments.map(viewSegment) } : {}),
    usage: usageOf(result),
  };
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
    no_speech_prob: 0,
  };
}

/** Replaces a confidence of 0, whose logarithm JSON cannot represent. */
const MIN_PROBABILITY = 1e-6;

function averageLogProbability({ words, confidence }: Segment): number | null {
  const known = words.flatMap((word) => (word.confidence === null ? [] : [word.confidence]));
  const confidences = known.length > 0 ? known : confidence === null ? [] : [confidence];
  if (confidences.length === 0) return null;
  const sum = confidences.reduce((total, each) => total + Math.log(Math.max(each, MIN_PROBABILITY)), 0);
  return rounded(sum / confidences.length);
}

/** High for repetitive text, a typical failure of recognizers on noise. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return rounded(bytes.length / deflateSync(bytes).length);
}

/** Charged in whole seconds; cached results are free. */
function usageOf({ durationMs, isCached }: TranscriptionResult): { type: 'duration'; seconds: number } {
  return { type: 'duration', seconds: isCached ? 0 : creditsFor(durationMs) };
}

function inSeconds(timeMs: number): number {
  return Math.round(timeMs) / 1_000;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
