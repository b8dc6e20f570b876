import { z } from 'zod';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { readChatSettings, type ChatSettings } from './chat-settings.ts';
import { versionOf } from './variables.ts';

/** How the language model server is used for summaries. */
type SummarySettings = ChatSettings & {
  /** The context window of the model: instructions, data and answer together. */
  contextTokens: number;
  /** Timeout of one request. */
  timeoutMs: number;
  /** Concurrent requests of all summaries together. */
  concurrency: number;
};

/** A smaller window leaves no space for a piece of a transcript beside instructions and answer. */
const LEAST_CONTEXT_TOKENS = 2_048;

const Variables = z.object({
  LLM_CONTEXT_TOKENS: z.coerce.number().int().min(LEAST_CONTEXT_TOKENS).max(16_000_000).default(8_192),
  LLM_TIMEOUT_SECONDS: z.coerce.number().positive().max(3_600).default(120),
  LLM_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(4),
});

/** The settings in the LLM_ variables; empty variables count as unset. */
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
 * Part of the cache key: another server, model or window gives another summary. The address enters
 * only as a digest.
 */
export function summarySettingsVersion({ baseUrl, model, contextTokens }: SummarySettings): string {
  return versionOf(model, [baseUrl, model, contextTokens]);
}
