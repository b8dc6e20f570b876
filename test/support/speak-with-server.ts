import type { SpokenPiece } from '#contracts/spoken-text.ts';
import type { EngineSurroundings } from '#contracts/recognizer.ts';
import type { SynthesisRequest, Synthesizer, SynthesizerModel } from '#contracts/synthesizer.ts';
import { engine } from '#engines/openai-compatible/synthesizer.ts';
import type { OpenAiSpeechServer } from './openai-speech-server.ts';
import { pieceOf, requestOf, soundOf, speakAll } from './synthesis.ts';

/** The operator's key for the stand-in. */
export const SPEECH_KEY = 'sk-secret-of-the-operator';
/** Five characters and a mark. */
export const HELLO = pieceOf([['大家=daai6.gaa1 早晨=zou2.san4 呀=aa3', 'statement']]);

/** Settings that no other test has, so that what one server refused is not remembered for the next. */
let models = 0;
export function newModel(): string {
  models += 1;
  return `made/up-${models}`;
}

export function surroundingsOf(server: OpenAiSpeechServer, settings: Record<string, string> = {}): EngineSurroundings {
  const ours = {
    TTS_BASE_URL: server.baseUrl,
    TTS_API_KEY: SPEECH_KEY,
    TTS_MODEL: newModel(),
    TTS_TIMEOUT_SECONDS: '5',
  };
  return { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: { ...ours, ...settings } };
}

export function modelOf(surroundings: EngineSurroundings): SynthesizerModel {
  return engine.models(surroundings)[0]!;
}

export function open(surroundings: EngineSurroundings): Promise<Synthesizer> {
  return engine.open(surroundings, 'openai-compatible-speech');
}

/** Speaks with the engine and this server; throws what the engine throws. */
export async function speakWith(
  surroundings: EngineSurroundings,
  pieces: readonly SpokenPiece[] = [HELLO],
  changes: Partial<Omit<SynthesisRequest, 'pieces'>> = {},
  signal?: AbortSignal,
): Promise<Float32Array<ArrayBuffer>> {
  const synthesizer = await open(surroundings);
  try {
    return soundOf(await speakAll(synthesizer, requestOf(pieces, changes), signal));
  } finally {
    await synthesizer.close();
  }
}
