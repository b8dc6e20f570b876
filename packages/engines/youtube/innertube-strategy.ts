import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { BROWSER_USER_AGENT } from './clients.ts';
import { parseJsonBody } from './platform-error.ts';
import type { PlatformFetch } from './platform-fetch.ts';
import { readPlayerAnswer } from './player-answer.ts';
import type { Strategy } from './strategy.ts';
import { PLATFORM_URL } from './variables.ts';

/**
 * Names of YouTube.js, whose releases update the versions. Browser clients come last because their
 * links need a token.
 */
export const INNERTUBE_CLIENTS = ['TV', 'WEB_EMBEDDED', 'MWEB'] as const;
type InnertubeClient = (typeof INNERTUBE_CLIENTS)[number];

/**
 * Creates a strategy that asks through YouTube.js (https://github.com/LuanRT/YouTube.js) as clients
 * that the settings do not have. It reads the raw response, because the library's video model
 * throws on fields that it does not know.
 */
export function createInnertubeStrategy(platform: PlatformFetch, client: InnertubeClient): Strategy {
  return {
    name: `youtubei.js ${client}`,
    userAgent: BROWSER_USER_AGENT,
    servesSound: true,
    mayRuleOutCaptions: true,
    mayRuleOutVideo: false,
    async findVideo(videoId, signal) {
      // Load the library on first use: it takes 30 MB. The browser bundle is a single file; loading
      // the thousand files of the Node build blocks the process for a second.
      const { Innertube, Log } = await import('youtubei.js/web.bundle');
      // Without this level the library writes responses to the console.
      Log.setLevel(Log.Level.NONE);
      // Creating 200 sessions at once, one per request, takes a second of CPU time.
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

/** Adapts the platform's fetch for JSON requests, with the headers that a browser adds. */
function createFetch(platform: PlatformFetch, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const link = input instanceof Request ? input.url : String(input);
    const browserHeaders = { 'user-agent': BROWSER_USER_AGENT, origin: PLATFORM_URL };
    const headers = { ...browserHeaders, ...Object.fromEntries(new Headers(init?.headers)) };
    const body = typeof init?.body === 'string' ? init.body : null;
    const responseBody = await platform.text({ link, headers, body }, signal);
    parseJsonBody(responseBody);
    return new Response(responseBody, { headers: { 'content-type': 'application/json' } });
  };
}
