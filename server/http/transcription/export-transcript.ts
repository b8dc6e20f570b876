import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription, CueLimits } from '@jyutsing/contracts/transcription';
import type { TranslationLanguage } from '#features/after-transcript/text-choices.ts';
import { sourceOf, stateOf, translatedSegments } from '#features/after-transcript/translate-transcript.ts';
import type { ExportedTranscript } from '#features/export/exported-transcript.ts';
import { speakerLabels } from '#features/transcription/format.ts';
import { shownTranscript, type ShownTranscript, type TextChoice } from '#features/transcription/shown-transcript.ts';
import type { ServerDeps } from '#http/deps.ts';

/** Which text a file has, and whether it names speakers; absent: where that tells something. */
type ExportChoice = TextChoice & {
  speakers?: boolean | undefined;
  language?: TranslationLanguage | undefined;
  bilingual?: boolean | undefined;
  note?: string | undefined;
  speaker_label?: string | undefined;
};

/** The texts of a translation, one for each segment, and whether the original is shown too. */
export type ChosenTranslation = { texts: readonly string[]; isBilingual: boolean };

/**
 * The translation that a file is to have; null: none. Throws `conflict` when it is not there, or
 * the transcript was edited since.
 */
export async function chosenTranslation(
  { store }: Pick<ServerDeps, 'store'>,
  record: CompletedTranscription,
  { language, bilingual = false, text, version }: ExportChoice,
): Promise<ChosenTranslation | null> {
  if (language === undefined) return null;
  if (text === 'raw' || version === 'original') {
    throw new AppError('invalid_parameter', 'The field "language" is about the final, edited text only.');
  }
  const stored = await store.translations.find({ transcriptionId: record.id, language });
  const state = stored === null ? null : stateOf(stored, sourceOf(translatedSegments(record)), Date.now());
  const texts = stored?.texts ?? null;
  if (state === 'completed' && texts !== null) return { texts, isBilingual: bilingual };
  throw new AppError('conflict', `${WHY_MISSING[state ?? 'failed']} POST …/translations {"language": "${language}"}.`);
}

const WHY_MISSING = {
  processing: 'The translation is not completed yet; ask again later. It was begun by',
  outdated: 'The transcript was edited after it was translated; translate it again:',
  failed: 'There is no translation of this transcript into this language; make one:',
  completed: 'The translation has no text; make it again:',
} as const;

/** The segments that a file shows: the original, or a translation in its place. */
export function shownSegments(
  record: CompletedTranscription,
  choice: ExportChoice,
  translation: ChosenTranslation | null,
): ShownTranscript {
  const { segments, names } = shownTranscript(record, choice);
  if (translation === null || translation.isBilingual) return { segments, names };
  return {
    segments: segments.map((segment, index) => ({ ...segment, text: translation.texts[index] ?? '', words: [] })),
    names,
  };
}

/** The transcript that a file of this choice shows. */
export function exportedTranscript(
  record: CompletedTranscription,
  choice: ExportChoice,
  translation: ChosenTranslation | null,
): ExportedTranscript {
  const { segments, names } = shownSegments(record, choice, translation);
  return {
    title: record.title,
    note: choice.note ?? null,
    language: record.result.language,
    durationMs: record.durationMs,
    createdAtMs: record.createdAtMs,
    showsSpeakers: choice.speakers ?? speakersAreShown(record, { segments, names }),
    segments: segments.map((segment, index) => ({
      ...segment,
      speaker: nameOf(segment, names, choice.speaker_label),
      translation: translation?.isBilingual === true ? (translation.texts[index] ?? '') : null,
    })),
  };
}

function nameOf({ speaker }: Segment, names: ShownTranscript['names'], label?: string): string | null {
  if (speaker === null) return null;
  const number = Number(/\d+$/.exec(speaker)?.[0] ?? 0) + 1;
  return names.get(speaker) ?? label?.replaceAll('{n}', String(number)) ?? speaker;
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
  isBilingual: boolean,
) {
  if (!isBilingual && [lineLength, lines, minSeconds, speed].every((option) => option === undefined)) return null;
  return {
    maxLineLength: lineLength ?? cues.maxCharacters,
    maxLines: lines ?? 1,
    maxMs: cues.maxMs,
    minMs: (minSeconds ?? 0) * 1_000,
    readingSpeed: speed ?? null,
  };
}
