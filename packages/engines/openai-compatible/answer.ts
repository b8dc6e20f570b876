import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNITION_SERVER } from './failures.ts';
import { parseJson } from './post.ts';

/** A word with its times in seconds from the start of the upload. */
export type AnswerWord = { word: string; start: number; end: number };

/**
 * A segment with times in seconds from the start of the upload, and Whisper's confidence figures
 * when the server returns them.
 */
export type AnswerSegment = {
  text: string;
  start: number;
  end: number;
  avgLogprob: number | null;
  noSpeechProbability: number | null;
  compressionRatio: number | null;
};

/**
 * The server's transcription of one upload. Lists are empty when the server does not return them.
 */
export type Answer = { text: string; segments: AnswerSegment[]; words: AnswerWord[] };

const number = z.number().nullish().catch(null);
const times = { start: z.number(), end: z.number() };
const Word = z.union([
  z.object({ word: z.string(), ...times }),
  // The form in which LocalAI returns words.
  z.object({ text: z.string(), ...times }).transform(({ text, ...span }) => ({ word: text, ...span })),
]);
const Segment = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  avg_logprob: number,
  no_speech_prob: number,
  compression_ratio: number,
  // Servers with faster-whisper return the words here as well, or only here.
  words: z.array(Word).nullish().catch(null),
});
const Body = z.object({
  text: z.string(),
  segments: z.array(Segment).nullish().catch(null),
  words: z.array(Word).nullish().catch(null),
});

/**
 * Parses the body of a 200 response. Throws `engine_failed` when it is not the JSON of a
 * transcription.
 */
export function parseAnswer(body: string): Answer {
  const parsed = Body.safeParse(parseJson(body));
  if (!parsed.success) {
    throw new AppError('engine_failed', RECOGNITION_SERVER.wrongAnswer, {
      cause: `the body of ${body.length} characters is not a transcription`,
    });
  }
  const segments = parsed.data.segments ?? [];
  const listed = parsed.data.words ?? [];
  const words = listed.length > 0 ? listed : segments.flatMap((segment) => segment.words ?? []);
  return {
    text: clean(parsed.data.text),
    segments: segments.map((segment) => ({
      text: clean(segment.text),
      start: segment.start,
      end: segment.end,
      avgLogprob: segment.avg_logprob ?? null,
      noSpeechProbability: segment.no_speech_prob ?? null,
      compressionRatio: segment.compression_ratio ?? null,
    })),
    words: words.map((word) => ({ ...word, word: clean(word.word) })).filter(({ word }) => word !== ''),
  };
}

/**
 * Whisper's tokens are bytes: a word may end inside a character, which servers return as U+FFFD.
 */
function clean(text: string): string {
  return text.replaceAll(/[\uFFFD\p{Cc}]+/gu, ' ').trim();
}
