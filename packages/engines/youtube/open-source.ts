import { rm } from 'node:fs/promises';
import type { CaptionSource } from '@jyutsing/contracts/captions';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { downloadTrack } from './download-track.ts';
import { findVideo, rejectRequest, tryStrategy } from './find-video.ts';
import { createInnertubeStrategy, INNERTUBE_CLIENTS } from './innertube-strategy.ts';
import { CONNECTION_FAILED, isDistrust, toPlatformError } from './platform-error.ts';
import { createPlatformFetch } from './platform-fetch.ts';
import { createPlatformHosts } from './platform-hosts.ts';
import { createPlayerStrategy } from './player-strategy.ts';
import type { AttemptLog, Strategy } from './strategy.ts';
import { createStrategyMemory, type StrategyMemory } from './strategy-memory.ts';
import { saveSound } from './save-sound.ts';
import type { YoutubeSettings } from './settings.ts';
import { writeHandle } from './track-handle.ts';
import { createYtDlpStrategy } from './yt-dlp-strategy.ts';

/** Time limit of all strategies together, as a multiple of that of one request. */
const TOTAL_TIMEOUT_FACTOR = 4;
const VIDEO_ID = /^[\w-]{11}$/;

type SoundRequest = Omit<Parameters<typeof saveSound>[2], 'userAgent'> & { log: AttemptLog; memory: StrategyMemory };

/** Saves the sound with the first strategy that can; returns null when all fail. */
async function saveFromAny(
  strategies: readonly Strategy[],
  videoId: string,
  path: string,
  { log, memory, ...download }: SoundRequest,
): Promise<true | null> {
  const { signal } = download;
  for (const strategy of strategies) {
    const { name, userAgent } = strategy;
    const saved = await tryStrategy(name, log, signal, async () => {
      const video = await strategy.findVideo(videoId, signal);
      await saveSound(video, path, { ...download, userAgent });
      return true as const;
    });
    if (saved === null) continue;
    memory.worked(strategy);
    return saved;
  }
  return null;
}

export function openSource(settings: YoutubeSettings): CaptionSource {
  const hosts = createPlatformHosts(settings);
  const platform = createPlatformFetch({ ...settings, hosts });
  const strategies: Strategy[] = [
    ...settings.clients.map((client) => createPlayerStrategy(platform, client)),
    ...INNERTUBE_CLIENTS.map((client) => createInnertubeStrategy(platform, client)),
    ...(settings.ytDlp === null ? [] : [createYtDlpStrategy(settings.ytDlp, settings)]),
  ];
  const forSound = strategies.filter(({ servesSound }) => servesSound);
  const memory = createStrategyMemory();
  const soundMemory = createStrategyMemory();
  const closing = new AbortController();
  const limitMs = settings.timeoutMs * TOTAL_TIMEOUT_FACTOR;

  /** Turns a failure of `work`, thrown or null, into an error of `code` whose cause is the log. */
  const run = async <Value>(
    {
      code,
      videoId,
      signal,
      limit,
    }: { code: ErrorCode; videoId: string; signal: AbortSignal; limit: AbortSignal | null },
    work: (stop: AbortSignal, log: AttemptLog) => Promise<Value | null>,
  ): Promise<Value> => {
    signal.throwIfAborted();
    const log: AttemptLog = [];
    const stop = AbortSignal.any([signal, closing.signal, ...(limit === null ? [] : [limit])]);
    try {
      if (!VIDEO_ID.test(videoId)) rejectRequest(log, 'invalid video ID');
      stop.throwIfAborted();
      const value = await work(stop, log);
      if (value !== null) return value;
    } catch (thrown) {
      signal.throwIfAborted();
      if (closing.signal.aborted) log.push('the source was closed');
      else if (limit?.aborted === true) log.push(`timed out after ${Math.round(limitMs / 1_000)} s`);
      else if (log.length === 0) log.push(toPlatformError(thrown).message);
    }
    throw new AppError(code, undefined, { cause: causeOf(log) });
  };

  return {
    find: (videoId, signal) =>
      run(
        { code: 'caption_tracks_failed', videoId, signal, limit: AbortSignal.timeout(limitMs) },
        async (stop, log) => {
          const result = await findVideo(memory.order(strategies), videoId, log, stop);
          if (result === null) return null;
          const { strategy, video } = result;
          if (video.tracks.length > 0) memory.worked(strategy);
          const tracks = video.tracks.map(({ link, ...track }) => ({
            ...track,
            handle: writeHandle({ strategy: strategy.name, link }),
          }));
          return { title: video.title, tracks };
        },
      ),

    download: (videoId, track, signal) =>
      run({ code: 'transcript_download_failed', videoId, signal, limit: AbortSignal.timeout(limitMs) }, (stop, log) =>
        downloadTrack(videoId, track, { strategies, hosts, platform, log, signal: stop }),
      ),

    async saveAudio(videoId, path, limit, signal) {
      const request = { code: 'transcript_download_failed', videoId, signal, limit: null } as const;
      try {
        await run(request, (stop, log) => {
          const download = { platform, limit, signal: stop };
          return saveFromAny(soundMemory.order(forSound), videoId, path, { ...download, log, memory: soundMemory });
        });
      } catch (thrown) {
        await rm(path, { force: true });
        throw thrown;
      }
    },

    async close() {
      closing.abort();
      await platform.close();
    },
  };
}

/** Matches reasons of requests that nothing answered, not even a router in between. */
const UNREACHABLE = new RegExp(
  `: ${CONNECTION_FAILED} \\((?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)\\)$`,
);
const NOT_TRIED = /^yt-dlp: (?:skipped|not installed)/;

const BOT_CHECK = `The video platform took this server for a bot (bot check). Its operator can set YOUTUBE_PROXY,
install yt-dlp with a provider of proof-of-origin tokens, or set YOUTUBE_COOKIES_FILE.`.replaceAll('\n', ' ');

/**
 * Returns the cause of a failure, which lists the attempts; an AppError, whose message users see,
 * where nothing could be reached or the platform asks for a person.
 */
function causeOf(log: AttemptLog): unknown {
  const attempts = log.join('; ');
  const requests = log.filter((line) => !NOT_TRIED.test(line));
  if (requests.some(isDistrust)) return new AppError('service_unavailable', BOT_CHECK, { cause: attempts });
  if (requests.length === 0 || !requests.every((line) => UNREACHABLE.test(line))) return attempts;
  return new AppError('service_unavailable', 'This server cannot reach the video platform.', { cause: attempts });
}
