import { createWeightedSemaphore } from '@jyutsing/concurrency/weighted-semaphore';
import { BROWSER_USER_AGENT } from './clients.ts';
import { PlatformError, parseJsonBody } from './platform-error.ts';
import type { Strategy } from './strategy.ts';
import type { YoutubeSettings } from './settings.ts';
import { readYtDlpAnswer } from './yt-dlp-answer.ts';
import { findOnPath, runProgram } from './yt-dlp-process.ts';

/**
 * Least timeout in milliseconds: yt-dlp starts an interpreter and sends several requests, which
 * takes longer than one request may.
 */
const MIN_TIMEOUT_MS = 30_000;
/**
 * Largest number of processes of 60 MB and a CPU second each; all requests run one when the other
 * strategies fail.
 */
const MAX_PROCESSES = 4;

/**
 * Creates a strategy that runs yt-dlp (https://github.com/yt-dlp/yt-dlp) where it is installed.
 * `auto` skips it with a custom base URL, because it always asks the real platform.
 */
export function createYtDlpStrategy(
  program: NonNullable<YoutubeSettings['ytDlp']>,
  { isCustomHost, proxyUrl, timeoutMs, maxAnswerBytes, cookiesFile }: YoutubeSettings,
): Strategy {
  const programTimeoutMs = Math.max(timeoutMs, MIN_TIMEOUT_MS);
  const slots = createWeightedSemaphore(MAX_PROCESSES);
  const find = async (): Promise<string> => {
    if (program.path !== 'auto') return program.path;
    if (isCustomHost) throw new PlatformError('skipped because YOUTUBE_BASE_URL is set');
    const path = await findOnPath('yt-dlp', program.env['PATH'] ?? '');
    if (path === null) throw new PlatformError('not installed');
    return path;
  };
  return {
    name: 'yt-dlp',
    userAgent: BROWSER_USER_AGENT,
    servesSound: true,
    // yt-dlp turns a request to sign in into a video without captions.
    mayRuleOutCaptions: false,
    mayRuleOutVideo: true,
    async findVideo(videoId, signal) {
      const args = [
        '--ignore-config',
        '--no-warnings',
        '--no-playlist',
        '--no-cache-dir',
        '--skip-download',
        '--ignore-no-formats-error',
        '--dump-single-json',
        // Without this option it looks for Deno, without which it finds fewer formats.
        '--js-runtimes',
        `node:${process.execPath}`,
        ...(cookiesFile === null ? [] : ['--cookies', cookiesFile]),
        '--socket-timeout',
        String(Math.ceil(timeoutMs / 1_000)),
        // An ID may start with a dash, so it comes after the end of the options.
        '--',
        `https://www.youtube.com/watch?v=${videoId}`,
      ];
      const path = await find();
      const options = { env: program.env, proxyUrl, maxOutputBytes: maxAnswerBytes, timeoutMs: programTimeoutMs };
      const output = await slots.use(1, signal, () => runProgram(path, args, options, signal));
      return readYtDlpAnswer(parseJsonBody(output), videoId);
    },
  };
}
