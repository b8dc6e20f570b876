import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { BROWSER_USER_AGENT } from './clients.ts';
import { parseAnswer } from './platform-error.ts';
import type { PlatformFetch } from './platform-fetch.ts';
import { readPlayerAnswer } from './player-answer.ts';
import type { Road } from './strategy.ts';
import { PLATFORM_URL } from './settings.ts';

/** Clients by the names of YouTube.js, which keeps their versions with each release; those of browsers come last, because their links want a token. */
export const INNERTUBE_CLIENTS = ['TV', 'WEB_EMBEDDED', 'VISIONOS', 'MWEB'] as const;
export type InnertubeClient = (typeof INNERTUBE_CLIENTS)[number];

/**
 * Asks through YouTube.js (https://github.com/LuanRT/YouTube.js), which introduces itself as other clients than the settings do. Its raw
 * answer is read, not its model of a video: that one refuses answers with anything new in them.
 */
export function createInnertubeRoad(platform: PlatformFetch, client: InnertubeClient): Road {
  return {
    name: `youtubei.js ${client}`,
    userAgent: BROWSER_USER_AGENT,
    async ask(videoId, signal) {
      // 30 MB, and only when the first roads are closed. The bundle for browsers is one file in place of a thousand: to load those
      // holds up the whole process for a second.
      const { Innertube, Log } = await import('youtubei.js/web.bundle');
      // It would write answers to the console.
      Log.setLevel(Log.Level.NONE);
      // A session is made for each request: with two hundred at once, a second of computing.
      await yieldToEventLoop();
      signal.throwIfAborted();
      const innertube = await Innertube.create({
        fetch: createFetch(platform, signal),
        retrieve_player: false,
        generate_session_locally: true,
        retrieve_innertube_config: false,
        enable_session_cache: false,
        lang: 'en',
        location: 'US',
        timezone: 'UTC',
        user_agent: BROWSER_USER_AGENT,
      });
      const { data } = await innertube.actions.execute('/player', {
        videoId,
        client,
        contentCheckOk: true,
        racyCheckOk: true,
      });
      return readPlayerAnswer(data, videoId);
    },
  };
}

/** The platform's fetch in the shape of the standard's, for requests whose answers are JSON. It says what a browser would add. */
function createFetch(platform: PlatformFetch, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const link = input instanceof Request ? input.url : String(input);
    const own = { 'user-agent': BROWSER_USER_AGENT, origin: PLATFORM_URL };
    const headers = { ...own, ...Object.fromEntries(new Headers(init?.headers)) };
    const body = typeof init?.body === 'string' ? init.body : null;
    const answer = await platform.text({ link, headers, body }, signal);
    parseAnswer(answer);
    return new Response(answer, { headers: { 'content-type': 'application/json' } });
  };
}
