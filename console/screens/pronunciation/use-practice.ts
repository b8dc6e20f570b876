import { useSignal, type Signal } from '@preact/signals';
import type { Language, Score } from '@jyutsing/client';
import { client } from '#console/core/session.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { changeDraft, useDraft } from '#console/core/use-draft.ts';
import { attemptOf, isOfItsText, withAttempt, type Attempt, type ScoredSyllable } from './history.ts';
import { speakerId } from './learner.tsx';
import { usePlayedSound } from './played-sound.ts';
import { withRecording, type KeptDay } from './practice-days.ts';

/** A voice that said the text: its sound, and its syllables once they were measured. */
type Model = { text: string; voice: string; sound: Blob; syllables: readonly ScoredSyllable[] | null };
type Recording = { text: string; sound: File; score: Score | null };

export type PracticeDraft = { text: string; voice: string; language: Language; set: string };

const [HISTORY, DAYS, PASSED] = ['pronunciation history', 'pronunciation days', 'pronunciation passed'];

/** The text that is practised, with the voice and the recording that said it. */
export function usePractice(draft: Signal<PracticeDraft>, language: Language, voiceId: string) {
  const history = useDraft<{ attempts: readonly Attempt[] }>(HISTORY, { attempts: [] });
  const days = useDraft<{ kept: readonly KeptDay[] }>(DAYS, { kept: [] });
  const passed = useDraft<{ texts: readonly string[] }>(PASSED, { texts: [] });
  const model = useSignal<Model | null>(null);
  const recorded = useSignal<Recording | null>(null);
  const { busy, failure, attempt } = useAttempt<'voice' | 'score'>();
  const sound = usePlayedSound();
  const typed = draft.value.text.trim();
  const hear = () =>
    attempt('voice', async () => {
      if (model.value?.text !== typed || model.value.voice !== voiceId) {
        const made = await client()
          .speak(typed, { language, voice: voiceId === '' ? undefined : voiceId })
          .blob();
        model.value = { text: typed, voice: voiceId, sound: made, syllables: null };
        sound.play(made);
        const syllables = await syllablesIn(made, typed, language);
        model.value = { text: typed, voice: voiceId, sound: made, syllables };
      } else sound.play(model.value.sound);
    });
  const judge = (recording: File) =>
    attempt('score', async () => {
      recorded.value = { text: typed, sound: recording, score: null };
      const speaker = language === 'english' ? undefined : speakerId();
      const score = await client().score(recording, typed, { language, speaker });
      recorded.value = { text: typed, sound: recording, score };
      if (score.passed) await changeDraft(PASSED, passed, ({ texts }) => ({ texts: [...new Set([...texts, typed])] }));
      if (score.language !== 'english' && !isOfItsText(score.syllables)) return;
      await changeDraft(DAYS, days, ({ kept }) => ({ kept: withRecording(kept, score.score, new Date()) }));
      if (score.language !== 'cantonese') return;
      const attempted = attemptOf(score, Date.now());
      await changeDraft(HISTORY, history, ({ attempts }) => ({ attempts: withAttempt(attempts, attempted) }));
    });
  return {
    history,
    days,
    passed,
    busy: busy.value,
    failure,
    sound,
    /** Forgets all attempts, as another person practises. */
    forget: () => {
      history.value = { attempts: [] };
      days.value = { kept: [] };
      passed.value = { texts: [] };
    },
    hear: () => void hear(),
    judge: (recording: File) => void judge(recording),
    /** The recording of this text; null when there is none. */
    learner: recorded.value?.text === typed ? recorded.value : null,
    /** The voice that said this text; null when none did. */
    model: model.value?.text === typed ? model.value : null,
  };
}

export type Practice = ReturnType<typeof usePractice>;

/**
 * Returns the syllables that were measured in a voice; null in English, where the screen shows
 * none.
 */
async function syllablesIn(sound: Blob, spokenText: string, language: Language): Promise<Model['syllables']> {
  if (language === 'english') return null;
  const { syllables } = await client().score(sound, spokenText, { language });
  return syllables;
}
