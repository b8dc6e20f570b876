import type { ErrorCode } from '@jyutsing/contracts/errors';

/** Exact messages of responses with status 200 and `success: false` (interface 7.1). */
export const SENTENCES = {
  invalid_video_link: 'Invalid YouTube URL or video ID',
  no_subtitles: 'No subtitles available',
  caption_tracks_failed: 'Failed to fetch caption tracks',
  transcript_download_failed: 'Failed to download transcript',
  empty_transcript: 'Empty transcript',
  video_quota_exceeded: 'quota_exceeded',
  summary_failed: 'Failed to summarize',
} as const satisfies Partial<Record<ErrorCode, string>>;
