import type { Segment } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription, CueLimits } from '@jyutsing/contracts/transcription';
import type { ExportedTranscript } from '#features/export/exported-transcript.ts';
import { speakerLabels } from '#features/transcription/format.ts';
import { shownTranscript, type ShownTranscript, type TextChoice } from '#features/transcription/shown-transcript.ts';

/** Which text a file has, and whether it names speakers; absent: where that tells something. */
export type ExportChoice = TextChoice & { speakers?: boolean | undefined };

/** The transcript that a file of this choice shows. */
export function exportedTranscript(record: CompletedTranscription, choice: ExportChoice): ExportedTranscript {
  const { segments, names } = shownTranscript(record, choice);
  return {
    title: record.title,
    language: record.result.language,
    durationMs: record.durationMs,
    createdAtMs: record.createdAtMs,
    showsSpeakers: choice.speakers ?? speakersAreShown(record, { segments, names }),
    segments: segments.map((segment) => ({
      ...segment,
      speaker: nameOf(segment, names),
      translation: null,
    })),
  };
}

function nameOf({ speaker }: Segment, names: ShownTranscript['names']): string | null {
  return speaker === null ? null : (names.get(speaker) ?? speaker);
}

/** A speaker who is alone needs no name, but keeps one that was given. */
export function speakersAreShown({ options }: CompletedTranscription, { segments, names }: ShownTranscript): boolean {
  if (!options.withDiarization && names.size === 0) return false;
  const [first, ...furtherLabels] = speakerLabels(segments).keys();
  return first !== undefined && (furtherLabels.length > 0 || names.has(first));
}

type SubtitleChoice = {
  max_line_length?: number | undefined;
  max_lines?: number | undefined;
  min_duration?: number | undefined;
  reading_speed?: number | undefined;
};

/** The options of subtitles but for speakers; null: none was sent. */
export function subtitleOptions(
  { max_line_length: lineLength, max_lines: lines, min_duration: minSeconds, reading_speed: speed }: SubtitleChoice,
  cues: CueLimits,
) {
  if ([lineLength, lines, minSeconds, speed].every((option) => option === undefined)) return null;
  return {
    maxLineLength: lineLength ?? cues.maxCharacters,
    maxLines: lines ?? 1,
    maxMs: cues.maxMs,
    minMs: (minSeconds ?? 0) * 1_000,
    readingSpeed: speed ?? null,
  };
}
