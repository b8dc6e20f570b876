import type { Corrector, CorrectorEngine } from '@jyutsing/contracts/corrector';
import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { createChatClient } from './chat-client.ts';
import { chatSettingsVersion, readChatSettings } from './chat-settings.ts';
import { parseCorrections, placeLines } from './correction-answer.ts';
import { correctionQuestion, PROMPT_VERSION } from './correction-prompt.ts';
import { CORRECTION_SERVER } from './failures.ts';

/** Increase it whenever this code could propose another text from the same answers. */
const CODE_VERSION = '1';

/**
 * Corrector that uses any server with OpenAI's POST /v1/chat/completions: vLLM, llama.cpp, Ollama,
 * LM Studio, OpenAI itself. The model proposes corrected lines as JSON; the caller checks them.
 * Variables: LLM_BASE_URL, LLM_API_KEY, LLM_MODEL.
 */
export const engine: CorrectorEngine = {
  ability: 'corrector',
  name: 'openai-compatible',
  models({ settings: variables }) {
    const read = readChatSettings(variables);
    const isSet = 'settings' in read;
    return [
      {
        name: 'openai-compatible',
        version: `${CODE_VERSION}.${PROMPT_VERSION}-${isSet ? chatSettingsVersion(read.settings) : 'none'}`,
        // The quality is above all shipped models; the built-in corrector is used when this one
        // fails or is too slow.
        capabilities: { quality: 50 },
        availability: isSet ? { available: true } : { available: false, reason: read.reason },
      },
    ];
  },
  open: openCorrector,
};

async function openCorrector({ settings: variables }: EngineEnv): Promise<Corrector> {
  const read = readChatSettings(variables);
  if (!('settings' in read)) {
    throw new AppError('engine_unavailable', `The corrector "openai-compatible" is not available: ${read.reason}.`);
  }
  // There is no timeout: the caller's signal limits the time.
  const client = createChatClient(read.settings, { role: CORRECTION_SERVER, timeoutMs: null });
  const closing = new AbortController();
  return {
    async correct(request, signal) {
      const question = correctionQuestion(request);
      const { written, ending } = await client.ask(question, AbortSignal.any([signal, closing.signal]));
      if (ending === 'too-long') {
        throw new AppError('engine_failed', CORRECTION_SERVER.failed, {
          cause: 'the question exceeds the context window of the model',
        });
      }
      const corrections = parseCorrections(written);
      if (corrections === null) {
        throw new AppError('engine_failed', CORRECTION_SERVER.wrongAnswer, {
          cause: `${written.length} characters without a corrected line`,
        });
      }
      return placeLines(
        request.segments.map(({ segment }) => segment.text),
        corrections,
      );
    },
    async close() {
      closing.abort(new AppError('service_unavailable'));
    },
  };
}
