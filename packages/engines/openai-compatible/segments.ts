import { finishText, toScriptOf } from '@jyutsing/text/finish-text';
import { splitIntoUnits } from '@jyutsing/text/join-words';
import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import type { Answer, AnswerSegment, AnswerWord } from './answer.ts';
import { isHallucination, withoutCredits } from './hallucinations.ts';

/** Largest number of characters per second: fast English has 25 with spaces; Chinese 8. */
const MOST_CHARACTERS_PER_SECOND = 50;

type TextSpan = AnswerSegment & { words: AnswerWord[] };

/**
 * Converts the transcription of a speech segment to segments in the recording's time and in the
 * script of the language, without hallucinated text. Times are whole milliseconds within the upload
 * and in order, whatever the server returned. Without word times from the server, the units of a
 * segment share its time evenly.
 */
export function toSegments(
  answer: Answer,
  speech: SpeechSegment,
  options: { language: Language; timestamps: 'word' | 'segment'; prompt: string | null },
): Segment[] {
  const { language, timestamps, prompt } = options;
  const firstMs = Math.ceil(speech.startMs);
  const lastMs = Math.floor(speech.startMs + (speech.samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ);
  const clamp = (seconds: number) => Math.min(lastMs, Math.max(firstMs, Math.round(speech.startMs + seconds * 1_000)));
  if (isTooFast(answer, speech)) return [];
  const spoken = spansOf(answer, speech)
    .map(cutCredits)
    .filter((span) => !isHallucination(span, prompt));
  const segments: Segment[] = [];
  let reachedMs = firstMs;
  for (const span of spoken) {
    const fromMs = clamp(Math.min(span.start, ...span.words.map(({ start }) => start)));
    const toMs = clamp(Math.max(span.end, ...span.words.map(({ end }) => end)));
    const startMs = Math.max(reachedMs, fromMs);
    const endMs = Math.max(startMs, toMs);
    const written = toScriptOf(tidy(span.text, language), language);
    const before = segments.at(-1);
    if (written === '') continue;
    if (endMs <= startMs) {
      // The segment has no time left, so its text is appended to the previous one.
      if (before !== undefined) before.text = joinTexts(before.text, written, language);
      continue;
    }
    const units = toUnits(span, { startMs, endMs, clamp });
    // Some models write no punctuation; with word times it is derived from the pauses.
    const text = units.length > 0 && !MARKS.test(span.text) ? finishText(units, language).text : written;
    const timed = units.length > 0 ? units : splitIntoUnits(unit(written, startMs, endMs));
    const words = timestamps === 'word' ? finishText(timed, language, { punctuation: false }).words : [];
    segments.push({ text, startMs, endMs, words, speaker: null, confidence: null });
    reachedMs = endMs;
  }
  // A text of punctuation only has no word, and a segment must have words.
  return timestamps === 'word' ? segments.filter(({ words }) => words.length > 0) : segments;
}

/**
 * Returns true if the text is faster than speech can be: a hallucination. This also bounds the
 * input of the patterns below.
 */
function isTooFast({ text, segments }: Answer, { samples }: SpeechSegment): boolean {
  const length = Math.max(
    text.length,
    segments.reduce((sum, segment) => sum + segment.text.length, 0),
  );
  return length > MOST_CHARACTERS_PER_SECOND * (samples.length / RECOGNIZER_SAMPLE_RATE_HZ + 1);
}

/**
 * Returns the server's segments when their times are plausible, else one for the whole upload.
 * Words belong to the segment that contains their middle.
 */
function spansOf({ text, segments, words }: Answer, speech: SpeechSegment): TextSpan[] {
  const lengthSeconds = speech.samples.length / RECOGNIZER_SAMPLE_RATE_HZ;
  const isTimed =
    segments.length > 0 &&
    segments.every(
      ({ start, end }, index) =>
        end > start && start >= (segments[index - 1]?.start ?? -Infinity) && start < lengthSeconds,
    );
  if (isTimed && segments.length > 1) {
    return segments.map((segment, index) => {
      const fromSeconds = index === 0 ? -Infinity : segment.start;
      const toSeconds = segments[index + 1]?.start ?? Infinity;
      const segmentWords = words.filter(
        ({ start, end }) => (start + end) / 2 >= fromSeconds && (start + end) / 2 < toSeconds,
      );
      return { ...segment, words: segmentWords };
    });
  }
  const [only] = segments;
  return [
    {
      text,
      // The span is the detected speech, because Whisper's segments begin at 0 whatever the audio.
      start: (speech.speechStartMs - speech.startMs) / 1_000,
      end: (speech.speechEndMs - speech.startMs) / 1_000,
      avgLogprob: worst(segments.map(({ avgLogprob }) => avgLogprob)),
      noSpeechProbability: segments.length === 1 ? (only?.noSpeechProbability ?? null) : null,
      compressionRatio: segments.length === 1 ? (only?.compressionRatio ?? null) : null,
      words,
    },
  ];
}

type Span = { startMs: number; endMs: number; clamp: (seconds: number) => number };

/**
 * Returns the words with times from the server, as characters and words in order within their
 * segment; empty without word times.
 */
function toUnits(span: TextSpan, { startMs, endMs, clamp }: Span): Word[] {
  const units = span.words.flatMap(({ word, start, end }) => splitIntoUnits(unit(word, clamp(start), clamp(end))));
  let reachedMs = startMs;
  return units.map((word) => {
    const from = Math.min(endMs, Math.max(reachedMs, word.startMs));
    reachedMs = Math.min(endMs, Math.max(from, word.endMs));
    return { ...word, startMs: from, endMs: reachedMs };
  });
}

/** The time of dropped words is not assigned to others. */
function cutCredits(span: TextSpan): TextSpan {
  const text = withoutCredits(span.text);
  return text === span.text ? span : { ...span, text, words: [] };
}

const MARKS = /[，。！？、；,.!?;]|\p{Script=Han}\s+\p{Script=Han}/u;

function unit(text: string, startMs: number, endMs: number): Word {
  return { text, reading: null, startMs, endMs, confidence: null };
}

const HAN = '[\\p{Script=Han}，。！？：；]';
const HAN_SPACE = new RegExp(`(?<=${HAN})\\s+(?=${HAN})`, 'gu');
const HAN_BESIDE_MARK = new RegExp(`(?<=${HAN})\\s*([,!?;:])\\s*`, 'gu');
const FULL_WIDTH: Readonly<Record<string, string>> = { ',': '，', '!': '！', '?': '？', ';': '；', ':': '：' };

/** Whisper writes Chinese with half-width punctuation, or with spaces in its place. */
function tidy(text: string, language: Language): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (language === 'english') return line;
  const marked = line.replace(HAN_BESIDE_MARK, (_all, mark: string) => FULL_WIDTH[mark] ?? mark);
  return marked.replace(HAN_SPACE, /[，。！？]/u.test(marked) ? '' : '，').replace(/(?<=\p{Script=Han})\.$/u, '。');
}

function joinTexts(first: string, second: string, language: Language): string {
  return language === 'english' ? `${first} ${second}` : first + second;
}

function worst(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : Math.min(...numbers);
}
