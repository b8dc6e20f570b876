import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { positive, type VariableGroup } from '#engines/runtime/variable-types.ts';
import { clientsOfFile, DEFAULT_CLIENTS, describeClient, type PlatformClient } from './clients.ts';

export const PLATFORM_URL = 'https://www.youtube.com';
const MAX_CLIENTS = 8;

/** Schema of an origin: the links in responses would not have a path. */
const Origin = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine(
    ({ pathname, search, hash, username, password }) => pathname === '/' && !search && !hash && !username && !password,
  )
  .transform(({ origin }) => origin);

const Clients = z.string().transform((text, context): PlatformClient[] => {
  const clients = isAbsolute(text)
    ? (clientsOfFile(text) ?? [null])
    : text.split(',').map((entry) => {
        const [, name = '', version = ''] = /^([A-Z0-9_]+)\/([0-9A-Za-z.]{1,32})$/.exec(entry.trim()) ?? [];
        return describeClient(name, version);
      });
  if (clients.length === 0 || clients.length > MAX_CLIENTS || clients.includes(null)) {
    context.addIssue({ code: 'custom', message: 'expected a list like ANDROID/21.26.364,IOS/21.26.4' });
    return z.NEVER;
  }
  return clients.filter((client) => client !== null);
});

const ProxyUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  // Anything after the port would be ignored silently, so it is refused.
  .refine(({ pathname, search, hash }) => pathname === '/' && !search && !hash)
  .transform(({ href }) => href);

export const YOUTUBE_VARIABLES = {
  YOUTUBE_BASE_URL: Origin.default(PLATFORM_URL)
    .meta({ type: 'an http or https address without user name, password and path' })
    .describe('Another server for all requests to the video platform: a gateway, or a stand-in.'),
  YOUTUBE_CLIENTS: Clients.prefault(DEFAULT_CLIENTS)
    .meta({
      type: `a list of at most ${MAX_CLIENTS} clients like ANDROID/21.26.364,IOS/21.26.4, or the full path of a file`,
      default: DEFAULT_CLIENTS,
    })
    .describe(
      'Clients with their versions, in the order in which they are tried, or a newer copy of packages/engines/youtube/clients.json (video-captions.md).',
    ),
  YOUTUBE_PROXY: ProxyUrl.nullable()
    .default(null)
    .meta({ type: 'an http or https address without path' })
    .describe('Proxy for all requests to the platform, with user name and password if needed.'),
  YOUTUBE_TIMEOUT_SECONDS: positive(15, 600).describe(
    'Time limit of one request to the platform; all attempts together get four times as long.',
  ),
  YOUTUBE_MAX_ANSWER_MIB: positive(16, 1_024).describe('Largest response of the platform, decompressed.'),
  YOUTUBE_YT_DLP: z
    .string()
    .refine((value) => value === 'auto' || value === 'off' || isAbsolute(value))
    .default('auto')
    .meta({ type: 'auto, off or the full path of a program' })
    .describe('The program yt-dlp as the last resort; `auto`: if it is on PATH and no other server is set.'),
  YOUTUBE_COOKIES_FILE: z
    .string()
    .refine((value) => isAbsolute(value))
    .nullable()
    .default(null)
    .meta({ type: 'the full path of a file' })
    .describe('Cookies (Netscape format) that yt-dlp sends and renews, of an account that you can lose.'),
} as const;

export const variableGroups: readonly VariableGroup[] = [{ title: 'The video platform', variables: YOUTUBE_VARIABLES }];
