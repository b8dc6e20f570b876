import { joinSamples } from '@jyutsing/audio/join-samples';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisEvent, type SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { AppError } from '@jyutsing/contracts/errors';
import { misheardLetters } from '@jyutsing/text/misheard-letters';
import type { EngineCache } from './engine-cache.ts';

type Candidates = {
  /** How many are made at most; the first that is understood completely is taken. */
  count: number;
  make(seed: number): AsyncIterable<SynthesisEvent>;
};

/**
 * Speaks a request several times, each time with another seed, and passes on the events of the one
 * that the best recognizer of this server understands best; the first of equal ones.
 */
export async function* bestCandidate(
  { count, make }: Candidates,
  { pieces, language, seed }: Pick<SynthesisRequest, 'pieces' | 'language' | 'seed'>,
  engines: EngineCache,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  const spokenText = pieces.map(({ spokenForm }) => spokenForm).join('');
  let best: { events: SynthesisEvent[]; distance: number } | null = null;
  for (let candidate = 0; candidate < count && best?.distance !== 0; candidate += 1) {
    const events = await Array.fromAsync(make(seed + candidate * SEED_STEP));
    const text = await understood(events, language, engines, signal);
    // Without a recognizer one is as good as another.
    const distance = text === null ? 0 : misheardLetters(spokenText, text);
    if (best === null || distance < best.distance) best = { events, distance };
  }
  yield* best?.events ?? [];
}

/** Engines may add small numbers to a seed themselves. */
const SEED_STEP = 1_009;

/** The recognized text; null where this server has no recognizer for the language. */
async function understood(
  events: readonly SynthesisEvent[],
  language: SynthesisRequest['language'],
  engines: EngineCache,
  signal: AbortSignal,
): Promise<string | null> {
  const [{ resample }, registry] = await Promise.all([import('@jyutsing/audio/vocoder/resample'), engines.registry()]);
  let model: ReturnType<typeof registry.select<'recognizer'>>;
  try {
    model = registry.select('recognizer', { language });
  } catch (refusal) {
    if (refusal instanceof AppError && refusal.code === 'engine_unavailable') return null;
    throw refusal;
  }
  const recognizer = await engines.open(model);
  const parts = events.flatMap((event) => (event.type === 'audio' ? [event.samples] : []));
  const chunks = secondsOf(resample(joinSamples(parts), SYNTHESIS_SAMPLE_RATE_HZ, RECOGNIZER_SAMPLE_RATE_HZ));
  let text = '';
  const options = { language, context: null, romanize: false };
  for await (const event of recognizer.recognize(chunks, options, signal)) {
    if (event.type === 'segment-end') text += event.segment.text;
  }
  return text;
}

async function* secondsOf(sound: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < sound.length; at += RECOGNIZER_SAMPLE_RATE_HZ) {
    const samples = sound.slice(at, at + RECOGNIZER_SAMPLE_RATE_HZ);
    yield { samples, sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs: (1_000 * at) / RECOGNIZER_SAMPLE_RATE_HZ };
  }
}
