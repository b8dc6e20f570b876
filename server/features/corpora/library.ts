import type { Corpus, CorpusBias, CorpusSummary, LexiconWord } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { UUID } from '@jyutsing/contracts/uuid';
import type { CorpusRepository } from '#store/repositories/corpora.ts';
import { createLexicon } from './lexicon.ts';
import { checkChange, checkDraft, type CorpusDraft } from './draft.ts';

/** Shipped and private corpora, as one account sees them. */
export type CorpusLibrary = {
  /** Public ones first, in their order; then the account's own, oldest first. */
  list(accountId: string): Promise<CorpusSummary[]>;
  find(accountId: string, id: string): Promise<Corpus | null>;
  /** Current versions; null: all public corpora. Throws `invalid_parameter` for an unknown id. */
  versions(accountId: string, ids: readonly string[] | null): Promise<Pick<Corpus, 'id' | 'version'>[]>;
  /** Like `versions`, with entries; omits corpora that were deleted meanwhile. */
  load(accountId: string, ids: readonly string[] | null): Promise<Corpus[]>;
  /**
   * Returns how words of a text are said, by the account's own corpora (null; the oldest with up to
   * 100,000 entries) or by these. Throws `invalid_parameter` for an unknown id.
   */
  lexicon(accountId: string, ids: readonly string[] | null, text: string): Promise<LexiconWord[]>;
};

/**
 * Changes of an account's own corpora. Throws `invalid_parameter` for an invalid field, `not_found`
 * for an unknown id, `insufficient_scope` for a public corpus.
 */
export type CorpusEditor = {
  /**
   * Throws `conflict` at the limit of corpora, and `storage_exceeded` when the account would store
   * more than `textLimitBytes` (null or absent: unlimited).
   */
  create(accountId: string, draft: CorpusDraft, textLimitBytes?: number | null): Promise<Corpus>;
  /**
   * Changes the given fields and increases the version. Throws `conflict` when `expectedVersion`
   * (null: any) is outdated, so that no unseen change is overwritten, and `storage_exceeded` as
   * `create` does, unless the corpus gets no larger.
   */
  replace(
    accountId: string,
    id: string,
    change: Partial<CorpusDraft>,
    expectedVersion: number | null,
    textLimitBytes?: number | null,
  ): Promise<Corpus>;
  delete(accountId: string, id: string): Promise<void>;
};

/** Limit of one account. */
export const MAX_PRIVATE_CORPORA = 100;
/** Limit of the private corpora of one request, which holds them in memory. */
const MAX_ENTRIES_TOGETHER = 100_000;

export function createCorpusLibrary(
  shipped: readonly Corpus[],
  corpora: CorpusRepository,
): CorpusLibrary & CorpusEditor {
  const shippedById = new Map(shipped.map((corpus) => [corpus.id, corpus]));

  const assertOwn = (id: string): void => {
    if (shippedById.has(id)) {
      throw new AppError('insufficient_scope', 'This corpus is public and cannot be changed; make one of your own.');
    }
    if (!UUID.test(id)) throw noCorpus();
  };
  const find = async (accountId: string, id: string): Promise<Corpus | null> =>
    shippedById.get(id) ?? (UUID.test(id) ? await corpora.find(id, accountId) : null);

  const lexicon = createLexicon();
  const versions: CorpusLibrary['versions'] = async (accountId, ids) => {
    if (ids === null) return shipped.map(pickVersion);
    const uniqueIds = [...new Set(ids)];
    const accountCorpora = uniqueIds.every((id) => shippedById.has(id)) ? [] : await corpora.list(accountId);
    const ownById = new Map(accountCorpora.map((summary) => [summary.id, summary]));
    assertFewEntries(uniqueIds.map((id) => ownById.get(id)?.entriesCount ?? 0));
    return uniqueIds.map((id) => {
      const corpus = shippedById.get(id) ?? ownById.get(id);
      if (corpus === undefined) throw unknownId(id);
      return pickVersion(corpus);
    });
  };

  return {
    async list(accountId) {
      return [...shipped.map(summarize), ...(await corpora.list(accountId))];
    },

    find,

    versions,

    async load(accountId, ids) {
      if (ids === null) return [...shipped];
      const loaded: Corpus[] = [];
      for (const id of new Set(ids)) {
        const corpus = await find(accountId, id);
        if (corpus !== null) loaded.push(corpus);
        assertFewEntries(loaded.map(({ accountId, entries }) => (accountId === null ? 0 : entries.length)));
      }
      return loaded;
    },

    async lexicon(accountId, ids, text) {
      const named = ids === null ? firstOf(await corpora.list(accountId)) : await versions(accountId, ids);
      return lexicon(named, text, (id) => find(accountId, id));
    },

    async create(accountId, draft, textLimitBytes = null) {
      const corpus = { accountId, ...checkDraft(draft) };
      const created = await corpora.create(corpus, MAX_PRIVATE_CORPORA, textLimitBytes);
      if (created !== null) return created;
      throw new AppError(
        'conflict',
        `An account can have ${MAX_PRIVATE_CORPORA} corpora of its own; delete one first.`,
      );
    },

    async replace(accountId, id, change, expectedVersion, textLimitBytes = null) {
      assertOwn(id);
      const checked = checkChange(change);
      return (await corpora.update(id, accountId, checked, expectedVersion, textLimitBytes)) ?? noCorpusHere();
    },

    async delete(accountId, id) {
      assertOwn(id);
      if (!(await corpora.delete(id, accountId))) throw noCorpus();
    },
  };
}

/** All entries of the corpora, and a key that changes with any of them. */
export function biasOf(corpora: readonly Corpus[]): CorpusBias {
  return {
    entries: corpora.flatMap(({ entries }) => entries),
    corporaKey: corpora.map(({ id, version }) => `${id} ${version}`).join(),
  };
}

function summarize({ entries, ...corpus }: Corpus): CorpusSummary {
  return { ...corpus, entriesCount: entries.length };
}

/** The oldest corpora, which together have as many entries as a request may use. */
function firstOf(summaries: readonly CorpusSummary[]): CorpusSummary[] {
  let count = 0;
  return summaries.filter(({ entriesCount }) => (count += entriesCount) <= MAX_ENTRIES_TOGETHER);
}

function pickVersion({ id, version }: Pick<Corpus, 'id' | 'version'>): Pick<Corpus, 'id' | 'version'> {
  return { id, version };
}

function assertFewEntries(counts: readonly number[]): void {
  if (counts.reduce((sum, count) => sum + count, 0) <= MAX_ENTRIES_TOGETHER) return;
  throw new AppError(
    'invalid_parameter',
    `The field "corpus_ids" names corpora with more than ${MAX_ENTRIES_TOGETHER} entries together.`,
  );
}

/** The id is user input, so the message has only its first printable characters. */
function unknownId(id: string): AppError {
  const shown = [...id.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')].slice(0, 40).join('');
  return new AppError('invalid_parameter', `The field "corpus_ids" names a corpus that does not exist: "${shown}".`);
}

function noCorpus(): AppError {
  return new AppError('not_found', 'There is no corpus with this id.');
}

function noCorpusHere(): never {
  throw noCorpus();
}
