import type { PlatformClient } from './clients.ts';
import { parseJsonBody } from './platform-error.ts';
import type { PlatformFetch } from './platform-fetch.ts';
import { readPlayerAnswer } from './player-answer.ts';
import type { Strategy } from './strategy.ts';

/** Clients that are answered ERROR for videos that others play (yt-dlp, August 2026). */
const RESTRICTED = /^(?:TV|WEB_EMBEDDED|WEB_CREATOR|MWEB)/;

/** Creates a strategy that sends the request with which the platform's apps open a video. */
export function createPlayerStrategy(platform: PlatformFetch, client: PlatformClient): Strategy {
  const { name, number, userAgent, context, servesSound } = client;
  return {
    name,
    userAgent,
    servesSound,
    mayRuleOutCaptions: true,
    mayRuleOutVideo: !RESTRICTED.test(name),
    async findVideo(videoId, signal) {
      const body = {
        // The platform returns track names in this language.
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
      const responseBody = await platform.text({ link, headers, body: JSON.stringify(body) }, signal);
      return readPlayerAnswer(parseJsonBody(responseBody), videoId);
    },
  };
}
