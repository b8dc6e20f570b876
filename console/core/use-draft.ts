import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { keepDraft, readDraft } from './drafts.ts';

/** Keeps a value in this browser under a name; it may contain files. */
export function useDraft<Draft extends object>(name: string, initial: Draft): Signal<Draft> {
  const draft = useSignal(initial);
  useEffect(() => {
    let isChanged = false;
    void readDraft<Draft>(name).then((kept) => {
      // Text that was typed while the draft was read counts more.
      if (kept !== null && !isChanged) draft.value = { ...initial, ...kept };
    });
    const end = draft.subscribe((value) => {
      if (value === initial) return;
      isChanged = true;
      keepDraft(name, value);
    });
    return end;
  }, []);
  return draft;
}
