import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { AppError } from '@jyutsing/contracts/errors';
import type { RecognizedSyllable, Language, Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionOptions, TranscriptionResult, TranscriptionStage } from '@jyutsing/contracts/transcription';
import { fuseWhileRecognizing, type RunningFusion } from './fusion/fuse-while-recognizing.ts';
import { cutBySpeaker, speakerParts, type SpeakerPart } from './speakers.ts';
import type { Fuse, RecognizeFile, TranscriptionObserver } from './stages.ts';

/**
 * From a recording to its transcript: recognition, fusion beside it, speakers. `fuse` null: the text is given as it was recognised.
 * Throws AppError; an aborted signal throws its reason.
 */
export async function transcribe(
  options: TranscriptionOptions,
  { listen, fuse }: { listen: RecognizeFile; fuse: Fuse | null },
  observer: TranscriptionObserver,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  const fusing = fuse === null ? null : fuseWhileRecognizing(fuse, observer, signal);
  const { heard, turns, ...listened } = await listenTo(options, listen, fusing, observer, signal);
  // Only Cantonese is heard as syllables; and where nothing was said there is nothing to correct.
  const isCorrectable = heard.length > 0 && heard.length === listened.segments.length;
  const corrected = fusing !== null && isCorrectable ? await fusing.finish() : { segments: null, seconds: 0 };
  const parts = turns === null ? null : speakerParts(listened.segments, turns);
  const bySpeaker = (segments: readonly Segment[]) => (parts === null ? [...segments] : cutBySpeaker(segments, parts));
  return {
    ...listened,
    segments: bySpeaker(listened.segments),
    fusion:
      corrected.segments === null
        ? null
        : { segments: bySpeaker(corrected.segments), romanization: romanizationOf(heard, parts) },
    fusionSeconds: corrected.seconds,
    isCached: false,
  };
}

/** The likeliest syllable of a place. */
type BestSyllable = Pick<RecognizedSyllable, 'startMs' | 'endMs'> & { reading: string };

type Listened = Omit<TranscriptionResult, 'fusion' | 'fusionSeconds' | 'isCached'> & {
  /** The likeliest syllables of each segment; empty where they were not told. */
  heard: BestSyllable[][];
  turns: SpeakerTurn[] | null;
};

async function listenTo(
  options: TranscriptionOptions,
  listen: RecognizeFile,
  fusing: RunningFusion | null,
  observer: TranscriptionObserver,
  signal: AbortSignal,
): Promise<Listened> {
  let startedMs = performance.now();
  const segments: Segment[] = [];
  const heard: BestSyllable[][] = [];
  let language: Language | null = options.language === 'auto' ? null : options.language;
  let backend: string | null = null;
  let durationMs: number | null = null;
  let turns: SpeakerTurn[] | null = null;
  const progress = (stage: TranscriptionStage, processedMs: number) => observer.progress({ stage, processedMs });
  const hear = async (syllables: RecognizedSyllable[]) => {
    const segment = segments[heard.length];
    heard.push(syllables.flatMap(bestOf));
    if (segment !== undefined) await fusing?.add({ segment, syllables });
  };
  const { context, withDiarization } = options;
  const wishes = { language: options.language, context, romanize: fusing !== null, diarize: withDiarization };
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
        observer.segment(event.segment);
        if (event.syllables !== null) await hear(event.syllables);
        break;
      case 'audio-end':
        durationMs = event.durationMs;
        break;
      case 'segment-syllables':
        await hear(event.syllables);
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
  const transcriptionSeconds = secondsSince(startedMs);
  // Where there was no speech, there was nothing to tell the language by.
  return { language: language ?? 'cantonese', backend, durationMs, transcriptionSeconds, segments, heard, turns };
}

function bestOf({ startMs, endMs, alternatives }: RecognizedSyllable): BestSyllable[] {
  const [best] = alternatives;
  return best === undefined ? [] : [{ startMs, endMs, reading: best.reading }];
}

/** The syllables of each segment, or of each part of it that one speaker says: those in whose time their middle lies. */
function romanizationOf(heard: readonly BestSyllable[][], parts: readonly SpeakerPart[][] | null): string[] {
  const write = (syllables: readonly BestSyllable[]) => syllables.map(({ reading }) => reading).join(' ');
  if (parts === null) return heard.map(write);
  return heard.flatMap((syllables, index) =>
    (parts[index] ?? []).map((part, place, { length }) => {
      // The first and the last part take what was heard a little outside the segment.
      const fromMs = place === 0 ? -Infinity : part.fromMs;
      const untilMs = place === length - 1 ? Infinity : part.untilMs;
      return write(
        syllables.filter(({ startMs, endMs }) => {
          const middleMs = (startMs + endMs) / 2;
          return middleMs >= fromMs && middleMs < untilMs;
        }),
      );
    }),
  );
}

/** Seconds from a moment of `performance.now()` until now, to the millisecond. */
export function secondsSince(startedMs: number): number {
  return Math.round(performance.now() - startedMs) / 1_000;
}

/** Credits of a recording: one for each begun second, at least one. */
export function creditsFor(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / 1_000));
}
