import type { Jyutsing, VoiceSummary, CorpusSummary as SentCorpus, Corpus as FoundCorpus } from '@jyutsing/client';
import type { Corpus, CorpusSummary } from '@jyutsing/contracts/corpus';
import type { Voice } from '@jyutsing/contracts/voice';
import type { CorpusEditor, CorpusLibrary } from '#server/features/corpora/library.ts';
import type { VoiceEditor } from '#server/features/voices/library.ts';

/** The fields of a voice that commands show. */
export type ListedVoice = Pick<Voice, 'id' | 'accountId' | 'name' | 'language' | 'gender' | 'description'>;

/** Voices of an account, over HTTP or in the database of DATA_DIR. */
export type CommandVoices = Pick<VoiceEditor, 'delete'> & {
  list(accountId: string): Promise<ListedVoice[]>;
  create(...draft: Parameters<VoiceEditor['create']>): Promise<ListedVoice>;
};

export type CommandCorpora = Pick<CorpusLibrary, 'list' | 'find'> & CorpusEditor;

/** Over HTTP the key says whose voices they are. */
const OWN = 'own';

export function createRemoteVoices({ voices }: Pick<Jyutsing, 'voices'>): CommandVoices {
  return {
    list: async () => (await voices.list()).map(toVoice),
    async create(_, { samplePath, consent, gender, ...texts }) {
      const fields = Object.fromEntries(Object.entries({ ...texts, gender }).filter(([, text]) => text !== null));
      // Without consent the service refuses it, with the same sentence as the database's.
      return toVoice(
        await voices.create({ name: texts.name, ...fields, sample: samplePath, consent: consent as true }),
      );
    },
    delete: (_, id) => voices.delete(id),
  };
}

export function createRemoteCorpora({ corpora }: Pick<Jyutsing, 'corpora'>): CommandCorpora {
  return {
    list: async () => (await corpora.list()).map(toSummary),
    find: async (_, id) => toCorpus(await corpora.get(id)),
    create: async (_, { language, entries, ...texts }) =>
      toCorpus(await corpora.create({ ...texts, language: language ?? undefined, entries: entries.map(toEntry) })),
    replace: async (_, id, { entries = [], language, ...texts }, expectedVersion) =>
      toCorpus(
        await corpora.replace(id, {
          ...texts,
          language: language ?? undefined,
          entries: entries.map(toEntry),
          version: expectedVersion ?? undefined,
        }),
      ),
    delete: (_, id) => corpora.delete(id),
  };
}

function toVoice({ voice_id: id, public: isPublic, gender, description, ...voice }: VoiceSummary): ListedVoice {
  const { name, language } = voice;
  const accountId = isPublic ? null : OWN;
  return { id, name, language, gender: gender ?? null, description: description ?? null, accountId };
}

function toSummary({ public: isPublic, entries_count: entriesCount, ...corpus }: SentCorpus): CorpusSummary {
  return { ...corpus, entriesCount, accountId: isPublic ? null : OWN };
}

function toCorpus({ entries, ...summary }: FoundCorpus): Corpus {
  const { entriesCount: _, ...corpus } = toSummary(summary);
  return { ...corpus, entries };
}

function toEntry({ text, jyutping, weight }: Corpus['entries'][number]) {
  return { text, weight, ...(jyutping === null ? {} : { jyutping }) };
}
