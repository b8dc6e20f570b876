import { useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { client, noticeRefusal } from '#console/core/session.ts';
import type { ReadPart } from './reading-parts.ts';

const ASKED_AFTER_MS = 350;
/**
 * Gives the readings of the service for texts; it asks for them when the user has stopped typing.
 */
export function useReadings(texts: ReadonlySignal<readonly string[]>) {
  const readingsByText = useSignal<ReadonlyMap<string, readonly ReadPart[]>>(new Map());
  const failure = useSignal<unknown>(null);
  useSignalEffect(() => {
    const currentTexts = texts.value;
    const stop = new AbortController();
    const ask = async () => {
      failure.value = null;
      for (const passage of currentTexts) {
        if (readingsByText.peek().has(passage)) continue;
        const parts = await client().readings(passage, { signal: stop.signal });
        readingsByText.value = new Map([...readingsByText.peek(), [passage, parts]]);
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
