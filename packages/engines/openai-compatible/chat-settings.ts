import { z } from 'zod';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { ApiKey, BaseUrl, versionOf } from './variables.ts';

/** Settings of the remote language model server. */
export type ChatSettings = {
  /** The base of `/chat/completions`, without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
};

const Variables = z.object({ LLM_BASE_URL: BaseUrl, LLM_API_KEY: ApiKey, LLM_MODEL: z.string().trim().min(1) });

/** The settings in the LLM_ variables; address and model are required. */
export function readChatSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<ChatSettings> {
  for (const name of ['LLM_BASE_URL', 'LLM_MODEL'] as const) {
    if ((variables[name] ?? '') === '') return { reason: `${name} is not set` };
  }
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const { LLM_BASE_URL, LLM_API_KEY, LLM_MODEL } = read.settings;
  return { settings: { baseUrl: LLM_BASE_URL, apiKey: LLM_API_KEY, model: LLM_MODEL } };
}

/**
 * Part of the cache key: another server or model gives another text. The address enters only as a
 * digest.
 */
export function chatSettingsVersion({ baseUrl, model }: ChatSettings): string {
  return versionOf(model, [baseUrl, model]);
}
