import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ, type RecognizerEngine, type RecognizerModel } from '@jyutsing/contracts/recognizer';
import { recognizeSegments } from '@jyutsing/audio/speech/recognize-segments';
import { createDetectorOf, speechDetectorOf } from '#engines/runtime/speech-detection.ts';
import { createTranscriptionClient } from './client.ts';
import { readSettings, settingsVersion } from './settings.ts';
import { encodeWav } from '@jyutsing/audio/wav';
import { WHISPER_QUALITY } from './variables.ts';

/** Increase it whenever this code could give another text from the same responses. */
const CODE_VERSION = '2';

/**
 * Name of the model, which is fixed: the server's model name may contain anything, and is part of
 * the version.
 */
const MODEL_NAME = 'openai-compatible';

/**
 * Recognizer that uses any server with OpenAI's POST /v1/audio/transcriptions: vLLM, speaches,
 * LocalAI, OpenAI itself. Speech segments of the recording are uploaded, several at a time.
 * Variables: STT_BASE_URL, STT_API_KEY, STT_MODEL and others (settings.ts).
 */
export const engine: RecognizerEngine = {
  ability: 'recognizer',
  name: 'openai-compatible',
  models(env) {
    const read = readSettings(env.settings);
    const isSet = 'settings' in read;
    const model: RecognizerModel = {
      name: MODEL_NAME,
      version: `${CODE_VERSION}-${speechDetectorOf(env)}-${isSet ? settingsVersion(read.settings) : 'none'}`,
      capabilities: {
        languages: isSet ? read.settings.languages : WHISPER_QUALITY,
        timestamps: isSet ? read.settings.timestamps : 'segment',
        // The mean log-probability of some servers is not the probability of a correct text.
        confidence: false,
        readings: false,
        // As a prompt.
        hotWords: true,
      },
      availability: isSet ? { available: true } : { available: false, reason: read.reason },
    };
    return [model];
  },
  async open(env, modelName) {
    const read = readSettings(env.settings);
    if (!('settings' in read) || modelName !== MODEL_NAME) {
      const reason = 'settings' in read ? `it has no model named "${modelName}"` : read.reason;
      throw new AppError('engine_unavailable', `The engine "openai-compatible" is not available: ${reason}.`);
    }
    const { settings } = read;
    // Script conversion takes 100 MB and 250 ms, so only servers with this engine load it.
    const { toSegments } = await import('./segments.ts');
    const client = createTranscriptionClient(settings);
    const createDetector = createDetectorOf(env);
    const closing = new AbortController();
    return {
      concurrency: settings.concurrency,
      follow: null,
      async *recognize(audio, { language, context }, signal) {
        // A failed upload, or a client that disconnects, aborts the other uploads.
        const group = new AbortController();
        const stop = AbortSignal.any([signal, group.signal, closing.signal]);
        try {
          yield* recognizeSegments(
            audio,
            async (speech) => {
              try {
                const wav = encodeWav(speech.samples, RECOGNIZER_SAMPLE_RATE_HZ);
                const { answer, prompt } = await client.transcribe(wav, language, context, stop);
                const recognized = toSegments(answer, speech, { language, timestamps: settings.timestamps, prompt });
                return { recognized, writtenText: answer.text };
              } catch (thrown) {
                // Results are awaited in order: without the abort, the failure would wait for an
                // earlier upload that hangs.
                group.abort(thrown);
                throw thrown;
              }
            },
            signal,
            { concurrency: settings.concurrency, createDetector, language },
          );
        } finally {
          group.abort();
        }
      },
      async close() {
        closing.abort(new AppError('service_unavailable'));
      },
    };
  },
};
