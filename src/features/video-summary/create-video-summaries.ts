import { createHash } from 'node:crypto';
import type { CaptionedVideo, CaptionSource, CaptionTrack, OfferedTrack } from '#contracts/captions.ts';
import { AppError, type ErrorCode } from '#contracts/errors.ts';
import type { Summarizer, SummaryRequest } from '#contracts/summarizer.ts';
import { checkedSummary } from './check-summary.ts';
import { chooseTrack, trackName } from './choose-track.ts';
import { createSharedWork } from './shared-work.ts';
import { transcriptRows } from './transcript-text.ts';
import type { SummaryAsk, VideoSummaries, VideoSummary } from './video-summaries.ts';

/** What a video says: rows as they are read, and the name of the track that they are of. */
type Transcript = { trackName: string; text: string };

/** What was said in the sound of a video; the language by its English name. */
export type RecognizedSpeech = { language: string; text: string };

/** Texts that outlive this process. It may forget at any time, and a failure of it is none of the request. */
export type TextCache = {
  find(key: string): Promise<string | null>;
  keep(key: string, value: string): Promise<void>;
};

export type VideoSummaryPorts = {
  /** Throws `engine_unavailable`. */
  openSource(): Promise<CaptionSource>;
  /** The best there is, and what its summaries depend on. Throws `engine_unavailable`. */
  openSummarizer(): Promise<{ summarizer: Summarizer; version: string }>;
  /** Hears a video that has no captions. Null: switched off. */
  recognize: ((source: CaptionSource, videoId: string, signal: AbortSignal) => Promise<RecognizedSpeech>) | null;
  cache: TextCache;
};

/** Links of tracks live for hours, but titles and tracks change. */
const TRACKS_KEPT_MS = 5 * 60_000;
const TEXTS_KEPT_MS = 10 * 60_000;
/** Long enough that a crowd does not knock on a closed door, short enough that nobody notices when it is open again. */
const FAILURE_KEPT_MS = 10_000;
const MOST_VIDEOS = 1_000;
const MOST_CHARACTERS = 16_000_000;

/** See `VideoSummaries`. Tracks, transcripts and summaries are fetched and made once for all who ask for the same. */
export function createVideoSummaries(ports: VideoSummaryPorts): VideoSummaries {
  const shareTracks = createSharedWork<CaptionedVideo>({
    keptMs: TRACKS_KEPT_MS,
    failureKeptMs: FAILURE_KEPT_MS,
    maxSize: MOST_VIDEOS,
    sizeOf: () => 1,
  });
  const shareTranscripts = createSharedWork<Transcript>({
    keptMs: TEXTS_KEPT_MS,
    failureKeptMs: FAILURE_KEPT_MS,
    maxSize: MOST_CHARACTERS,
    sizeOf: ({ text }) => text.length,
  });
  // A summary that failed may succeed at once with the next request: its failure is nobody's door.
  const shareSummaries = createSharedWork<string>({
    keptMs: TEXTS_KEPT_MS,
    failureKeptMs: 0,
    maxSize: MOST_CHARACTERS,
    sizeOf: (summary) => summary.length,
  });

  const findVideo = (videoId: string, signal: AbortSignal) =>
    shareTracks(
      videoId,
      (stop) => failingAs('caption_tracks_failed', stop, async () => (await ports.openSource()).find(videoId, stop)),
      signal,
    );

  const heard = async (source: CaptionSource, videoId: string, signal: AbortSignal): Promise<Transcript> => {
    if (ports.recognize === null) throw new AppError('no_subtitles');
    const { language, text } = await ports.recognize(source, videoId, signal);
    return { trackName: `${language} (speech recognition)`, text };
  };

  /** Of a track, or of the sound where the video has none and `track` is null. */
  const transcriptOf = (videoId: string, track: OfferedTrack | null, signal: AbortSignal) => {
    const key = keyOf('transcript', videoId, track === null ? 'sound' : describe(track));
    const fetch = async (stop: AbortSignal): Promise<Transcript> => {
      const source = await ports.openSource();
      const transcript =
        track === null
          ? await heard(source, videoId, stop)
          : {
              trackName: trackName(track),
              text: transcriptRows(await source.download(videoId, track, stop)).join('\n'),
            };
      // Thrown here, so that it is forgotten soon: captions may be filled later.
      if (transcript.text.trim() === '') throw new AppError('empty_transcript');
      return transcript;
    };
    const work = (stop: AbortSignal) =>
      failingAs('transcript_download_failed', stop, () => cached(ports.cache, key, () => fetch(stop)));
    return shareTranscripts(key, work, signal);
  };

  /** `videoKey` null: what a caller gave us to read is neither shared nor written down. */
  const summaryOf = async (request: SummaryRequest, videoKey: string | null, signal: AbortSignal) => {
    const { summarizer, version } = await failingAs('summary_failed', signal, () => ports.openSummarizer());
    const summarize = (stop: AbortSignal) =>
      failingAs('summary_failed', stop, async () =>
        checkedSummary(summarizer, await summarizer.summarize(request, stop), request, stop),
      );
    if (videoKey === null) return summarize(signal);
    const key = keyOf('summary', videoKey, request.language, version, request.transcript);
    return shareSummaries(key, (stop) => cached(ports.cache, key, () => summarize(stop)), signal);
  };

  const downloaded = async ({ videoId, subtitleLanguage }: SummaryAsk, signal: AbortSignal) => {
    const { title, tracks } = await findVideo(videoId, signal);
    const track = chooseTrack(tracks, subtitleLanguage);
    if (track === null && (tracks.length > 0 || ports.recognize === null)) throw new AppError('no_subtitles');
    return { title, ...(await transcriptOf(videoId, track, signal)) };
  };

  return {
    async listTracks(videoId, signal) {
      const video = await findVideo(videoId, signal);
      if (video.tracks.length === 0) throw new AppError('no_subtitles');
      return video;
    },

    async summarize(ask, signal): Promise<VideoSummary> {
      const { videoId, subtitleLanguage, summaryLanguage: language } = ask;
      const given = ask.transcript === null ? null : { title: null, trackName: subtitleLanguage, text: ask.transcript };
      const { title, trackName, text } = given ?? (await downloaded(ask, signal));
      if (text.trim() === '') throw new AppError('empty_transcript');
      const videoKey = given === null ? keyOf(videoId, trackName) : null;
      const summary = await summaryOf({ transcript: text, title, language }, videoKey, signal);
      return { videoId, title, subtitleLanguage: trackName, summaryLanguage: language, transcript: text, summary };
    },
  };
}

/** What this room answers with. */
const ANSWERS: ReadonlySet<ErrorCode> = new Set([
  'no_subtitles',
  'caption_tracks_failed',
  'transcript_download_failed',
  'empty_transcript',
  'summary_failed',
]);

/** Failures of engines become the one of the stage that they failed in; what went wrong stays in the cause, for the log. */
async function failingAs<Value>(code: ErrorCode, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof AppError) || ANSWERS.has(thrown.code)) throw thrown;
    throw new AppError(code, undefined, { cause: thrown.cause === undefined ? thrown.message : thrown });
  }
}

/** A value that was written down before, or else is made now and written down. */
async function cached<Value>(cache: TextCache, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = await cache.find(key);
  if (known !== null) return JSON.parse(known) as Value;
  const value = await make();
  await cache.keep(key, JSON.stringify(value));
  return value;
}

function describe({ name, languageCode, autoGenerated }: CaptionTrack): string {
  return JSON.stringify([name, languageCode, autoGenerated]);
}

function keyOf(...parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
