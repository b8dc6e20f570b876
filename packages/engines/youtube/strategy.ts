import type { PlayedVideo } from './player-answer.ts';

/** One way of asking the platform about a video. */
export type Road = {
  /** For the log and for handles: `ANDROID`, `youtubei.js TV`, `yt-dlp`. */
  name: string;
  /** What goes with the links of its answers. */
  userAgent: string;
  /** Asks once. Throws `Obstacle`, or the reason of an aborted signal. */
  ask(videoId: string, signal: AbortSignal): Promise<PlayedVideo>;
};

/** What became of the roads that were tried, `ANDROID: captcha`, in their order. */
export type Notes = string[];
