import { z } from 'zod';
import { PROGRAM_VARIABLES } from '@jyutsing/contracts/engine';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import type { PlatformClient } from './clients.ts';
import { PLATFORM_URL, YOUTUBE_VARIABLES } from './variables.ts';

export type YoutubeSettings = {
  /** Origin of the platform, such as `https://www.youtube.com`. */
  baseUrl: string;
  /** True if `baseUrl` is not the platform; that server then gets every request. */
  isCustomHost: boolean;
  clients: readonly PlatformClient[];
  /** Proxy, which may contain a user name and a password; null for none. */
  proxyUrl: string | null;
  /** The cookies that yt-dlp sends; null for none. */
  cookiesFile: string | null;
  timeoutMs: number;
  maxAnswerBytes: number;
  /** Path of yt-dlp; `auto` to search for it on PATH; null never to run it. */
  ytDlp: { path: string | 'auto'; env: Readonly<Record<string, string>> } | null;
};

const MIB = 1_048_576;

const Variables = z.object(YOUTUBE_VARIABLES);

/** Returns the environment of the program, without the keys and passwords of this service. */
function programEnv(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => PROGRAM_VARIABLES.includes(name)));
}

/** Returns the settings, or the names of invalid variables. */
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
      cookiesFile: env.YOUTUBE_COOKIES_FILE,
      timeoutMs: Math.ceil(env.YOUTUBE_TIMEOUT_SECONDS * 1_000),
      maxAnswerBytes: Math.ceil(env.YOUTUBE_MAX_ANSWER_MIB * MIB),
      ytDlp: env.YOUTUBE_YT_DLP === 'off' ? null : { path: env.YOUTUBE_YT_DLP, env: programEnv(variables) },
    },
  };
}
