import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createWeightedSemaphore } from '@jyutsing/concurrency/weighted-semaphore';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type {
  AudioLimit,
  CaptionedVideo,
  CaptionSource,
  CaptionTrack,
  OfferedTrack,
} from '@jyutsing/contracts/captions';
import { AppError } from '@jyutsing/contracts/errors';
import type { Summarizer, SummaryLanguage, SummaryRequest } from '@jyutsing/contracts/summarizer';
import { checkSummary } from './check-summary.ts';
import { chooseTrack, trackName } from './choose-track.ts';
import { createStep, failAs, keyOf, type TextCache } from './pipeline-step.ts';
import { transcriptRows, type TranscriptRow } from './transcript-text.ts';

export type VideoSummaryRequest = {
  /** 11 characters, from `parseVideoLink`; null only with a `transcript`. */
  videoId: string | null;
  /**
   * Name or code of a track, in any case; null: the first one. Only repeated with a `transcript`.
   */
  subtitleLanguage: string | null;
  summaryLanguage: SummaryLanguage;
  /**
   * The transcript of the request; null when it is made from the captions of the video or from its
   * sound.
   */
  transcript: string | null;
};

/** A transcript with what is known of its video. */
export type MadeTranscript = {
  videoId: string | null;
  /**
   * The title of the video; null when the platform does not give it, and with a transcript of the
   * request.
   */
  title: string | null;
  /**
   * The track used, `English (auto-generated)`; with a transcript of the request, its own value.
   */
  subtitleLanguage: string | null;
  transcript: string;
  /** The start of each line of the transcript; null with a transcript of the request. */
  lineStartsMs: readonly number[] | null;
};

export type VideoSummary = MadeTranscript & {
  summaryLanguage: SummaryLanguage;
  /** Plain text, never blank. */
  summary: string;
};

/** The transcript was fetched, but could not be summarized. */
export class SummaryFailed extends AppError {
  readonly made: MadeTranscript;

  constructor({ message, cause, retryAfterSeconds }: AppError, made: MadeTranscript) {
    super('summary_failed', message, { cause, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) });
    this.made = made;
  }
}

export type VideoSummarizer = {
  /** Tracks in the order of the platform. Throws `no_subtitles`, `caption_tracks_failed`. */
  listTracks(videoId: string, signal: AbortSignal): Promise<{ title: string | null; tracks: readonly CaptionTrack[] }>;
  /**
   * Throws `no_subtitles`, `caption_tracks_failed`, `transcript_download_failed`,
   * `empty_transcript`, `summary_failed`; an aborted signal throws its reason.
   */
  summarize(request: VideoSummaryRequest, signal: AbortSignal): Promise<VideoSummary>;
};

/** Recognizes the speech of an audio file. `language` is an English name; a row is a segment. */
type TranscribeFile = (
  path: string,
  title: string | null,
  signal: AbortSignal,
) => Promise<{ language: string; rows: TranscriptRow[] }>;

/** Speech recognition for videos without captions. */
export type VideoRecognition = {
  limit: AudioLimit;
  /** Downloads and recognitions at a time; more would only fill the disk. */
  maxConcurrent: number;
  /** The folder that holds the sound until it is recognized. */
  audioDir: string;
  /** Throws when no recognizer is available, before the sound is downloaded. */
  prepare(): Promise<TranscribeFile>;
};

type VideoSummarizerDeps = {
  /** Throws `engine_unavailable`. */
  openCaptionSource(): Promise<CaptionSource>;
  /** `version` names everything that the summaries depend on. Throws `engine_unavailable`. */
  openSummarizer(): Promise<{ summarizer: Summarizer; version: string }>;
  /** The recognition of videos without captions; null when it is switched off. */
  recognition: VideoRecognition | null;
  cache: TextCache;
};

/** `text` has one row per line, each with its start. */
const Transcript = z
  .object({ trackName: z.string(), text: z.string().regex(/\S/), startsMs: z.array(z.number()) })
  .refine(({ text, startsMs }) => text.split('\n').length === startsMs.length);
type Transcript = z.infer<typeof Transcript>;
const Summary = z.string().regex(/\S/);

/** Links of tracks expire after hours, but titles and tracks change. */
const TRACKS_KEPT_MS = 5 * 60_000;
const TEXT_KEPT_MS = 10 * 60_000;
/** Failed lookups are cached to stop stampedes. */
const FAILURE_KEPT_MS = 10_000;
/** A video has about 500 for each of its tracks, mostly the link. */
const MAX_CACHED_CHARACTERS = 16_000_000;
const MAX_CACHED_SUMMARY_CHARACTERS = 4_000_000;
/** About the size of an error with its causes. */
const FAILURE_CHARACTERS = 1_000;
/** Increase it when the transcript of the same captions may become different. */
const TRANSCRIPT_VERSION = '3';

/** Simultaneous requests for the same video share each step; its results are cached. */
export function createVideoSummarizer(deps: VideoSummarizerDeps): VideoSummarizer {
  const { openCaptionSource, openSummarizer, recognition, cache } = deps;
  const recognitionSlots = createWeightedSemaphore(recognition?.maxConcurrent ?? 1);
  const { tracksStep, transcriptStep, summaryStep } = createSteps(cache);

  const findVideo = (videoId: string, signal: AbortSignal) =>
    tracksStep(videoId, signal, async (stop) => (await openCaptionSource()).find(videoId, stop));

  const downloadCaptions = async (videoId: string, track: OfferedTrack, signal: AbortSignal): Promise<Transcript> => {
    const source = await openCaptionSource();
    const lines = await source.download(videoId, track, signal);
    await yieldToEventLoop();
    return asTranscript(trackName(track), transcriptRows(lines));
  };

  const transcribeSound = async (videoId: string, title: string | null, signal: AbortSignal): Promise<Transcript> => {
    if (recognition === null) throw new AppError('no_subtitles');
    const source = await openCaptionSource();
    return recognitionSlots.use(1, signal, async () => {
      const transcribeFile = await recognition.prepare();
      const path = join(recognition.audioDir, randomUUID());
      try {
        await source.saveAudio(videoId, path, recognition.limit, signal);
        const { language, rows } = await transcribeFile(path, title, signal);
        return asTranscript(`${language} (speech recognition)`, rows);
      } finally {
        await rm(path, { force: true });
      }
    });
  };

  return {
    async listTracks(videoId, signal) {
      const video = await findVideo(videoId, signal);
      if (video.tracks.length === 0) throw new AppError('no_subtitles');
      return video;
    },

    async summarize(request, signal) {
      const { videoId, subtitleLanguage, summaryLanguage, transcript: requestTranscript } = request;
      if (requestTranscript !== null) {
        const made = { videoId, title: null, subtitleLanguage, transcript: requestTranscript, lineStartsMs: null };
        return { ...made, summaryLanguage, summary: await summarizeSent(deps, made, summaryLanguage, signal) };
      }

      if (videoId === null) throw new AppError('invalid_video_link');
      const { title, tracks } = await findVideo(videoId, signal);
      const track = chooseTrack(tracks, subtitleLanguage);
      if (track === null && tracks.length > 0) throw new AppError('no_subtitles');

      const transcript = await transcriptStep(transcriptKey(videoId, track), signal, async (stop) => {
        const made = track === null ? transcribeSound(videoId, title, stop) : downloadCaptions(videoId, track, stop);
        // Thrown inside the step, so that it is cached only briefly: captions may be filled later.
        if ((await made).text.trim() === '') throw new AppError('empty_transcript');
        return made;
      });

      const made = {
        videoId,
        title,
        subtitleLanguage: transcript.trackName,
        transcript: transcript.text,
        lineStartsMs: transcript.startsMs,
      };
      const summarize = async () => {
        const { summarizer, version } = await failAs('summary_failed', signal, openSummarizer);
        const summaryRequest = { title, transcript: transcript.text, language: summaryLanguage };
        const videoKey = keyOf(videoId, transcript.trackName);
        const key = keyOf('summary', videoKey, summaryLanguage, version, title, transcript.text);
        return summaryStep(key, signal, (stop) => makeSummary(summarizer, summaryRequest, stop));
      };
      const summary = await summarize().catch((thrown: unknown) => {
        throw thrown instanceof AppError && thrown.code === 'summary_failed' ? new SummaryFailed(thrown, made) : thrown;
      });
      return { ...made, summaryLanguage, summary };
    },
  };
}

/** The summary of a transcript that the client sent, which is neither shared nor stored. */
async function summarizeSent(
  { openSummarizer }: Pick<VideoSummarizerDeps, 'openSummarizer'>,
  { transcript }: Pick<MadeTranscript, 'transcript'>,
  language: SummaryLanguage,
  signal: AbortSignal,
): Promise<string> {
  if (transcript.trim() === '') throw new AppError('empty_transcript');
  const request = { title: null, transcript, language };
  return failAs('summary_failed', signal, async () =>
    makeSummary((await openSummarizer()).summarizer, request, signal),
  );
}

/** A line break inside a row would be one more row. */
function asTranscript(name: string, rows: readonly TranscriptRow[]): Transcript {
  return {
    trackName: name,
    text: rows.map(({ text }) => text.replaceAll('\n', ' ')).join('\n'),
    startsMs: rows.map(({ startMs }) => startMs),
  };
}

function transcriptKey(videoId: string, track: CaptionTrack | null): string {
  const source = track === null ? 'sound' : JSON.stringify([track.name, track.languageCode, track.autoGenerated]);
  return keyOf('transcript', TRANSCRIPT_VERSION, videoId, source);
}

async function makeSummary(summarizer: Summarizer, request: SummaryRequest, signal: AbortSignal): Promise<string> {
  const answer = await summarizer.summarize(request, signal);
  return checkSummary(summarizer, answer, request, signal);
}

/** How long each step's values are kept, and where. */
function createSteps(cache: TextCache) {
  const tracksStep = createStep<CaptionedVideo>({
    failureCode: 'caption_tracks_failed',
    keptMs: TRACKS_KEPT_MS,
    failureKeptMs: FAILURE_KEPT_MS,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeOf: ({ tracks }) => FAILURE_CHARACTERS + tracks.reduce((sum, { handle }) => sum + handle.length, 0),
    failureSize: FAILURE_CHARACTERS,
    stored: null,
  });
  const transcriptStep = createStep<Transcript>({
    failureCode: 'transcript_download_failed',
    keptMs: TEXT_KEPT_MS,
    failureKeptMs: FAILURE_KEPT_MS,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeOf: ({ text, startsMs }) => text.length + 4 * startsMs.length,
    failureSize: FAILURE_CHARACTERS,
    stored: { cache, shape: Transcript },
  });
  const summaryStep = createStep<string>({
    failureCode: 'summary_failed',
    keptMs: TEXT_KEPT_MS,
    // A repeated request may succeed, because models answer differently each time.
    failureKeptMs: 0,
    maxSize: MAX_CACHED_SUMMARY_CHARACTERS,
    sizeOf: (summary) => summary.length,
    failureSize: 1,
    stored: { cache, shape: Summary },
  });
  return { tracksStep, transcriptStep, summaryStep };
}
