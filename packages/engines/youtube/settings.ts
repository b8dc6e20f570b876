import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { PROGRAM_VARIABLES } from '@jyutsing/contracts/engine';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { describeClient, type PlatformClient } from './clients.ts';

export type YoutubeSettings = {
  /** Origin of the platform: `https://www.youtube.com`. */
  baseUrl: string;
  /** `baseUrl` is not the platform; that server then gets every request. */
  isCustomHost: boolean;
  clients: readonly PlatformClient[];
  /** Null: none. May contain a user name and a password. */
  proxyUrl: string | null;
  timeoutMs: number;
  maxAnswerBytes: number;
  /** `auto`: searched for on PATH. Null: never run. */
  ytDlp: { path: string | 'auto'; env: Readonly<Record<string, string>> } | null;
};

export const PLATFORM_URL = 'https://www.youtube.com';
/** The versions in YouTube.js 18.1 and yt-dlp of autumn 2026. */
const CLIENTS = 'ANDROID/21.03.36,IOS/20.11.6,ANDROID_VR/1.65.10';
const MAX_CLIENTS = 8;
const MIB = 1_048_576;

/** Without a path, which the links in responses would not have. */
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
  if (clients.length > MAX_CLIENTS || clients.includes(null)) {
    context.addIssue({ code: 'custom', message: 'expected a list like ANDROID/21.03.36,IOS/20.11.6' });
    return z.NEVER;
  }
  return clients.filter((client) => client !== null);
});

const ProxyUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  // Anything after the port would be ignored silently.
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

/** The settings, or the names of invalid variables. */
export function readSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<YoutubeSettings> {
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const env = read.settings;
  return {
    settings: {
      baseUrl: env.YOUTUBE_BASE_URL,
      isCustomHost: env.YOUTUBE_BASE_URL !== PLATFORM_URL,
      clients: env.YOUTUBE_CLIENTS,
      proxyUrl: env.YOUTUBE_PROXY,
      timeoutMs: Math.ceil(env.YOUTUBE_TIMEOUT_SECONDS * 1_000),
      maxAnswerBytes: Math.ceil(env.YOUTUBE_MAX_ANSWER_MIB * MIB),
      ytDlp: env.YOUTUBE_YT_DLP === 'off' ? null : { path: env.YOUTUBE_YT_DLP, env: programEnv(variables) },
    },
  };
}
