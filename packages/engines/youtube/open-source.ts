import { rm } from 'node:fs/promises';
import type { CaptionSource } from '@jyutsing/contracts/captions';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { downloadTrack } from './download-track.ts';
import { attempt, findVideo, refuse } from './find-video.ts';
import { createInnertubeRoad, INNERTUBE_CLIENTS } from './innertube-strategy.ts';
import { toObstacle } from './platform-error.ts';
import { createPlatformFetch } from './platform-fetch.ts';
import { createPlatformHosts } from './platform-hosts.ts';
import { createPlayerRoad } from './player-strategy.ts';
import type { Notes, Road } from './strategy.ts';
import { saveSound } from './save-sound.ts';
import type { YoutubeSettings } from './settings.ts';
import { writeHandle } from './track-handle.ts';
import { createYtDlpRoad } from './yt-dlp-strategy.ts';

/** What one request may take, so many times over, is the most that all roads to captions together may take. */
const LIMIT_OF_ALL_ROADS = 4;
const VIDEO_ID = /^[\w-]{11}$/;

/** See `CaptionSource`. */
export function openSource(settings: YoutubeSettings): CaptionSource {
  const hosts = createPlatformHosts(settings);
  const platform = createPlatformFetch({ ...settings, hosts });
  const roads: Road[] = [
    ...settings.clients.map((client) => createPlayerRoad(platform, client)),
    ...INNERTUBE_CLIENTS.map((client) => createInnertubeRoad(platform, client)),
    ...(settings.ytDlp === null ? [] : [createYtDlpRoad(settings.ytDlp, settings)]),
  ];
  const closing = new AbortController();
  const limitMs = settings.timeoutMs * LIMIT_OF_ALL_ROADS;

  /** Does the work, whose failure becomes the error of `code`; null is a failure that the notes tell of. */
  const answer = async <Value>(
    {
      code,
      videoId,
      signal,
      limit,
    }: { code: ErrorCode; videoId: string; signal: AbortSignal; limit: AbortSignal | null },
    work: (stop: AbortSignal, notes: Notes) => Promise<Value | null>,
  ): Promise<Value> => {
    signal.throwIfAborted();
    const notes: Notes = [];
    const stop = AbortSignal.any([signal, closing.signal, ...(limit === null ? [] : [limit])]);
    try {
      if (!VIDEO_ID.test(videoId)) refuse(notes, 'no id of a video');
      stop.throwIfAborted();
      const value = await work(stop, notes);
      if (value !== null) return value;
    } catch (thrown) {
      signal.throwIfAborted();
      if (closing.signal.aborted) notes.push('the source was closed');
      else if (limit?.aborted === true) notes.push(`given up after ${Math.round(limitMs / 1_000)} s`);
      else if (notes.length === 0) notes.push(toObstacle(thrown).message);
    }
    throw new AppError(code, undefined, { cause: notes.join('; ') });
  };

  return {
    find: (videoId, signal) =>
      answer(
        { code: 'caption_tracks_failed', videoId, signal, limit: AbortSignal.timeout(limitMs) },
        async (stop, notes) => {
          const found = await findVideo(roads, videoId, notes, stop);
          if (found === null) return null;
          const { road, video } = found;
          const tracks = video.tracks.map(({ link, ...track }) => ({
            ...track,
            handle: writeHandle({ road: road.name, link }),
          }));
          return { title: video.title, tracks };
        },
      ),

    download: (videoId, track, signal) =>
      answer(
        { code: 'transcript_download_failed', videoId, signal, limit: AbortSignal.timeout(limitMs) },
        (stop, notes) => downloadTrack(videoId, track, { roads, hosts, platform, notes, signal: stop }),
      ),

    async saveAudio(videoId, path, limit, signal) {
      const request = { code: 'transcript_download_failed', videoId, signal, limit: null } as const;
      try {
        await answer(request, async (stop, notes) => {
          for (const road of roads) {
            const saved = await attempt(road.name, notes, stop, async () => {
              const video = await road.ask(videoId, stop);
              await saveSound(video, path, { platform, userAgent: road.userAgent, limit, signal: stop });
              return true;
            });
            if (saved !== null) return saved;
          }
          return null;
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
