import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { PROGRAM_VARIABLES } from '@jyutsing/contracts/engine';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { describeClient, type PlatformClient } from './clients.ts';

export type YoutubeSettings = {
  /** Origin of the platform: `https://www.youtube.com`. */
  baseUrl: string;
  /** Whether that is another server, which then gets every request. */
  isElsewhere: boolean;
  clients: readonly PlatformClient[];
  /** Null: none. May hold a name and a password. */
  proxyUrl: string | null;
  timeoutMs: number;
  maxAnswerBytes: number;
  /** `auto`: searched for on PATH. Null: never run. */
  ytDlp: { path: string | 'auto'; env: Readonly<Record<string, string>> } | null;
};

export const PLATFORM_URL = 'https://www.youtube.com';
/** The newest that YouTube.js 18.1 and yt-dlp of autumn 2026 are known to use. */
const CLIENTS = 'ANDROID/21.03.36,IOS/20.11.6,ANDROID_VR/1.65.10';
const MOST_CLIENTS = 8;
const MIB = 1_048_576;

/** An origin alone: a path would be lost, because answers hold links of their own. */
const Origin = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine(
    ({ pathname, search, hash, username, password }) => pathname === '/' && !search && !hash && !username && !password,
  )
  .transform(({ origin }) => origin);

const Clients = z.string().transform((text, context): PlatformClient[] => {
  const clients = text.split(',').map((entry) => {
    const [, name = '', version = ''] = /^([A-Z0-9_]+)\/([0-9A-Za-z.]{1,32})$/.exec(entry.trim()) ?? [];
    return describeClient(name, version);
  });
  if (clients.length > MOST_CLIENTS || clients.includes(null)) {
    context.addIssue({ code: 'custom', message: 'not like ANDROID/21.03.36,IOS/20.11.6' });
    return z.NEVER;
  }
  return clients.filter((client) => client !== null);
});

const ProxyUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  // Anything behind the port would be ignored without a word.
  .refine(({ pathname, search, hash }) => pathname === '/' && !search && !hash)
  .transform(({ href }) => href);

const Variables = z.object({
  YOUTUBE_BASE_URL: Origin.default(PLATFORM_URL),
  YOUTUBE_CLIENTS: Clients.prefault(CLIENTS),
  YOUTUBE_PROXY: ProxyUrl.nullable().default(null),
  YOUTUBE_TIMEOUT_SECONDS: z.coerce.number().positive().max(600).default(15),
  YOUTUBE_MAX_ANSWER_MIB: z.coerce.number().positive().max(1_024).default(16),
  YOUTUBE_YT_DLP: z
    .string()
    .refine((value) => value === 'auto' || value === 'off' || isAbsolute(value))
    .default('auto'),
});

/** Excludes the keys and passwords of this service. */
function programEnv(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => PROGRAM_VARIABLES.includes(name)));
}

/** The engine's settings, or which variable cannot be used. */
export function readSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<YoutubeSettings> {
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const env = read.settings;
  return {
    settings: {
      baseUrl: env.YOUTUBE_BASE_URL,
      isElsewhere: env.YOUTUBE_BASE_URL !== PLATFORM_URL,
      clients: env.YOUTUBE_CLIENTS,
      proxyUrl: env.YOUTUBE_PROXY,
      timeoutMs: Math.ceil(env.YOUTUBE_TIMEOUT_SECONDS * 1_000),
      maxAnswerBytes: Math.ceil(env.YOUTUBE_MAX_ANSWER_MIB * MIB),
      ytDlp: env.YOUTUBE_YT_DLP === 'off' ? null : { path: env.YOUTUBE_YT_DLP, env: programEnv(variables) },
    },
  };
}
