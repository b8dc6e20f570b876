import { deflateSync } from 'node:zlib';
import type { z } from 'zod';
import { AppError, deserializeError } from '#contracts/errors.ts';
import type { Segment } from '#contracts/transcript.ts';
import type { TranscriptionRecord, TranscriptionResult } from '#contracts/transcription.ts';
import { formatBlocks, formatPlain, formatVtt } from '#features/transcription/format.ts';
import { creditsFor } from '#features/transcription/transcribe.ts';
import { LANGUAGE_CODES } from './language-code.ts';
import type { Granularity, ResponseFormat, TranscriptionAnswer, VerboseAnswer } from './schema.ts';

/** What the work gave. Throws the error that a failed record ended with. */
export function resultOf(record: TranscriptionRecord): TranscriptionResult {
  if (record.error !== null) throw deserializeError(record.error);
  if (record.result === null) throw new AppError('internal_error');
  return record.result;
}

type TextFormat = Exclude<ResponseFormat, 'json' | 'verbose_json'>;

/** The content types are those that browsers and players know the files by. */
const TEXT_FORMATS: Record<TextFormat, { contentType: string; write(segments: readonly Segment[]): string }> = {
  text: { contentType: 'text/plain; charset=utf-8', write: (segments) => `${formatPlain(segments)}\n` },
  srt: {
    contentType: 'application/x-subrip; charset=utf-8',
    write: (segments) => formatBlocks(segments, { speakers: false }),
  },
  vtt: { contentType: 'text/vtt; charset=utf-8', write: (segments) => formatVtt(segments, { speakers: false }) },
};

/** The result as a text file. */
export function viewText({ segments }: TranscriptionResult, format: TextFormat): { contentType: string; text: string } {
  const { contentType, write } = TEXT_FORMATS[format];
  return { contentType, text: write(segments) };
}

/** The result as `json`. */
export function viewJson(result: TranscriptionResult): z.output<typeof TranscriptionAnswer> {
  return {
    text: formatPlain(result.segments),
    languages: [{ code: LANGUAGE_CODES[result.language] }],
    usage: usageOf(result),
  };
}

/** The result as `verbose_json`. */
export function viewVerbose(
  result: TranscriptionResult,
  granularities: ReadonlySet<Granularity>,
): z.output<typeof VerboseAnswer> {
  const { segments } = result;
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

/** A confidence of 0 is a probability too small to be told; its logarithm would not be a number that JSON has. */
const SMALLEST_PROBABILITY = 1e-6;

function averageLogProbability({ words, confidence }: Segment): number | null {
  const known = words.flatMap((word) => (word.confidence === null ? [] : [word.confidence]));
  const confidences = known.length > 0 ? known : confidence === null ? [] : [confidence];
  if (confidences.length === 0) return null;
  const sum = confidences.reduce((total, each) => total + Math.log(Math.max(each, SMALLEST_PROBABILITY)), 0);
  return rounded(sum / confidences.length);
}

/** High where a text repeats itself, which is how recognisers fail on noise. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return rounded(bytes.length / deflateSync(bytes).length);
}

/** In whole seconds, which is how a recording is charged. */
export function usageOf({ durationMs }: TranscriptionResult): { type: 'duration'; seconds: number } {
  return { type: 'duration', seconds: creditsFor(durationMs) };
}

function inSeconds(timeMs: number): number {
  return Math.round(timeMs) / 1_000;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
