import { AppError } from '@jyutsing/contracts/errors';
import {
  SYNTHESIS_SAMPLE_RATE_HZ,
  type SynthesizerEngine,
  type SynthesizerModel,
} from '@jyutsing/contracts/synthesizer';
import { toEvents } from './sound-events.ts';
import { speakText } from './speech-client.ts';
import { readSpeechSettings } from './speech-settings.ts';
import { charactersOf, groupPieces } from './speech-text.ts';
import { knownRefusals } from './speech-protocols.ts';
import { SERVER_QUALITY } from './variables.ts';

/** Increase it whenever this code could give other audio from the same responses. */
const CODE_VERSION = '1';

/**
 * Name of the model, which is fixed: the server's model name may contain anything, and is part of
 * the version.
 */
const MODEL_NAME = 'openai-compatible-speech';

/** Length in samples of the silence for a request without speakable text, which servers refuse. */
const NOTHING_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ / 10;

/**
 * Synthesizer that uses any server with OpenAI's POST /v1/audio/speech: vLLM-Omni, LocalAI,
 * speaches, OpenAI itself. It receives the spoken form of the text and, where supported, the sample
 * of the voice. Variables: TTS_BASE_URL, TTS_API_KEY, TTS_MODEL and others (speech-settings.ts).
 */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'openai-compatible',
  models({ settings: variables }) {
    const read = readSpeechSettings(variables);
    const settings = 'settings' in read ? read.settings : null;
    // Cloning is no longer reported once the server has refused samples.
    const refused = settings === null ? null : knownRefusals(settings);
    const clones = (settings?.sendsReference ?? true) && refused?.has('reference') !== true;
    const model: SynthesizerModel = {
      name: MODEL_NAME,
      version: `${CODE_VERSION}-${settings?.version ?? 'none'}`,
      capabilities: {
        languages: settings?.languages ?? SERVER_QUALITY,
        clones: clones ? 'reference' : 'none',
        unit: 'text',
        readings: false,
        wordTimes: false,
        // The engine changes the speed when the server does not support it.
        adjusts: { speed: true, pitch: false },
        placement: 'server',
      },
      availability: 'settings' in read ? { available: true } : { available: false, reason: read.reason },
    };
    return [model];
  },
  async open({ settings: variables }, modelName) {
    const read = readSpeechSettings(variables);
    if (!('settings' in read) || modelName !== MODEL_NAME) {
      const reason = 'settings' in read ? `it has no model named "${modelName}"` : read.reason;
      throw new AppError('engine_unavailable', `The engine "openai-compatible" is not available: ${reason}.`);
    }
    const { settings } = read;
    const closing = new AbortController();
    return {
      async *synthesize(request, signal) {
        signal.throwIfAborted();
        const stop = AbortSignal.any([signal, closing.signal]);
        const texts = groupPieces(request.pieces);
        if (texts.length === 0) yield { type: 'audio', samples: new Float32Array(NOTHING_SAMPLES) };
        for (const text of texts) {
          const sound = speakText(settings, text, request, stop);
          for await (const samples of toEvents(sound, { characters: charactersOf(text), speed: request.speed })) {
            yield { type: 'audio', samples };
            stop.throwIfAborted();
          }
        }
      },
      async close() {
        closing.abort(new AppError('service_unavailable'));
      },
    };
  },
};
