import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { Summarizer, SummaryRequest } from '@jyutsing/contracts/summarizer';
import { checkedSummary } from './check-summary.ts';
import { createTranscripts, type TranscriptPorts } from './create-transcripts.ts';
import { createSingleFlight } from '@jyutsing/concurrency/single-flight';
import { cached, failingAs, keyOf } from './stage-work.ts';
import type { VideoSummaries, VideoSummary } from './video-summaries.ts';

export type VideoSummaryPorts = TranscriptPorts & {
  /** The best there is, and what its summaries depend on. Throws `engine_unavailable`. */
  openSummarizer(): Promise<{ summarizer: Summarizer; version: string }>;
};

const SUMMARY_KEPT_MS = 10 * 60_000;
const MOST_CHARACTERS = 4_000_000;
/** As it is written down. */
const Summary = z.string().regex(/\S/);

/** See `VideoSummaries`. Tracks, transcripts and summaries are fetched and made once for all who ask for the same. */
export function createVideoSummaries(ports: VideoSummaryPorts): VideoSummaries {
  const transcripts = createTranscripts(ports);
  const shareSummaries = createSingleFlight<string>({
    keptMs: SUMMARY_KEPT_MS,
    // The same request may succeed a moment later, and whoever sends it again means it.
    failureKeptMs: 0,
    maxSize: MOST_CHARACTERS,
    sizeOf: (summary) => summary.length,
    failureSize: 1,
  });

  /** `videoKey` null: what a caller gave us to read is neither shared nor written down. */
  const summaryOf = async (request: SummaryRequest, videoKey: string | null, signal: AbortSignal) => {
    const { summarizer, version } = await failingAs('summary_failed', signal, () => ports.openSummarizer());
    const summarize = (stop: AbortSignal) =>
      failingAs('summary_failed', stop, async () =>
        checkedSummary(summarizer, await summarizer.summarize(request, stop), request, stop),
      );
    if (videoKey === null) return summarize(signal);
    const { language, title, transcript } = request;
    const key = keyOf('summary', videoKey, language, version, title, transcript);
    return shareSummaries(
      key,
      (stop) => cached({ cache: ports.cache, key, shape: Summary }, () => summarize(stop)),
      signal,
    );
  };

  return {
    async listTracks(videoId, signal) {
      const video = await transcripts.findVideo(videoId, signal);
      if (video.tracks.length === 0) throw new AppError('no_subtitles');
      return video;
    },

    async summarize(ask, signal): Promise<VideoSummary> {
      const { videoId, subtitleLanguage, summaryLanguage: language } = ask;
      const given = ask.transcript === null ? null : { title: null, trackName: subtitleLanguage, text: ask.transcript };
      const { title, trackName, text } = given ?? (await transcripts.find(videoId, subtitleLanguage, signal));
      if (text.trim() === '') throw new AppError('empty_transcript');
      const videoKey = given === null ? keyOf(videoId, trackName) : null;
      const summary = await summaryOf({ transcript: text, title, language }, videoKey, signal);
      return { videoId, title, subtitleLanguage: trackName, summaryLanguage: language, transcript: text, summary };
    },
  };
}
