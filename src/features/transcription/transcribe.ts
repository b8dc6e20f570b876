import type { CorrectionSegment } from '#contracts/corrector.ts';
import type { SpeakerTurn } from '#contracts/diarizer.ts';
import { AppError, type ErrorCode } from '#contracts/errors.ts';
import type { RecognitionEvent } from '#contracts/recognizer.ts';
import type { HeardSyllable } from '#contracts/romanizer.ts';
import type { Language, LanguageChoice, Segment } from '#contracts/transcript.ts';
import type {
  Fusion,
  TranscriptionOptions,
  TranscriptionProgress,
  TranscriptionResult,
  TranscriptionStage,
} from '#contracts/transcription.ts';
import { cutBySpeaker, speakerParts } from './speakers.ts';

export type ListeningOptions = {
  language: LanguageChoice;
  context: string | null;
  /** Whether the syllables of Cantonese are wanted beside its text; and whether speakers are to be told apart. */
  romanize: boolean;
  diarize: boolean;
};

/**
 * What listening to one file gives: once that the work begins (before it, the file may wait for a free worker); the language,
 * where it had to be found out and there was speech to tell it by; who recognises; the recogniser's events; how long the sound really
 * was; then, where they were wanted, the syllables of each segment in turn (unless the recogniser gave them) and who spoke when.
 */
export type ListeningEvent =
  | { type: 'audio-start' }
  | { type: 'language-detected'; language: Language; confidence: number }
  | { type: 'recognizer-chosen'; backend: string }
  | RecognitionEvent
  | { type: 'audio-end'; durationMs: number }
  | { type: 'segment-heard'; heard: HeardSyllable[] }
  | { type: 'diarization-progress'; processedMs: number }
  | { type: 'turns'; turns: SpeakerTurn[] };

/** Decodes and recognises one file; the caller chose file and engine. Throws AppError; an aborted signal throws its reason. */
export type Listen = (options: ListeningOptions, signal: AbortSignal) => AsyncIterable<ListeningEvent>;

/** What correcting a transcript gives, in the end the fusion. Where a corrector fails, the next one does its work. */
export type FusionEvent =
  | { type: 'progress'; processedMs: number }
  | { type: 'corrector-failed'; corrector: string; code: ErrorCode; message: string }
  | { type: 'fusion-end'; fusion: Fusion };

/**
 * Corrects a transcript with the corpora and the hint of its request. Throws `timed_out` when a chunk exceeds its time budget; an
 * aborted signal throws its reason.
 */
export type Fuse = (segments: readonly CorrectionSegment[], signal: AbortSignal) => AsyncIterable<FusionEvent>;

/** Hears of the work while it goes on. Progress never goes back within a stage; segments come in order and are as recognised. */
export type TranscriptionObserver = {
  progress(progress: TranscriptionProgress): void;
  segment(segment: Segment): void;
  /** A corrector failed, or with null all of fusion did: then the text is given as it was recognised. */
  correctionFailed(corrector: string | null, error: AppError): void;
};

/**
 * From a recording to its transcript: recognition, speakers, fusion. `fuse` null: the text is given as it was recognised.
 * Throws AppError; an aborted signal throws its reason.
 */
export async function transcribe(
  options: TranscriptionOptions,
  stages: { listen: Listen; fuse: Fuse | null },
  observer: TranscriptionObserver,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  const { heard, ...transcript } = await listenTo(options, stages, observer, signal);
  // Only Cantonese is heard as jyutping; and where nothing was said there is nothing to correct.
  const isCorrected = transcript.language === 'cantonese' && transcript.segments.length > 0;
  if (stages.fuse === null || !isCorrected || heard.length !== transcript.segments.length) {
    return { ...transcript, fusion: null, fusionSeconds: 0, isCached: false };
  }
  const startedMs = performance.now();
  const segments = transcript.segments.map((segment, index) => ({ segment, heard: heard[index] ?? [] }));
  const fusion = await fuseSafely(segments, stages.fuse, observer, signal);
  return { ...transcript, fusion, fusionSeconds: secondsSince(startedMs), isCached: false };
}

type Listened = Omit<TranscriptionResult, 'fusion' | 'fusionSeconds' | 'isCached'> & {
  /** The syllables of each segment; empty where they were not told. */
  heard: HeardSyllable[][];
};

async function listenTo(
  options: TranscriptionOptions,
  { listen, fuse }: { listen: Listen; fuse: Fuse | null },
  observer: TranscriptionObserver,
  signal: AbortSignal,
): Promise<Listened> {
  let startedMs = performance.now();
  const segments: Segment[] = [];
  const heard: HeardSyllable[][] = [];
  let language: Language | null = options.language === 'auto' ? null : options.language;
  let backend: string | null = null;
  let durationMs: number | null = null;
  let turns: SpeakerTurn[] | null = null;
  const progress = (stage: TranscriptionStage, processedMs: number) => observer.progress({ stage, processedMs });
  const { context, withDiarization } = options;
  const wishes = { language: options.language, context, romanize: fuse !== null, diarize: withDiarization };
  for await (const event of listen(wishes, signal)) {
    switch (event.type) {
      case 'audio-start':
        startedMs = performance.now();
        progress('recognition', 0);
        break;
      case 'progress':
        progress('recognition', event.processedMs);
        break;
      case 'language-detected':
        language = event.language;
        break;
      case 'recognizer-chosen':
        backend = event.backend;
        break;
      case 'segment-end':
        segments.push(event.segment);
        if (event.heard !== null) heard.push(event.heard);
        observer.segment(event.segment);
        break;
      case 'audio-end':
        durationMs = event.durationMs;
        break;
      case 'segment-heard':
        heard.push(event.heard);
        break;
      case 'diarization-progress':
        progress('diarization', event.processedMs);
        break;
      case 'turns':
        turns = event.turns;
        break;
    }
  }
  if (durationMs === null || backend === null || (withDiarization && turns === null)) {
    throw new AppError('engine_failed', 'The recognition ended before the recording did.');
  }
  // Where there was no speech, there was nothing to tell the language by.
  const listened = {
    language: language ?? 'cantonese',
    backend,
    durationMs,
    transcriptionSeconds: secondsSince(startedMs),
  };
  if (turns === null) return { ...listened, segments, heard };
  return { ...listened, ...withSpeakers(segments, heard, turns) };
}

/** A segment in which the speaker changes becomes several; each syllable goes with the part in whose time it was heard. */
function withSpeakers(segments: readonly Segment[], heard: readonly HeardSyllable[][], turns: readonly SpeakerTurn[]) {
  const parts = speakerParts(segments, turns);
  const heardInParts = heard.flatMap((syllables, index) =>
    // The first and the last part take what was heard a little outside the segment.
    (parts[index] ?? []).map(({ fromMs, untilMs }, place, { length }) =>
      syllables.filter(({ startMs, endMs }) => {
        const middleMs = (startMs + endMs) / 2;
        return (place === 0 || middleMs >= fromMs) && (place === length - 1 || middleMs < untilMs);
      }),
    ),
  );
  return { segments: cutBySpeaker(segments, parts), heard: heardInParts };
}

/** A correction that broke down costs its text, not the transcription; one that takes too long fails it, as the interface has it. */
async function fuseSafely(
  segments: readonly CorrectionSegment[],
  fuse: Fuse,
  observer: TranscriptionObserver,
  signal: AbortSignal,
): Promise<Fusion | null> {
  try {
    for await (const event of fuse(segments, signal)) {
      if (event.type === 'fusion-end') return event.fusion;
      if (event.type === 'progress') observer.progress({ stage: 'fusion', processedMs: event.processedMs });
      else observer.correctionFailed(event.corrector, new AppError(event.code, event.message));
    }
    throw new AppError('engine_failed', 'The correction ended without a text.');
  } catch (thrown) {
    const isOwn =
      thrown instanceof AppError && (thrown.code === 'engine_failed' || thrown.code === 'engine_unavailable');
    if (signal.aborted || !isOwn) throw thrown;
    observer.correctionFailed(null, thrown);
    return null;
  }
}

/** Seconds from a moment of `performance.now()` until now, to the millisecond. */
export function secondsSince(startedMs: number): number {
  return Math.round(performance.now() - startedMs) / 1_000;
}

/** Credits of a recording: one for each begun second, at least one. */
export function creditsFor(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / 1_000));
}
