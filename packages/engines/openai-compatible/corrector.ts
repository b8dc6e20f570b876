import type { Corrector, CorrectorEngine } from '@jyutsing/contracts/corrector';
import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/recognizer';
import { createChatClient } from './chat-client.ts';
import { chatSettingsVersion, readChatSettings } from './chat-settings.ts';
import { parseCorrections, placeLines } from './correction-answer.ts';
import { correctionQuestion, PROMPT_VERSION } from './correction-prompt.ts';
import { CORRECTION_SERVER } from './failures.ts';

/** Raised whenever this code could propose another text from the same answers. */
const CODE_VERSION = '1';

/**
 * Any server with OpenAI's POST /v1/chat/completions: vLLM, llama.cpp, Ollama, LM Studio, OpenAI itself. The model is asked for lines to
 * correct in JSON; what it answers is only a proposal. Variables: LLM_BASE_URL, LLM_API_KEY, LLM_MODEL.
 */
export const engine: CorrectorEngine = {
  ability: 'corrector',
  name: 'openai-compatible',
  version({ settings: variables }) {
    const read = readChatSettings(variables);
    return `${CODE_VERSION}.${PROMPT_VERSION}-${'settings' in read ? chatSettingsVersion(read.settings) : 'none'}`;
  },
  // Knows more of the world than any model that ships; where it is late or gone, the built-in one takes its place.
  priority: 50,
  availability({ settings: variables }) {
    const read = readChatSettings(variables);
    return 'settings' in read ? { available: true } : { available: false, reason: read.reason };
  },
  open: openCorrector,
};

async function openCorrector({ settings: variables }: EngineEnv): Promise<Corrector> {
  const read = readChatSettings(variables);
  if (!('settings' in read)) {
    throw new AppError('engine_unavailable', `The corrector "openai-compatible" is not available: ${read.reason}.`);
  }
  // Whoever asks gives the time: a corrector that is late is not waited for.
  const client = createChatClient(read.settings, { role: CORRECTION_SERVER, timeoutMs: null });
  const closing = new AbortController();
  return {
    async correct(request, signal) {
      const question = correctionQuestion(request);
      const { written, ending } = await client.ask(question, AbortSignal.any([signal, closing.signal]));
      if (ending === 'too-long') {
        throw new AppError('engine_failed', CORRECTION_SERVER.failed, {
          cause: 'the model has no room for the question',
        });
      }
      const given = parseCorrections(written);
      if (given === null) {
        throw new AppError('engine_failed', CORRECTION_SERVER.wrongAnswer, {
          cause: `${written.length} characters without a corrected line`,
        });
      }
      return placeLines(
        request.segments.map(({ segment }) => segment.text),
        given,
      );
    },
    async close() {
      closing.abort(new AppError('service_unavailable'));
    },
  };
}
