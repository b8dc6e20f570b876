import { afterAll, beforeEach } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { engine } from '#packages/engines/openai-compatible/recognizer.ts';
import { whistle } from '../audio-whistled.ts';
import { startTranscriptionServer, type TranscriptionServer, type Reaction } from './transcription-server.ts';

const soundOf = (syllables: (string | null)[]) => whistle(syllables).channels[0] ?? new Float32Array(0);

/** API key of the fake server. */
export const SERVER_KEY = 'sk-secret-of-the-operator';
/** Speech segments, each after a second of silence. */
export const ONE_UTTERANCE = soundOf([null, 'hoeng1', 'gong2', 'jan4', null]);
/** Longer than a second: a detector without probabilities is sure of it. */
export const LONG_UTTERANCE = soundOf([null, 'hoeng1', 'gong2', 'jan4', 'nei5', 'hou2', 'jan4', null]);
export const TWO_UTTERANCES = soundOf([null, 'hoeng1', 'gong2', 'jan4', null, 'nei5', 'hou2', null]);
export const SIX_UTTERANCES = soundOf(Array.from({ length: 6 }, () => ['hoeng1', 'gong2', 'jan4', null]).flat());

export const transcribed = (text: string): Reaction => ({ kind: 'transcription', text });

/** Engine environment that points to this server. */
export function envFor(server: TranscriptionServer, settings: Record<string, string> = {}): EngineEnv {
  return {
    builtinModelsDir: '/nowhere',
    modelsDir: '/nowhere',
    settings: {
      STT_BASE_URL: server.baseUrl,
      STT_API_KEY: SERVER_KEY,
      STT_MODEL: 'whisper-1',
      STT_TIMEOUT_SECONDS: '5',
      ...settings,
    },
  };
}

/** Splits 16 kHz mono samples into chunks of half a second, like a decoder. */
export async function* chunksOf(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += 8_000) {
    yield { samples: samples.slice(at, at + 8_000), sampleRateHz: 16_000, startMs: at / 16 };
  }
}

type TranscribeOptions = {
  settings?: Record<string, string>;
  language?: Language;
  context?: string | null;
  signal?: AbortSignal;
};

/** Transcribes samples with the engine and this server; throws what the engine throws. */
async function transcribeWith(
  server: TranscriptionServer,
  samples: Float32Array,
  { settings, language = 'cantonese', context = null, signal = new AbortController().signal }: TranscribeOptions = {},
): Promise<Segment[]> {
  const recognizer = await engine.open(envFor(server, settings), 'openai-compatible');
  const segments: Segment[] = [];
  try {
    const options = { language, context, romanize: false };
    for await (const event of recognizer.recognize(chunksOf(samples), options, signal)) {
      if (event.type === 'segment-end') segments.push(event.segment);
    }
  } finally {
    await recognizer.close();
  }
  return segments;
}

/** A server for the tests of one file, with what they do; each test begins without uploads. */
export async function serveTranscriptions() {
  const server = await startTranscriptionServer(SERVER_KEY);
  afterAll(() => server.close());
  beforeEach(() => {
    server.imitate('speaches');
    server.uploads.length = 0;
  });
  const transcribe = (samples: Float32Array, options?: TranscribeOptions) => transcribeWith(server, samples, options);
  return {
    server,
    transcribe,
    /** Answers every request in the same way. */
    always: (reaction: Reaction) => server.behave(() => reaction),
    /** Returns what a transcription throws; null when it succeeds. */
    failure: (samples: Float32Array, options?: TranscribeOptions): Promise<unknown> =>
      transcribe(samples, options).then(
        () => null,
        (thrown: unknown) => thrown,
      ),
  };
}
