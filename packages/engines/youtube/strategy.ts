import type { VideoInfo } from './player-answer.ts';

/** One way of asking the platform about a video. */
export type Strategy = {
  /** For the log and for handles: `ANDROID`, `youtubei.js TV`, `yt-dlp`. */
  name: string;
  /** Sent with requests for the links that this strategy returns. */
  userAgent: string;
  /** Its links to sound work. */
  servesSound: boolean;
  /**
   * Its answer without captions is final when the other strategies fail; one of another strategy
   * only confirms it.
   */
  mayRuleOutCaptions: boolean;
  /** Asks once. Throws `PlatformError`, or the reason of an aborted signal. */
  findVideo(videoId: string, signal: AbortSignal): Promise<VideoInfo>;
};

/** The outcome of each strategy that was tried, in order: `ANDROID: captcha`. */
export type AttemptLog = string[];
