import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language, type RecognizedSyllable, type Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionProgress, TranscriptionResult, TranscriptionStage } from '@jyutsing/contracts/transcription';
import { createReadableWriter, writeReadably, type ReadableWriter, type WritingStyle } from '@jyutsing/text/readable';
import { emittedEvents } from '@jyutsing/concurrency/emitted-events';
import { secondsSince } from './credits.ts';
import { fuseWhileRecognizing, type RunningFusion } from './fusion/fuse-while-recognizing.ts';
import { cutBySpeaker, speakerParts, type SpeakerPart } from './speakers.ts';
import { recognizeRecording } from './recognize-recording.ts';
import { resultEvents } from './result-parts.ts';
import type { TranscriptionCall, TranscriptionContext, TranscriptionEvent, TranscriptionObserver } from './stages.ts';

/**
 * Transcribes a recording: recognition, fusion alongside it, then speakers. Runs in a worker
 * process. Throws AppError; an aborted signal throws its reason.
 */
export function transcribe(
  call: TranscriptionCall,
  context: TranscriptionContext,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent> {
  return emittedEvents(async (emit) => {
    const observer: TranscriptionObserver = {
      progress: (progress) => emit({ type: 'progress', progress }),
      segment: (segment) => emit({ type: 'segment', segment }),
      correctionFailed: (corrector, { code, message }) => emit({ type: 'correction-failed', corrector, code, message }),
    };
    for (const event of resultEvents(await transcribeFile(call, context, observer, signal))) emit(event);
  });
}

async function transcribeFile(
  call: TranscriptionCall,
  context: TranscriptionContext,
  observer: TranscriptionObserver,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  const stop = new AbortController();
  const stages = createStages(observer);
  const fusing =
    context.fuse === null ? null : fuseWhileRecognizing(context.fuse, stages, AbortSignal.any([signal, stop.signal]));
  try {
    const { syllables, turns, ...recognition } = await recognizeFile(call, context, fusing, stages, signal);
    stages.endRecognition();
    // Only Cantonese has syllables, and without speech there is nothing to correct.
    const isCorrectable = syllables.length > 0 && syllables.length === recognition.segments.length;
    const corrected = fusing !== null && isCorrectable ? await fusing.finish() : { segments: null, seconds: 0 };
    const parts = turns === null ? null : speakerParts(recognition.segments, turns);
    const written = (segments: readonly Segment[]) => {
      const bySpeaker = parts === null ? segments : cutBySpeaker(segments, parts);
      return writeReadably(bySpeaker, recognition.language, styleOf(call.options));
    };
    return {
      ...recognition,
      segments: written(recognition.segments),
      fusion:
        corrected.segments === null
          ? null
          : { segments: written(corrected.segments), romanization: romanizationOf(syllables, parts) },
      fusionSeconds: corrected.seconds,
      isCached: false,
    };
  } catch (thrown) {
    // A correction must not go on in this process after its transcription has failed.
    stop.abort(thrown);
    throw thrown;
  }
}

/**
 * Reports the stages in order. Correction goes on alongside the stages before it: its progress then
 * repeats theirs, which shows that the process works where they wait for it.
 */
function createStages(observer: TranscriptionObserver): TranscriptionObserver & { endRecognition(): void } {
  let shown: TranscriptionProgress = { stage: 'recognition', processedMs: 0 };
  let isRecognized = false;
  return {
    ...observer,
    progress(progress) {
      if (progress.stage !== 'fusion' || isRecognized) shown = progress;
      observer.progress(shown);
    },
    endRecognition: () => void (isRecognized = true),
  };
}

type BestSyllable = Pick<RecognizedSyllable, 'startMs' | 'endMs'> & { reading: string };

type Recognition = Omit<TranscriptionResult, 'fusion' | 'fusionSeconds' | 'isCached'> & {
  /** The most likely syllables of each segment; empty when not available. */
  syllables: BestSyllable[][];
  turns: SpeakerTurn[] | null;
};

async function recognizeFile(
  { path, models, options }: TranscriptionCall,
  context: TranscriptionContext,
  fusing: RunningFusion | null,
  observer: TranscriptionObserver,
  signal: AbortSignal,
): Promise<Recognition> {
  const startedMs = performance.now();
  const segments: Segment[] = [];
  const syllables: BestSyllable[][] = [];
  // Null until the identifier has told it.
  let language: Language | null = LANGUAGES.find((each) => each === options.language) ?? null;
  let backend: string | null = null;
  let durationMs: number | null = null;
  let turns: SpeakerTurn[] | null = null;
  let names: (readonly [speaker: string, name: string])[] | undefined;
  const progress = (stage: TranscriptionStage, processedMs: number) => observer.progress({ stage, processedMs });
  const shown = createShownText(styleOf(options), observer);
  const addSyllables = async (ofSegment: RecognizedSyllable[]) => {
    const segment = segments[syllables.length];
    syllables.push(ofSegment.flatMap(bestOf));
    if (segment !== undefined) await fusing?.add({ segment, syllables: ofSegment });
  };
  const { withDiarization, knownSpeakers, speakers, diarizationThreshold: threshold } = options;
  const recording = {
    context: options.context,
    romanize: fusing !== null,
    diarize: withDiarization,
    hints: {
      ...(knownSpeakers === undefined ? {} : { knownVoices: knownSpeakers.map(({ voice }) => voice) }),
      ...(speakers === undefined ? {} : { speakers }),
      ...(threshold === undefined ? {} : { threshold }),
    },
  };
  progress('recognition', 0);
  for await (const event of recognizeRecording({ path, models, options: recording }, context, signal)) {
    switch (event.type) {
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
        shown.add(event.segment, language);
        if (event.syllables !== null) await addSyllables(event.syllables);
        break;
      case 'audio-end':
        durationMs = event.durationMs;
        shown.end();
        break;
      case 'segment-syllables':
        await addSyllables(event.syllables);
        break;
      case 'diarization-progress':
        progress('diarization', event.processedMs);
        break;
      case 'turns':
        turns = event.turns;
        names = event.known?.flatMap((speaker, index) => {
          const name = knownSpeakers?.[index]?.name;
          return speaker === null || name === undefined ? [] : [[String(speaker), name] as const];
        });
        break;
    }
  }
  if (durationMs === null || backend === null || (withDiarization && turns === null)) {
    throw new AppError('engine_failed', 'The recognition ended before the recording did.');
  }
  const transcriptionSeconds = secondsSince(startedMs);
  // Without speech no language can be detected.
  const speakerNames = names === undefined ? {} : { speakerNames: Object.fromEntries(names) };
  const measured = { backend, durationMs, transcriptionSeconds };
  return { language: language ?? 'cantonese', ...measured, segments, ...speakerNames, syllables, turns };
}

/** Shows segments as they will be in the result, each when the next one is known. */
function createShownText(style: WritingStyle, observer: TranscriptionObserver) {
  let writer: ReadableWriter | null = null;
  const show = (segment: Segment | null) => {
    if (segment !== null) observer.segment(segment);
  };
  return {
    add(segment: Segment, language: Language | null) {
      writer ??= createReadableWriter(language ?? 'cantonese', style);
      show(writer.add(segment));
    },
    end: () => show(writer?.end() ?? null),
  };
}

function styleOf({ withPunctuation, numerals }: TranscriptionCall['options']): WritingStyle {
  return { punctuation: withPunctuation !== false, numerals: numerals !== false };
}

function bestOf({ startMs, endMs, alternatives }: RecognizedSyllable): BestSyllable[] {
  const [best] = alternatives;
  return best === undefined ? [] : [{ startMs, endMs, reading: best.reading }];
}

/**
 * The syllables of each segment, or of each speaker's part of it: those with their middle inside
 * the part.
 */
function romanizationOf(syllables: readonly BestSyllable[][], parts: readonly SpeakerPart[][] | null): string[] {
  const join = (some: readonly BestSyllable[]) => some.map(({ reading }) => reading).join(' ');
  if (parts === null) return syllables.map(join);
  return syllables.flatMap((ofSegment, index) =>
    (parts[index] ?? []).map((part, position, { length }) => {
      // The first and the last part also take syllables slightly outside the segment.
      const fromMs = position === 0 ? -Infinity : part.fromMs;
      const untilMs = position === length - 1 ? Infinity : part.untilMs;
      return join(
        ofSegment.filter(({ startMs, endMs }) => {
          const middleMs = (startMs + endMs) / 2;
          return middleMs >= fromMs && middleMs < untilMs;
        }),
      );
    }),
  );
}
