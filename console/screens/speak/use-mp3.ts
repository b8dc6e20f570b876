import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { saveFile } from '#console/core/save-file.ts';
import { noticeRefusal } from '#console/core/session.ts';
import { mp3Of, type Manner, type Passage } from './speaking.ts';

/** Saves speech as a file without playing it; leaving the screen ends it. */
export function useMp3(failure: Signal<unknown>, onEnd: () => void) {
  const isSaving = useSignal(false);
  const leaving = useMemo(() => new AbortController(), []);
  useEffect(() => () => leaving.abort(), []);
  const save = async (passages: readonly Passage[], headings: ReadonlySet<string>, manner: Manner, name: string) => {
    failure.value = null;
    isSaving.value = true;
    try {
      saveFile(await mp3Of(passages, headings, manner, leaving.signal), `${name}.mp3`);
    } catch (refused) {
      if (leaving.signal.aborted) return;
      noticeRefusal(refused);
      failure.value = refused;
    } finally {
      isSaving.value = false;
      onEnd();
    }
  };
  return { isSaving: isSaving.value, save };
}
