import { useSignal, type Signal } from '@preact/signals';
import { noticeRefusal } from './session.ts';

/** `attempt` runs work, which `busy` names meanwhile; `failure` is its error, or null. */
export type Attempts<What extends string> = {
  busy: Signal<What | null>;
  failure: Signal<unknown>;
  attempt(what: What, work: () => Promise<void>): Promise<void>;
};

/** Runs the actions of a screen, one at a time. */
export function useAttempt<What extends string>(): Attempts<What> {
  const busy = useSignal<What | null>(null);
  const failure = useSignal<unknown>(null);
  return {
    busy,
    failure,
    async attempt(what, work) {
      busy.value = what;
      failure.value = null;
      try {
        await work();
      } catch (refused) {
        noticeRefusal(refused);
        failure.value = refused;
      } finally {
        busy.value = null;
      }
    },
  };
}
