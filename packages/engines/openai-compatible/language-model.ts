import { createWeightedSemaphore } from '@jyutsing/concurrency/weighted-semaphore';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import type { LanguageModel, LanguageModelEngine } from '@jyutsing/contracts/language-model';
import { createChatClient } from './chat-client.ts';
import { asData } from './chat-data.ts';
import type { ServerRole } from './failures.ts';
import { withoutReasoning, withoutTemplateMarks } from './summary-answer.ts';
import { chatModels, readSummarySettings } from './summary-settings.ts';
import { estimateTokens } from './summary-tokens.ts';

/** Increase it whenever this code could give another answer. */
const CODE_VERSION = '1';

const SERVER: ServerRole = {
  name: 'language model server',
  variables: 'LLM',
  failed: 'The language model server could not answer about this transcript.',
  wrongAnswer: 'The language model server returned an invalid answer.',
};

/**
 * Any server with OpenAI's POST /v1/chat/completions. Variables: LLM_BASE_URL, LLM_API_KEY,
 * LLM_MODEL, LLM_REASONING, LLM_CONTEXT_TOKENS, LLM_TIMEOUT_SECONDS, LLM_CONCURRENCY.
 */
export const engine: LanguageModelEngine = {
  ability: 'language-model',
  name: 'openai-compatible',
  models: ({ settings: variables }) => chatModels(variables, CODE_VERSION),
  open: openLanguageModel,
};

async function openLanguageModel({ settings: variables }: EngineEnv): Promise<LanguageModel> {
  const read = readSummarySettings(variables);
  if (!('settings' in read)) {
    throw new AppError('engine_unavailable', `The language model is not available: ${read.reason}.`);
  }
  const { contextTokens, concurrency, timeoutMs } = read.settings;
  const chat = createChatClient(read.settings, { role: SERVER, timeoutMs });
  const slots = createWeightedSemaphore(concurrency);
  const closing = new AbortController();
  return {
    contextTokens,
    tokensOf: estimateTokens,
    async ask({ instructions, data, schema, maxTokens }, signal) {
      const stop = AbortSignal.any([signal, closing.signal]);
      const question = { system: instructions, user: asData(data), schema, maxTokens };
      const { written, ending } = await slots.use(1, stop, () => chat.ask(question, stop));
      const text = withoutTemplateMarks(withoutReasoning(written)).trim();
      if (text === '' && ending === 'cut-off') return { text, ending: 'thought-only' };
      // A server that knows no limit ends in the middle of a thought.
      if (text === '' && written.trim() !== '') return { text, ending: 'thought-only' };
      return { text, ending };
    },
    async close() {
      closing.abort(new AppError('service_unavailable'));
    },
  };
}
