import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { keepDraft, readDraft } from './drafts.ts';

/** Keeps a value in this browser under a name; it may contain files. */
export function useDraft<Draft extends object>(name: string, initial: Draft): Signal<Draft> {
  const draft = useSignal(initial);
  useEffect(() => {
    let isChanged = false;
    /** The value is kept already; to keep it again would undo what another tab keeps meanwhile. */
    let unchanged = initial;
    void readDraft<Draft>(name).then((kept) => {
      // Text that was typed while the draft was read counts more.
      if (kept === null || isChanged) return;
      unchanged = { ...initial, ...kept };
      draft.value = unchanged;
    });
    const end = draft.subscribe((value) => {
      if (value === unchanged) return;
      isChanged = true;
      keepDraft(name, value);
    });
    return end;
  }, []);
  return draft;
}

/** Changes a draft as it is kept now, since another tab may have changed it. */
export async function changeDraft<Draft extends object>(
  name: string,
  draft: Signal<Draft>,
  change: (kept: Draft) => Draft,
): Promise<void> {
  const kept = await readDraft<Draft>(name);
  draft.value = change({ ...draft.peek(), ...kept });
}
