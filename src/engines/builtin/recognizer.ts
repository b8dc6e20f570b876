import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  RECOGNIZER_SAMPLE_RATE_HZ,
  type EngineSurroundings,
  type RecognitionEvent,
  type Recognizer,
  type RecognizerEngine,
} from '#contracts/recognizer.ts';
import { openAcousticModel, type AcousticModel } from './acoustic-model.ts';
import { createDecoder, type Decoder } from './decoder/index.ts';
import { segmentSpeech } from './segmenter.ts';
import { toSegment } from './segment-text.ts';

/** Raised whenever this code, the decoder's included, could give another text from the same models. */
const CODE_VERSION = '1';

/** Of the clock, not of the recording. */
const PROGRESS_EVERY_MS = 200;

/** Where the shipped models lie as seen from this folder; only to tell their version before a request is made. */
const SHIPPED_MODELS_DIR = join(import.meta.dirname, '../../../models');

/**
 * The recogniser that ships with the project: voice activity detection, an acoustic model that hears onsets, rimes and tones,
 * and a decoder that finds the words. Cantonese; asked for `auto` it takes everything for Cantonese.
 */
export const engine: RecognizerEngine = {
  ability: 'recognizer',
  name: 'builtin',
  version: `${CODE_VERSION}-${modelVersion(SHIPPED_MODELS_DIR)}`,
  priority: 10,
  capabilities: {
    languages: ['cantonese'],
    detectsLanguage: false,
    timestamps: 'word',
    confidence: true,
    readings: true,
  },
  availability(surroundings) {
    const isComplete = Object.values(modelFiles(surroundings.builtinModelsDir)).every((file) => existsSync(file));
    return isComplete
      ? { available: true }
      : { available: false, reason: 'the model files of the built-in recogniser are missing' };
  },
  open: openBuiltin,
};

async function openBuiltin(surroundings: EngineSurroundings): Promise<Recognizer> {
  const files = modelFiles(surroundings.builtinModelsDir);
  const acoustic = await openAcousticModel({ model: files.acoustic, description: files.description });
  const decoder = createDecoder({ labels: acoustic.labels, languageModelPath: files.languageModel });
  let isClosed = false;
  return {
    recognize: (audio, _options, signal) => recognizeSpeech(segmentSpeech(audio, signal), acoustic, decoder, signal),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await acoustic.close();
    },
  };
}

async function* recognizeSpeech(
  events: ReturnType<typeof segmentSpeech>,
  acoustic: AcousticModel,
  decoder: Decoder,
  signal: AbortSignal,
): AsyncGenerator<RecognitionEvent> {
  let processedMs = 0;
  let toldMs = 0;
  let nextTellingMs = 0;
  for await (const event of events) {
    signal.throwIfAborted();
    if (event.type === 'settled') processedMs = Math.max(processedMs, event.untilMs);
    else {
      const { segment: speech } = event;
      const posteriors = await acoustic.listen(speech.samples);
      signal.throwIfAborted();
      const segment = toSegment(speech, decoder.decode(posteriors), RECOGNIZER_SAMPLE_RATE_HZ);
      if (segment !== null) yield { type: 'segment-end', segment };
      processedMs = Math.max(processedMs, speech.speechEndMs);
    }
    // Silence goes by at a thousand chunks a second; telling each would cost more than the work.
    if (processedMs > toldMs && performance.now() >= nextTellingMs) {
      nextTellingMs = performance.now() + PROGRESS_EVERY_MS;
      toldMs = processedMs;
      yield { type: 'progress', processedMs };
    }
  }
  if (processedMs > toldMs) yield { type: 'progress', processedMs };
}

function modelFiles(modelsDir: string): { acoustic: string; description: string; languageModel: string } {
  return {
    acoustic: join(modelsDir, 'yue/acoustic.onnx'),
    description: join(modelsDir, 'yue/acoustic.json'),
    languageModel: join(modelsDir, 'yue/language-model.bin'),
  };
}

/** The acoustic model's own version, and a digest of both models: the same name with other weights is another version. */
function modelVersion(modelsDir: string): string {
  const files = modelFiles(modelsDir);
  try {
    const { version } = JSON.parse(readFileSync(files.description, 'utf8')) as { version?: unknown };
    const digest = createHash('sha256').update(readFileSync(files.acoustic)).update(readFileSync(files.languageModel));
    return `${String(version ?? 'unknown')}-${digest.digest('hex').slice(0, 8)}`;
  } catch {
    // Without a model the engine is not available, and its version is of no use to anybody.
    return 'none';
  }
}
