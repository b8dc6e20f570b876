import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { Segment } from '@jyutsing/contracts/transcript';
import { widthOf } from '#features/transcription/cue-atoms.ts';
import { cutCues } from '#features/transcription/cues.ts';
import { numberedBlock, timecode } from '#features/transcription/format.ts';
import { breakLines, wordUnits } from './break-lines.ts';
import type { ExportedSegment } from './exported-transcript.ts';

export type SubtitleOptions = {
  /** Chinese characters in a line; letters count half. */
  maxLineLength: number;
  maxLines: number;
  /** The longest cue. */
  maxMs: number;
  /** A cue that is shorter is shown until the next one begins. */
  minMs: number;
  /** Chinese characters a second that people can read; null: not limited. */
  readingSpeed: number | null;
  /** Whether the name of the speaker comes before the text. */
  speakers: boolean;
};

/** A cue with its lines, and the width of what is read of them: one of two languages. */
type SubtitleCue = { startMs: number; endMs: number; lines: string[]; readWidth: number };

/** The narrowest place beside a long name. */
const LEAST_WIDTH = 4;

/**
 * The cues of a subtitle file, in order. A segment with a translation has its own cues, of both
 * languages: each part of the text with the same share of the translation.
 */
export async function subtitleCues(
  segments: readonly ExportedSegment[],
  options: SubtitleOptions,
): Promise<SubtitleCue[]> {
  const isBilingual = segments.some(({ translation }) => translation !== null);
  const cues = isBilingual ? await bilingualCues(segments, options) : await plainCues(segments, options);
  return withTimeToRead(
    cues.toSorted((a, b) => a.startMs - b.startMs),
    options,
  );
}

const prefixOf = ({ speaker }: Pick<Segment, 'speaker'>, { speakers }: SubtitleOptions) =>
  speakers && speaker !== null ? `${oneLine(speaker)}: ` : '';

const oneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();

/** The place that is left for the text of a cue beside the name of its speaker. */
function limitsOf(prefixWidth: number, { maxLineLength, maxLines, maxMs }: SubtitleOptions) {
  // Lines end between words, so two lines rarely take all of their characters.
  const slack = maxLines > 1 ? (maxLines - 1) * Math.min(2, maxLineLength / 8) : 0;
  const maxCharacters = Math.max(LEAST_WIDTH, Math.floor(maxLineLength * maxLines - prefixWidth - slack));
  return { maxCharacters, maxMs };
}

async function plainCues(segments: readonly ExportedSegment[], options: SubtitleOptions): Promise<SubtitleCue[]> {
  const cues: SubtitleCue[] = [];
  for (const [prefix, ofSpeaker] of Map.groupBy(segments, (segment) => prefixOf(segment, options))) {
    for (const cue of await cutCues(ofSpeaker, limitsOf(widthOf(prefix), options))) {
      await yieldToEventLoop();
      cues.push(...dividedCue({ ...cue, text: prefix + oneLine(cue.text) }, options));
    }
  }
  return cues;
}

/** A cue, or several when its words need more lines than a cue has. */
function dividedCue({ text, startMs, endMs }: Segment, { maxLineLength, maxLines }: SubtitleOptions): SubtitleCue[] {
  const lines = breakLines(text, maxLineLength);
  if (lines.length <= maxLines) return [{ startMs, endMs: Math.max(startMs, endMs), lines, readWidth: widthOf(text) }];
  const groups = Array.from({ length: Math.ceil(lines.length / maxLines) }, (_, index) =>
    lines.slice(index * maxLines, (index + 1) * maxLines),
  );
  const total = widthOf(lines.join(''));
  let width = 0;
  return groups.map((group) => {
    const fromMs = startMs + ((endMs - startMs) * width) / total;
    width += widthOf(group.join(''));
    const endsMs = startMs + ((endMs - startMs) * width) / total;
    return { startMs: fromMs, endMs: endsMs, lines: group, readWidth: widthOf(group.join('')) };
  });
}

async function bilingualCues(segments: readonly ExportedSegment[], options: SubtitleOptions): Promise<SubtitleCue[]> {
  const cues: SubtitleCue[] = [];
  for (const segment of segments) {
    await yieldToEventLoop();
    const prefix = prefixOf(segment, options);
    const limits = limitsOf(widthOf(prefix), options);
    const translation = oneLine(segment.translation ?? '');
    // The name of the speaker stands in the line of the original alone.
    const count = Math.ceil(widthOf(translation) / limitsOf(0, options).maxCharacters);
    const parts = await cutCues([segment], limits);
    const texts = parts.length >= count ? parts : timeSlices(segment, count);
    const translated = shares(
      translation,
      texts.map(({ text }) => widthOf(text)),
    );
    for (const [at, part] of texts.entries()) {
      cues.push(...fittingCues({ ...part, translation: translated[at] ?? '' }, prefix, options));
    }
  }
  return cues.filter(({ lines }) => lines.length > 0);
}

type BilingualPart = Pick<Segment, 'text' | 'startMs' | 'endMs'> & { translation: string };

/** A cue, or those of its halves when one of its languages needs more lines than a cue has. */
function fittingCues(part: BilingualPart, prefix: string, options: SubtitleOptions): SubtitleCue[] {
  const { text, translation, startMs, endMs } = part;
  const original = text === '' ? [] : breakLines(prefix + oneLine(text), options.maxLineLength);
  const second = translation === '' ? [] : breakLines(translation, options.maxLineLength);
  const halves = original.length > options.maxLines || second.length > options.maxLines ? halvesOf(part) : [];
  if (halves.length > 0) return halves.flatMap((half) => fittingCues(half, prefix, options));
  const readWidth = Math.max(widthOf(text), widthOf(translation));
  return [{ startMs, endMs: Math.max(startMs, endMs), lines: [...original, ...second], readWidth }];
}

/** None when both texts are single words. */
function halvesOf(part: BilingualPart): BilingualPart[] {
  const translations = shares(part.translation, [1, 1]);
  const halves = timeSlices(part, 2).map((half, at) => ({ ...half, translation: translations[at] ?? '' }));
  return halves.some(({ text, translation }) => text === '' && translation === '') ? [] : halves;
}

/** A segment in parts of the same length, for a translation that is much longer. */
function timeSlices(
  { text, startMs, endMs }: Pick<Segment, 'text' | 'startMs' | 'endMs'>,
  count: number,
): Pick<Segment, 'text' | 'startMs' | 'endMs'>[] {
  const texts = shares(
    text,
    Array.from({ length: count }, () => 1),
  );
  const at = (index: number) => startMs + ((endMs - startMs) * index) / count;
  return texts.map((part, index) => ({ text: part, startMs: at(index), endMs: at(index + 1) }));
}

/** Divides a text between words into as many parts as there are weights, in their proportions. */
export function shares(text: string, weights: readonly number[]): string[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const units = wordUnits(text);
  const whole = widthOf(text);
  const parts = weights.map(() => '');
  let part = 0;
  let passed = 0;
  let until = weights[0] ?? 0;
  for (const unit of units) {
    const width = widthOf(unit);
    const middle = ((passed + width / 2) / whole) * total;
    while (middle > until && part < weights.length - 1) until += weights[++part] ?? 0;
    parts[part] += unit;
    passed += width;
  }
  return parts.map((written) => written.trim());
}

/** Cues stay as long as they need to be read, at most until the next one begins. */
function withTimeToRead(cues: readonly SubtitleCue[], { minMs, readingSpeed }: SubtitleOptions): SubtitleCue[] {
  return cues.map((cue, index) => {
    const readMs = readingSpeed === null ? 0 : (cue.readWidth * 1_000) / readingSpeed;
    const wantedMs = cue.startMs + Math.max(minMs, readMs);
    const nextMs = cues[index + 1]?.startMs ?? Infinity;
    return { ...cue, endMs: Math.max(cue.endMs, Math.min(wantedMs, Math.max(nextMs, cue.endMs))) };
  });
}

/** A SubRip file. */
export function formatSrt(cues: readonly SubtitleCue[]): string {
  return cues
    .map(({ startMs, endMs, lines }, index) => numberedBlock(index, { startMs, endMs, text: lines.join('\n') }))
    .join('');
}

/** A WebVTT file. Escapes markup characters. */
export function formatCuesAsVtt(cues: readonly SubtitleCue[]): string {
  const blocks = cues.map(({ startMs, endMs, lines }) => {
    const text = lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `${timecode(startMs, '.')} --> ${timecode(endMs, '.')}\n${text}\n\n`;
  });
  return `WEBVTT\n\n${blocks.join('')}`;
}
