import { useComputed, type Signal } from '@preact/signals';
import type { CorpusSummary } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { client, isAllowed } from '#console/core/session.ts';
import type { Sentence } from './sentences.ts';
import type { PracticeDraft } from './use-practice.ts';

/** The name of a set that is a word list begins with this; the id follows. */
const LIST = 'list ';

type OwnSet = { name: string; title: string };
type OwnSets = { lists: readonly OwnSet[]; sentences: readonly Sentence[] | null };

/**
 * The Cantonese word lists of the account as sets, such as the sentences of a teacher, and the
 * sentences of the chosen one; null while they are loaded and for other sets. Without `isOffered`
 * there are none.
 */
export function useOwnSets(draft: Signal<PracticeDraft>, isOffered: boolean): OwnSets {
  const lists = useLoaded(async (signal) => (isOffered && isAllowed('stt') ? client().corpora.list({ signal }) : []));
  const chosen = useComputed(() => draft.value.set);
  const sentences = useLoaded(async (signal) => {
    const set = chosen.value;
    if (!isOffered || !set.startsWith(LIST)) return null;
    const { entries } = await client().corpora.get(set.slice(LIST.length), { signal });
    return { set, all: entries.map(({ text, jyutping }): Sentence => [text, jyutping ?? '', '', '']) };
  });
  return {
    lists: (lists.value ?? []).filter(isOwn).map(({ id, name }) => ({ name: `${LIST}${id}`, title: name })),
    sentences: sentences.value?.set === chosen.value ? sentences.value.all : null,
  };
}

function isOwn({ public: isPublic, language, entries_count: count }: CorpusSummary): boolean {
  return !isPublic && language === 'cantonese' && count > 0;
}
