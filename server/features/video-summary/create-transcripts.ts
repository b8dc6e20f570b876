import { z } from 'zod';
import type { CaptionedVideo, CaptionSource, CaptionTrack, OfferedTrack } from '@jyutsing/contracts/captions';
import { AppError } from '@jyutsing/contracts/errors';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { chooseTrack, trackName } from './choose-track.ts';
import { createSingleFlight } from '@jyutsing/concurrency/single-flight';
import { cached, failingAs, keyOf, type TextCache } from './stage-work.ts';
import { transcriptRows } from './transcript-text.ts';

/** What a video says: its rows, one on each line, and the name of the track that they are of. */
export type Transcript = { trackName: string; text: string };
/** The same as it is written down. */
const Transcript = z.object({ trackName: z.string(), text: z.string().regex(/\S/) });

/** A video that has to be listened to; its title tells what it is about. */
export type UncaptionedVideo = { source: CaptionSource; videoId: string; title: string | null };

/** What was said in the sound of a video; the language by its English name. */
export type RecognizedSpeech = { language: string; text: string };

export type TranscriptPorts = {
  /** Throws `engine_unavailable`. */
  openSource(): Promise<CaptionSource>;
  /** Hears a video that has no captions. Null: switched off. */
  recognize: ((video: UncaptionedVideo, signal: AbortSignal) => Promise<RecognizedSpeech>) | null;
  cache: TextCache;
};

/** Videos and what they say, fetched once for all who ask for the same. Throws what `VideoSummaries` does. */
export type Transcripts = {
  findVideo(videoId: string, signal: AbortSignal): Promise<CaptionedVideo>;
  /** Of the track that `wanted` names, or of the first one; of the sound where there is none at all. Never blank. */
  find(
    videoId: string,
    wanted: string | null,
    signal: AbortSignal,
  ): Promise<Transcript & Pick<CaptionedVideo, 'title'>>;
};

/** Links of tracks live for hours, but titles and tracks change. */
const TRACKS_KEPT_MS = 5 * 60_000;
const TRANSCRIPT_KEPT_MS = 10 * 60_000;
/** Long enough that a crowd does not knock on a closed door, short enough that nobody notices when it is open again. */
const FAILURE_KEPT_MS = 10_000;
/** Of each of the two kinds of things that are kept. A video has half a thousand for each of its tracks, mostly their links. */
const MOST_CHARACTERS = 16_000_000;
/** About what a failure takes, with its reasons. */
const FAILURE_CHARACTERS = 1_000;
/** Raised whenever the rows of the same captions could be others. */
const READING_VERSION = '2';

export function createTranscripts({ openSource, recognize, cache }: TranscriptPorts): Transcripts {
  const shareVideos = createSingleFlight<CaptionedVideo>({
    keptMs: TRACKS_KEPT_MS,
    failureKeptMs: FAILURE_KEPT_MS,
    maxSize: MOST_CHARACTERS,
    sizeOf: ({ tracks }) => FAILURE_CHARACTERS + tracks.reduce((sum, { handle }) => sum + handle.length, 0),
    failureSize: FAILURE_CHARACTERS,
  });
  const shareTranscripts = createSingleFlight<Transcript>({
    keptMs: TRANSCRIPT_KEPT_MS,
    failureKeptMs: FAILURE_KEPT_MS,
    maxSize: MOST_CHARACTERS,
    sizeOf: ({ text }) => text.length,
    failureSize: FAILURE_CHARACTERS,
  });

  const findVideo = (videoId: string, signal: AbortSignal) =>
    shareVideos(
      videoId,
      (stop) => failingAs('caption_tracks_failed', stop, async () => (await openSource()).find(videoId, stop)),
      signal,
    );

  const read = async (videoId: string, track: OfferedTrack, stop: AbortSignal): Promise<Transcript> => {
    const lines = await (await openSource()).download(videoId, track, stop);
    await yieldToEventLoop();
    return { trackName: trackName(track), text: transcriptRows(lines).join('\n') };
  };

  const hear = async (videoId: string, title: string | null, stop: AbortSignal): Promise<Transcript> => {
    if (recognize === null) throw new AppError('no_subtitles');
    const { language, text } = await recognize({ source: await openSource(), videoId, title }, stop);
    return { trackName: `${language} (speech recognition)`, text };
  };

  return {
    findVideo,
    async find(videoId, wanted, signal) {
      const { title, tracks } = await findVideo(videoId, signal);
      const track = chooseTrack(tracks, wanted);
      if (track === null && tracks.length > 0) throw new AppError('no_subtitles');
      const key = keyOf('transcript', READING_VERSION, videoId, track === null ? 'sound' : describe(track));
      const fetch = async (stop: AbortSignal) => {
        const transcript = await (track === null ? hear(videoId, title, stop) : read(videoId, track, stop));
        // Thrown here, so that it is forgotten soon: captions may be filled later.
        if (transcript.text.trim() === '') throw new AppError('empty_transcript');
        return transcript;
      };
      const work = (stop: AbortSignal) =>
        failingAs('transcript_download_failed', stop, () =>
          cached({ cache, key, shape: Transcript }, () => fetch(stop)),
        );
      return { title, ...(await shareTranscripts(key, work, signal)) };
    },
  };
}

function describe({ name, languageCode, autoGenerated }: CaptionTrack): string {
  return JSON.stringify([name, languageCode, autoGenerated]);
}
