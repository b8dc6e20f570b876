import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { Summarizer, SummarizerEngine } from '@jyutsing/contracts/summarizer';
import { createWeightedSemaphore } from '@jyutsing/concurrency/weighted-semaphore';
import { createChatClient, type ChatClient } from './chat-client.ts';
import { SUMMARY_SERVER } from './failures.ts';
import { SUMMARY_PROMPT_VERSION } from './summary-prompt.ts';
import { rewriteDraft, summarizeInRounds } from './summary-rounds.ts';
import { chatModels, readSummarySettings } from './summary-settings.ts';

/** Increase it whenever this code could give another summary from the same answers. */
const CODE_VERSION = '1';

/**
 * Summarizer that uses any server with OpenAI's POST /v1/chat/completions; supports all languages.
 * Variables: LLM_BASE_URL, LLM_API_KEY, LLM_MODEL, LLM_CONTEXT_TOKENS, LLM_TIMEOUT_SECONDS,
 * LLM_CONCURRENCY.
 */
export const engine: SummarizerEngine = {
  ability: 'summarizer',
  name: 'openai-compatible',
  models: ({ settings: variables }) => chatModels(variables, `${CODE_VERSION}.${SUMMARY_PROMPT_VERSION}`),
  open: openSummarizer,
};

async function openSummarizer({ settings: variables }: EngineEnv): Promise<Summarizer> {
  const read = readSummarySettings(variables);
  if (!('settings' in read)) {
    throw new AppError('engine_unavailable', `The summarizer "openai-compatible" is not available: ${read.reason}.`);
  }
  const { contextTokens, concurrency, timeoutMs } = read.settings;
  const chat = createChatClient(read.settings, { role: SUMMARY_SERVER, timeoutMs });
  // The slots are shared by all summaries. Questions wait here, before their timeout starts, and
  // not in the server's queue, where it would run.
  const slots = createWeightedSemaphore(concurrency);
  const client: ChatClient = {
    ask: (question, signal) => slots.use(1, signal, () => chat.ask(question, signal)),
  };
  const closing = new AbortController();
  return {
    summarize(request, signal) {
      return summarizeInRounds(
        { client, contextTokens, concurrency },
        request,
        AbortSignal.any([signal, closing.signal]),
      );
    },
    rewrite({ summary, language, fault }, signal) {
      const task = { kind: 'rewrite', draft: summary, fault } as const;
      return rewriteDraft({ client, contextTokens }, task, language, AbortSignal.any([signal, closing.signal]));
    },
    async close() {
      closing.abort(new AppError('service_unavailable'));
    },
  };
}
