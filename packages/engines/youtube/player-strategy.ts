import type { PlatformClient } from './clients.ts';
import { parseAnswer } from './platform-error.ts';
import type { PlatformFetch } from './platform-fetch.ts';
import { readPlayerAnswer } from './player-answer.ts';
import type { Road } from './strategy.ts';

/** Asks as one of the platform's apps does when somebody opens a video. */
export function createPlayerRoad(platform: PlatformFetch, client: PlatformClient): Road {
  const { name, number, userAgent, context } = client;
  return {
    name,
    userAgent,
    async ask(videoId, signal) {
      const body = {
        // English, because the names of tracks come in this language.
        context: { client: { ...context, hl: 'en', gl: 'US', timeZone: 'UTC', utcOffsetMinutes: 0 } },
        videoId,
        contentCheckOk: true,
        racyCheckOk: true,
      };
      const headers = {
        'content-type': 'application/json',
        'user-agent': userAgent,
        'x-youtube-client-name': number,
        'x-youtube-client-version': String(context['clientVersion']),
      };
      const link = '/youtubei/v1/player?prettyPrint=false';
      const answer = await platform.text({ link, headers, body: JSON.stringify(body) }, signal);
      return readPlayerAnswer(parseAnswer(answer), videoId);
    },
  };
}
