import { useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { client, noticeRefusal } from '#console/core/session.ts';

const ASKED_AFTER_MS = 350;
const JYUTPING = /^[a-z]{1,6}[1-6](?:\s+[a-z]{1,6}[1-6])*$/;

export function isJyutping(typed: string): boolean {
  return JYUTPING.test(typed.trim());
}

/**
 * Gives the readings of the service for texts; it asks for them when the user has stopped typing.
 */
export function useReadings(texts: ReadonlySignal<readonly string[]>) {
  const readingsByText = useSignal<ReadonlyMap<string, string>>(new Map());
  const failure = useSignal<unknown>(null);
  useSignalEffect(() => {
    const currentTexts = texts.value;
    const stop = new AbortController();
    const ask = async () => {
      failure.value = null;
      for (const passage of currentTexts) {
        if (readingsByText.peek().has(passage)) continue;
        const reading = await client().jyutping(passage, { signal: stop.signal });
        readingsByText.value = new Map([...readingsByText.peek(), [passage, reading]]);
      }
    };
    const timer = setTimeout(() => {
      ask().catch((refused: unknown) => {
        if (stop.signal.aborted) return;
        noticeRefusal(refused);
        failure.value = refused;
      });
    }, ASKED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  });
  return { readingsByText, failure };
}
