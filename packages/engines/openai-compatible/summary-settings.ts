import { z } from 'zod';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { readChatSettings, type ChatSettings } from './chat-settings.ts';
import { LLM_VARIABLES, versionOf } from './variables.ts';

/** Settings for summaries by the language model server. */
type SummarySettings = ChatSettings & {
  /** The context window of the model in tokens: instructions, data and answer together. */
  contextTokens: number;
  /** Timeout of one request, in milliseconds. */
  timeoutMs: number;
  /** Concurrent requests of all summaries together. */
  concurrency: number;
};

const Variables = z.object(LLM_VARIABLES);

/** Reads the settings from the LLM_ variables; empty variables count as unset. */
export function readSummarySettings(variables: Readonly<Record<string, string>>): SettingsOrReason<SummarySettings> {
  const chat = readChatSettings(variables);
  if (!('settings' in chat)) return chat;
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const { LLM_CONTEXT_TOKENS, LLM_TIMEOUT_SECONDS, LLM_CONCURRENCY } = read.settings;
  return {
    settings: {
      ...chat.settings,
      contextTokens: LLM_CONTEXT_TOKENS,
      timeoutMs: LLM_TIMEOUT_SECONDS * 1_000,
      concurrency: LLM_CONCURRENCY,
    },
  };
}

/**
 * Returns a part of the cache key: another server, model or window gives another summary. The
 * address enters only as a digest.
 */
export function summarySettingsVersion({ baseUrl, model, mayReason, contextTokens }: SummarySettings): string {
  return versionOf(model, [baseUrl, model, mayReason, contextTokens]);
}
