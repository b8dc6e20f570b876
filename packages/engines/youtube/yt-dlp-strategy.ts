import { createWeightedSemaphore } from '@jyutsing/concurrency/weighted-semaphore';
import { BROWSER_USER_AGENT } from './clients.ts';
import { Obstacle, parseAnswer } from './platform-error.ts';
import type { Road } from './strategy.ts';
import type { YoutubeSettings } from './settings.ts';
import { readYtDlpAnswer } from './yt-dlp-answer.ts';
import { findOnPath, runProgram } from './yt-dlp-process.ts';

/** It starts an interpreter and asks several times: what one request may take is too little. */
const MIN_TIMEOUT_MS = 30_000;
/** Each takes 60 MB and a processor for a second. When the other roads are closed, everybody comes here at once. */
const MOST_AT_ONCE = 4;

/**
 * Asks the program yt-dlp (https://github.com/yt-dlp/yt-dlp) where it is installed. `auto` means none where the platform is elsewhere: it knows the
 * real one only.
 */
export function createYtDlpRoad(
  program: NonNullable<YoutubeSettings['ytDlp']>,
  { isElsewhere, proxyUrl, timeoutMs, maxAnswerBytes }: YoutubeSettings,
): Road {
  const limitMs = Math.max(timeoutMs, MIN_TIMEOUT_MS);
  const places = createWeightedSemaphore(MOST_AT_ONCE);
  const find = async (): Promise<string> => {
    if (program.path !== 'auto') return program.path;
    if (isElsewhere) throw new Obstacle('not asked, because YOUTUBE_BASE_URL is set');
    const path = await findOnPath('yt-dlp', program.env['PATH'] ?? '');
    if (path === null) throw new Obstacle('not installed');
    return path;
  };
  return {
    name: 'yt-dlp',
    userAgent: BROWSER_USER_AGENT,
    async ask(videoId, signal) {
      const args = [
        '--ignore-config',
        '--no-warnings',
        '--no-playlist',
        '--no-cache-dir',
        '--skip-download',
        '--ignore-no-formats-error',
        '--dump-single-json',
        '--socket-timeout',
        String(Math.ceil(timeoutMs / 1_000)),
        // An id may begin with a dash.
        '--',
        `https://www.youtube.com/watch?v=${videoId}`,
      ];
      const path = await find();
      const options = { env: program.env, proxyUrl, maxOutputBytes: maxAnswerBytes, timeoutMs: limitMs };
      const output = await places.use(1, signal, () => runProgram(path, args, options, signal));
      return readYtDlpAnswer(parseAnswer(output), videoId);
    },
  };
}
