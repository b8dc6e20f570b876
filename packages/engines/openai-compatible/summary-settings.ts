import { z } from 'zod';
import type { Model, RankedCapabilities } from '@jyutsing/contracts/engine';
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
 * The model of the language model server, for its abilities; its quality is above that of what is
 * built in, which only quotes. `codeVersion` is that of the ability; another server, model or
 * window gives other answers too. The address enters the version only as a digest.
 */
export function chatModels(
  variables: Readonly<Record<string, string>>,
  codeVersion: string,
): readonly Model<RankedCapabilities>[] {
  const read = readSummarySettings(variables);
  const isSet = 'settings' in read;
  return [
    {
      name: 'openai-compatible',
      version: `${codeVersion}-${isSet ? settingsVersion(read.settings) : 'none'}`,
      capabilities: { quality: 50 },
      availability: isSet ? { available: true } : { available: false, reason: read.reason },
    },
  ];
}

function settingsVersion({ baseUrl, model, mayReason, contextTokens }: SummarySettings): string {
  return versionOf(model, [baseUrl, model, mayReason, contextTokens]);
}
