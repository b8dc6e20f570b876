import type { z } from 'zod';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionResult } from '@jyutsing/contracts/transcription';
import type { Alignment } from '#features/alignment/align-text.ts';
import { formatTextGrid } from '#features/alignment/format-text-grid.ts';
import { formatBlocks, formatVtt } from '#features/transcription/format.ts';
import type { AlignmentAnswer, AlignmentFormat } from './schema.ts';

type Timed = { text: string; startMs: number; endMs: number };

const viewTimed = ({ text, startMs, endMs }: Timed) => ({
  text,
  start: Math.round(startMs) / 1_000,
  end: Math.round(endMs) / 1_000,
});

/** The answer in a format, and its media type. */
export function viewAlignment(
  alignment: Alignment,
  result: Pick<TranscriptionResult, 'durationMs' | 'language'>,
  format: AlignmentFormat,
): { mediaType: string; body: unknown } {
  const { segments } = alignment;
  if (format === 'json') return { mediaType: 'application/json; charset=utf-8', body: viewJson(alignment, result) };
  if (format === 'textgrid') {
    return { mediaType: 'text/plain; charset=utf-8', body: formatTextGrid(segments, result.durationMs) };
  }
  const cues = segments.map(({ text, startMs, endMs }): Segment => {
    return { text, startMs, endMs, words: [], speaker: null, confidence: null };
  });
  if (format === 'vtt') return { mediaType: 'text/vtt; charset=utf-8', body: formatVtt(cues, { speakers: false }) };
  return { mediaType: 'application/x-subrip; charset=utf-8', body: formatBlocks(cues, { speakers: false }) };
}

function viewJson(
  { segments, disagreements }: Alignment,
  { durationMs, language }: Pick<TranscriptionResult, 'durationMs' | 'language'>,
): z.output<typeof AlignmentAnswer> {
  return {
    duration: durationMs / 1_000,
    language,
    segments: segments.map((segment) => ({
      ...viewTimed(segment),
      words: segment.words.map(({ score, characters, ...word }) => ({
        ...viewTimed(word),
        score: Math.round(score * 100) / 100,
        characters: characters.map(viewTimed),
      })),
    })),
    disagreements: disagreements.map((place) => ({ ...viewTimed(place), heard: place.heard })),
  };
}
