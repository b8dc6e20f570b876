import type { VideoInfo } from './player-answer.ts';

/** One way of asking the platform about a video. */
export type Strategy = {
  /** Name for the log and for handles: `ANDROID`, `youtubei.js TV`, `yt-dlp`. */
  name: string;
  /** User agent of requests for the links that this strategy returns. */
  userAgent: string;
  /** True if its links to sound work. */
  servesSound: boolean;
  /**
   * True if its answer without captions is final when the other strategies fail; the answer of
   * another strategy only confirms it.
   */
  mayRuleOutCaptions: boolean;
  /**
   * True if it plays what others play, so that its word that a video does not exist is final.
   * Clients of televisions and embedded players are also refused videos that play elsewhere.
   */
  mayRuleOutVideo: boolean;
  /** Asks the platform once. Throws `PlatformError`, or the reason of an aborted signal. */
  findVideo(videoId: string, signal: AbortSignal): Promise<VideoInfo>;
};

/** The outcome of each strategy that was tried, in order: `ANDROID: captcha`. */
export type AttemptLog = string[];
