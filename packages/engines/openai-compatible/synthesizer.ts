import { AppError } from '@jyutsing/contracts/errors';
import {
  SYNTHESIS_SAMPLE_RATE_HZ,
  type SynthesizerEngine,
  type SynthesizerModel,
} from '@jyutsing/contracts/synthesizer';
import { toEvents } from './sound-events.ts';
import { speakText } from './speech-client.ts';
import { readSpeechSettings, SERVER_QUALITY } from './speech-settings.ts';
import { charactersOf, groupPieces } from './speech-text.ts';
import { knownRefusals } from './speech-protocols.ts';

/** Raised whenever this code could give another sound from the same answers. */
const CODE_VERSION = '1';

/** Models are named for people; the server's own name of its model may hold anything, and stays in the version. */
const MODEL_NAME = 'openai-compatible-speech';

/** A request of which nothing can be said still has a sound; servers refuse it. */
const NOTHING_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ / 10;

/**
 * Any server with OpenAI's POST /v1/audio/speech: vLLM-Omni, LocalAI, speaches, OpenAI itself. It is given the text in words and, where it
 * takes it, the sample of the voice. Variables: TTS_BASE_URL, TTS_API_KEY, TTS_MODEL and others (speech-settings.ts).
 */
export const engine: SynthesizerEngine = {
  ability: 'synthesizer',
  name: 'openai-compatible',
  models({ settings: variables }) {
    const read = readSpeechSettings(variables);
    const settings = 'settings' in read ? read.settings : null;
    // What the server was found to refuse is not promised again.
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
        // Where the server has no speed, its sound is brought to it here.
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
