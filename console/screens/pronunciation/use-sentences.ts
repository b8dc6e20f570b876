import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Language } from '@jyutsing/client';
import { text } from '#console/core/text.ts';
import { SENTENCES } from './exercises.ts';
import { useOwnSets } from './own-sets.ts';
import { levelOf, SET_NAMES, SETS, type Sentence } from './sentences.ts';
import type { PracticeDraft } from './use-practice.ts';

export type LevelChoice = 'all' | '1' | '2' | '3';

/**
 * The sentences that are offered: in Cantonese those of a set and a level, elsewhere examples.
 * `onPractise` receives the sentence that was chosen.
 */
export function useSentences(draft: Signal<PracticeDraft>, language: Language, onPractise: (text: string) => void) {
  const { sets } = text().pronunciation;
  const level = useSignal<LevelChoice>('all');
  const { lists, sentences } = useOwnSets(draft, language === 'cantonese');
  const { set } = draft.value;
  const shipped = SET_NAMES.find((name) => name === set);
  const isOwn = lists.some(({ name }) => name === set);
  const all = isOwn ? (sentences ?? []) : SETS[shipped ?? 'greetings'];
  const offered =
    language === 'cantonese' ? ofLevel(all, level.value).map(([sentence]) => sentence) : SENTENCES[language];
  const at = offered.indexOf(draft.value.text.trim());
  const practiseFirst = (from: readonly Sentence[]) => {
    const [first] = from;
    if (first !== undefined) onPractise(first[0]);
  };
  // The sentences of a word list arrive later.
  useEffect(() => {
    if (sentences !== null && !sentences.some(([sentence]) => sentence === draft.value.text.trim())) {
      practiseFirst(ofLevel(sentences, level.value));
    }
  }, [sentences]);
  return {
    set: isOwn ? set : (shipped ?? 'greetings'),
    sets: [
      ...SET_NAMES.map((name) => ({ value: name as string, label: sets.names[name] })),
      ...lists.map(({ name, title }) => ({ value: name, label: title })),
    ],
    level: level.value,
    offered,
    /** The place of the present text among the offered; -1 for a text of one's own. */
    at,
    chooseSet(name: string) {
      draft.value = { ...draft.value, set: name };
      const next = SET_NAMES.find((shippedName) => shippedName === name);
      if (next !== undefined) practiseFirst(ofLevel(SETS[next], level.value));
    },
    chooseLevel(next: LevelChoice) {
      level.value = next;
      practiseFirst(ofLevel(all, next));
    },
    /** Goes on by so many sentences; from a text of one's own to the first. */
    step(by: number) {
      const next = offered[at < 0 ? 0 : (at + by + offered.length) % offered.length];
      if (next !== undefined) onPractise(next);
    },
  };
}

export type Sentences = ReturnType<typeof useSentences>;

function ofLevel(all: readonly Sentence[], level: LevelChoice): readonly Sentence[] {
  return level === 'all' ? all : all.filter((sentence) => String(levelOf(sentence)) === level);
}
