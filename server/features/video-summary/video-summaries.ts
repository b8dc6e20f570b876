import type { CaptionTrack } from '@jyutsing/contracts/captions';
import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';

/** What is asked of one video. Null: the first track; the transcript is to be fetched. */
export type SummaryAsk = {
  /** 11 characters, from `parseVideoLink`. */
  videoId: string;
  /** Name or code of a track, in any case. Means nothing where the transcript is given. */
  subtitleLanguage: string | null;
  summaryLanguage: SummaryLanguage;
  transcript: string | null;
};

export type VideoSummary = {
  videoId: string;
  /** Null where the platform does not tell, and where it was not asked. */
  title: string | null;
  /** The track that was used, `English (auto-generated)`; what was asked for where the transcript was given, null where nothing was. */
  subtitleLanguage: string | null;
  summaryLanguage: SummaryLanguage;
  transcript: string;
  /** Plain text, never blank. */
  summary: string;
};

/** Videos, their captions and what they say. */
export type VideoSummaries = {
  /** The tracks of a video, in the order of the platform. Throws `no_subtitles` when there are none, `caption_tracks_failed`. */
  listTracks(videoId: string, signal: AbortSignal): Promise<{ title: string | null; tracks: readonly CaptionTrack[] }>;
  /**
   * A summary. Throws `no_subtitles`, `caption_tracks_failed`, `transcript_download_failed`, `empty_transcript`, `summary_failed`; an aborted
   * signal throws its reason.
   */
  summarize(ask: SummaryAsk, signal: AbortSignal): Promise<VideoSummary>;
};
