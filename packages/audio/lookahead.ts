import type { PcmChunk } from '@jyutsing/contracts/audio';

/** A stream of sound whose beginning can be listened to in advance. */
export type LookaheadAudio = AsyncDisposable & {
  /** The sound that comes next, without using it up; what is pulled here is held until `take` gives it. */
  peek(): AsyncGenerator<PcmChunk>;
  /** The sound that comes next. Asked for again, it goes on where the last consumer left. */
  take(): AsyncGenerator<PcmChunk>;
  /** How far the sound goes that was pulled so far. */
  durationMs(): number;
};

/** Wraps a stream for two consumers: one reads its beginning first (to identify the language), the other all of it. */
export function withLookahead(source: AsyncGenerator<PcmChunk>): LookaheadAudio {
  const held: PcmChunk[] = [];
  let durationMs = 0;
  const pull = async (): Promise<PcmChunk | null> => {
    const step = await source.next();
    if (step.done === true) return null;
    const { samples, sampleRateHz, startMs } = step.value;
    durationMs = startMs + (samples.length * 1_000) / sampleRateHz;
    return step.value;
  };
  return {
    async *peek() {
      for (let at = 0; ; at += 1) {
        const chunk = held[at] ?? (await pull());
        if (chunk === null) return;
        if (at === held.length) held.push(chunk);
        yield chunk;
      }
    },
    async *take() {
      for (;;) {
        const chunk = held.shift() ?? (await pull());
        if (chunk === null) return;
        yield chunk;
      }
    },
    durationMs: () => durationMs,
    async [Symbol.asyncDispose]() {
      await source.return(undefined);
    },
  };
}
