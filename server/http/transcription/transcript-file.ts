import type { z } from 'zod';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription, CueLimits, TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { cutCues } from '#features/transcription/cues.ts';
import { formatBlocks, formatDiarization, formatPlain, formatVtt } from '#features/transcription/format.ts';
import { shownTranscript, type ShownTranscript, type TextChoice } from '#features/transcription/shown-transcript.ts';
import { meanConfidence } from '#features/transcription/mean-confidence.ts';
import { wordsOf, type TimedWord } from '#features/transcription/transcript-words.ts';
import { notesOf } from '#http/recording-notes.ts';
import type { JsonFile } from './record-schema.ts';

type TextFileFormat = 'txt' | 'srt' | 'vtt';

type TextFile = {
  mediaType: string;
  write(
    segments: readonly Segment[],
    speakers: boolean,
    cues: CueLimits,
    names?: ShownTranscript['names'],
  ): Promise<string>;
};

/** Transcripts as text files; `speakers`: put the speaker's name before each text. */
export const TEXT_FILES: Record<TextFileFormat, TextFile> = {
  txt: {
    mediaType: 'text/plain',
    write: async (segments, speakers, _cues, names) =>
      `${speakers ? formatDiarization(segments, names) : formatPlain(segments)}\n`,
  },
  srt: {
    mediaType: 'application/x-subrip',
    write: async (segments, speakers, cues, names) =>
      formatBlocks(await cutCues(segments, cues), cueOptions(speakers, names)),
  },
  vtt: {
    mediaType: 'text/vtt',
    write: async (segments, speakers, cues, names) =>
      formatVtt(await cutCues(segments, cues), cueOptions(speakers, names)),
  },
};

const cueOptions = (speakers: boolean, names: ShownTranscript['names'] | undefined) =>
  names === undefined ? { speakers } : { speakers, names };

/**
 * The record as a completed one. Throws `conflict` while it is in progress or when it failed.
 */
export function completedRecordOf(record: TranscriptionRecord): CompletedTranscription {
  if (record.status === 'completed') return record;
  throw new AppError(
    'conflict',
    record.status === 'failed'
      ? `There is no transcript, because the transcription failed: ${record.error.message}`
      : 'The transcription is not completed yet; ask again later.',
  );
}

/**
 * All details as JSON: segments, speakers, words, characters with readings, times and confidences.
 * Segments are written one by one: finding the words of ten hours and writing them takes a second.
 */
export async function writeJsonFile(
  record: TranscriptionRecord,
  choice: TextChoice,
  translation: readonly string[] | null = null,
): Promise<string> {
  const completed = completedRecordOf(record);
  const { result, editVersion, editedAtMs } = completed;
  const { segments, names } = shownTranscript(completed, choice);
  const fields: Omit<z.output<typeof JsonFile>, 'segments'> = {
    request_id: record.id,
    ...(record.title === null ? {} : { title: record.title }),
    version: editVersion,
    ...(editedAtMs === null ? {} : { edited_at: new Date(editedAtMs).toISOString() }),
    ...(names.size === 0 ? {} : { speakers: Object.fromEntries(names) }),
    language: result.language,
    duration_s: inSeconds(result.durationMs),
    ...notesOf(result),
    text: formatPlain(segments),
  };
  const written: string[] = [];
  for (const [index, segment] of segments.entries()) {
    await yieldToEventLoop();
    const translated = translation?.[index];
    const view = viewSegment(segment, result.language);
    written.push(JSON.stringify(translated === undefined ? view : { ...view, translation: translated }));
  }
  return `${JSON.stringify(fields).slice(0, -1)},"segments":[${written.join(',')}]}`;
}

function viewSegment(segment: Segment, language: Language): z.output<typeof JsonFile>['segments'][number] {
  return {
    start: inSeconds(segment.startMs),
    end: inSeconds(segment.endMs),
    text: segment.text,
    speaker: segment.speaker,
    confidence: rounded(segment.confidence),
    words: wordsOf(segment).map((word) => viewWord(word, language)),
  };
}

function viewWord({ text, units }: TimedWord, language: Language) {
  return {
    text,
    start: inSeconds(Math.min(...units.map(({ startMs }) => startMs))),
    end: inSeconds(Math.max(...units.map(({ endMs }) => endMs))),
    confidence: rounded(meanConfidence(units)),
    characters: units
      .filter((unit) => /^\p{Script=Han}/u.test(unit.text))
      .map((unit) => ({
        text: unit.text,
        ...readingOf(unit, language),
        start: inSeconds(unit.startMs),
        end: inSeconds(unit.endMs),
        confidence: rounded(unit.confidence),
        ...(unit.corrected === undefined ? {} : { corrected: unit.corrected }),
      })),
  };
}

function readingOf({ reading }: Word, language: Language): { jyutping?: string | null; pinyin?: string | null } {
  if (language === 'cantonese') return { jyutping: reading };
  return language === 'mandarin' ? { pinyin: reading } : {};
}

function inSeconds(timeMs: number): number {
  return Math.round(timeMs) / 1_000;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000;
}
