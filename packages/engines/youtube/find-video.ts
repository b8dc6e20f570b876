import { isDistrust, PlatformError, toPlatformError } from './platform-error.ts';
import type { VideoInfo } from './player-answer.ts';
import type { AttemptLog, Strategy } from './strategy.ts';
import { needsToken } from './track-handle.ts';

type FoundVideo = { strategy: Strategy; video: VideoInfo };

/**
 * Number of answers without captions that are needed where possible, because some clients omit
 * captions that exist.
 */
const MIN_ANSWERS_WITHOUT_CAPTIONS = 2;

/**
 * Tries the strategies in order until one returns tracks that can be downloaded. Otherwise returns
 * a video whose links need a token, or one without captions; null when every strategy failed, or
 * only one that may not rule out captions found none.
 * Throws a final `PlatformError`.
 */
export async function findVideo(
  strategies: readonly Strategy[],
  videoId: string,
  log: AttemptLog,
  signal: AbortSignal,
): Promise<FoundVideo | null> {
  let withToken: FoundVideo | null = null;
  let withoutCaptions: FoundVideo | null = null;
  let answersWithoutCaptions = 0;
  for (const strategy of strategies) {
    const video = await tryStrategy(strategy.name, log, signal, () => askFor(videoId, strategy, log, signal));
    if (video === null) continue;
    const candidate = { strategy, video };
    if (video.tracks.length === 0) {
      log.push(`${strategy.name}: no captions`);
      if (strategy.mayRuleOutCaptions) withoutCaptions ??= candidate;
      answersWithoutCaptions += 1;
      if (answersWithoutCaptions >= MIN_ANSWERS_WITHOUT_CAPTIONS) break;
    } else if (video.tracks.every(({ link }) => needsToken(link))) {
      log.push(`${strategy.name}: links need a token`);
      withToken ??= candidate;
    } else {
      return candidate;
    }
  }
  return withToken ?? withoutCaptions;
}

/**
 * That a video does not exist is believed only of a client that plays all videos, and of none after
 * the platform took this server for a bot: it then hides videos.
 */
async function askFor(videoId: string, strategy: Strategy, log: AttemptLog, signal: AbortSignal): Promise<VideoInfo> {
  try {
    return await strategy.findVideo(videoId, signal);
  } catch (thrown) {
    const isDoubtful = !strategy.mayRuleOutVideo || log.some(isDistrust);
    if (!(thrown instanceof PlatformError) || !thrown.isFinal || !isDoubtful) throw thrown;
    throw new PlatformError(thrown.message);
  }
}

/** Logs a failure and returns null. Throws a final `PlatformError`, or the reason of the signal. */
export async function tryStrategy<Value>(
  strategyName: string,
  log: AttemptLog,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toPlatformError(thrown);
    log.push(`${strategyName}: ${error.message}`);
    if (error.isFinal) throw error;
    return null;
  }
}

/** Fails a request before any strategy is tried. */
export function rejectRequest(log: AttemptLog, reason: string): never {
  log.push(reason);
  throw new PlatformError(reason, { isFinal: true });
}
