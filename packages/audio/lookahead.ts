import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { DecodedEnd } from './decode.ts';

/** An audio stream whose beginning can be read in advance. */
export type LookaheadAudio = AsyncDisposable & {
  /** Reads the next chunk without consuming it; it is buffered until `take` returns it. */
  peek(): AsyncGenerator<PcmChunk>;
  /** Returns the remaining stream; a second call continues where the first consumer stopped. */
  take(): AsyncGenerator<PcmChunk>;
  /** Returns the end of the audio read so far, in milliseconds. */
  durationMs(): number;
  /** Returns how much of it is silence of gaps in the file, in milliseconds. */
  gapMs(): number;
  /** Returns what is known at the end of the file; null before all was read. */
  end(): DecodedEnd | null;
};

/**
 * Wraps a stream for two consumers: one reads its beginning first (to identify the language), the
 * other all of it.
 */
export function withLookahead(source: AsyncGenerator<PcmChunk, DecodedEnd>): LookaheadAudio {
  const chunks: PcmChunk[] = [];
  let durationMs = 0;
  let gapMs = 0;
  let end: DecodedEnd | null = null;
  const pull = async (): Promise<PcmChunk | null> => {
    const step = await source.next();
    if (step.done === true) {
      // A generator that has ended returns nothing when it is asked again.
      end ??= step.value ?? null;
      return null;
    }
    const { samples, sampleRateHz, startMs } = step.value;
    durationMs = startMs + (samples.length * 1_000) / sampleRateHz;
    gapMs = step.value.gapMs ?? 0;
    return step.value;
  };
  return {
    async *peek() {
      for (let at = 0; ; at += 1) {
        const chunk = chunks[at] ?? (await pull());
        if (chunk === null) return;
        if (at === chunks.length) chunks.push(chunk);
        yield chunk;
      }
    },
    async *take() {
      for (;;) {
        const chunk = chunks.shift() ?? (await pull());
        if (chunk === null) return;
        yield chunk;
      }
    },
    durationMs: () => durationMs,
    gapMs: () => gapMs,
    end: () => end,
    async [Symbol.asyncDispose]() {
      await source.return({ isCutOff: false, tracks: [] });
    },
  };
}
