import { useSignal, useSignalEffect } from '@preact/signals';
import { noticeRefusal } from './session.ts';

/** The state of something that is loaded; `failure` is null unless loading failed. */
export type Loaded<Value> = { value: Value | null; failure: unknown; isLoading: boolean; reload(): void };

/**
 * Gives what `load` returns, and loads again when a signal changes that `load` reads before its
 * first `await`.
 */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const state = useSignal<{ value: Value | null; failure: unknown; isLoading: boolean }>({
    value: null,
    failure: null,
    isLoading: true,
  });
  const round = useSignal(0);
  useSignalEffect(() => {
    void round.value;
    const stop = new AbortController();
    const { value } = state.peek();
    state.value = { value, failure: null, isLoading: true };
    load(stop.signal).then(
      (loaded) => {
        if (!stop.signal.aborted) state.value = { value: loaded, failure: null, isLoading: false };
      },
      (failure: unknown) => {
        if (stop.signal.aborted) return;
        noticeRefusal(failure);
        state.value = { value, failure, isLoading: false };
      },
    );
    return () => stop.abort();
  });
  const { value, failure, isLoading } = state.value;
  return { value, failure, isLoading, reload: () => void (round.value += 1) };
}
