import { afterAll, beforeEach } from 'vitest';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { SynthesisRequest, Synthesizer, SynthesizerModel } from '@jyutsing/contracts/synthesizer';
import { engine } from '#packages/engines/openai-compatible/synthesizer.ts';
import { startSpeechServer, type SpeechServer } from './speech-server.ts';
import { pieceOf, requestOf, soundOf, speakAll } from '../synthesis-requests.ts';

/** API key of the fake server. */
export const SPEECH_KEY = 'sk-secret-of-the-operator';
/** Five characters and a punctuation mark. */
export const HELLO = pieceOf([['大家=daai6.gaa1 早晨=zou2.san4 呀=aa3', 'statement']]);

/** Unique model names, because the engine remembers what a server rejected. */
let models = 0;
function newModel(): string {
  models += 1;
  return `made/up-${models}`;
}

export function envFor(server: SpeechServer, settings: Record<string, string> = {}): EngineEnv {
  const defaults = {
    TTS_BASE_URL: server.baseUrl,
    TTS_API_KEY: SPEECH_KEY,
    TTS_MODEL: newModel(),
    TTS_LANGUAGES: 'cantonese=80,mandarin=90,english=95',
    TTS_TIMEOUT_SECONDS: '5',
  };
  return { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: { ...defaults, ...settings } };
}

export function modelOf(env: EngineEnv): SynthesizerModel {
  return engine.models(env)[0]!;
}

export function open(env: EngineEnv): Promise<Synthesizer> {
  return engine.open(env, 'openai-compatible-speech');
}

/** Synthesizes with the engine and this server; throws what the engine throws. */
export async function synthesizeWith(
  env: EngineEnv,
  pieces: readonly SpokenPiece[] = [HELLO],
  changes: Partial<Omit<SynthesisRequest, 'pieces'>> = {},
  signal?: AbortSignal,
): Promise<Float32Array<ArrayBuffer>> {
  const synthesizer = await open(env);
  try {
    return soundOf(await speakAll(synthesizer, requestOf(pieces, changes), signal));
  } finally {
    await synthesizer.close();
  }
}

/** A server for the tests of one file; each begins without requests, and it speaks. */
export async function serveSpeech(): Promise<SpeechServer> {
  const server = await startSpeechServer(SPEECH_KEY);
  afterAll(() => server.close());
  beforeEach(() => {
    server.imitate('speaches');
    server.behave(() => ({ kind: 'sing' }));
    server.posts.length = 0;
  });
  return server;
}
