import { z } from 'zod';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { LLM_VARIABLES, versionOf } from './variables.ts';

/** Settings of the remote language model server. */
export type ChatSettings = {
  /** The base of `/chat/completions`, without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** True if the model may reason before it answers. */
  mayReason: boolean;
};

const Variables = z.object(LLM_VARIABLES);

/** Reads the settings from the LLM_ variables; address and model are required. */
export function readChatSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<ChatSettings> {
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const { LLM_BASE_URL, LLM_API_KEY, LLM_MODEL, LLM_REASONING } = read.settings;
  if (LLM_BASE_URL === null) return { reason: 'LLM_BASE_URL is not set' };
  if (LLM_MODEL === null) return { reason: 'LLM_MODEL is not set' };
  const mayReason = LLM_REASONING === 'default';
  return { settings: { baseUrl: LLM_BASE_URL, apiKey: LLM_API_KEY, model: LLM_MODEL, mayReason } };
}

/**
 * Returns a part of the cache key: another server or model gives another text. The address enters
 * only as a digest.
 */
export function chatSettingsVersion({ baseUrl, model, mayReason }: ChatSettings): string {
  return versionOf(model, [baseUrl, model, mayReason]);
}
