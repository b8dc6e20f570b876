import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import type { SearchOrder, TranscriptSearchRepository } from '#store/repositories/transcript-search.ts';
import type { TranscriptionRepository } from '#store/repositories/transcriptions.ts';
import type { SegmentMatch } from './find-matches.ts';
import type { SearchIn } from './read-query.ts';

type Services = {
  store: {
    transcriptions: Pick<TranscriptionRepository, 'find' | 'findState'>;
    transcriptSearch: TranscriptSearchRepository;
  };
  logger: { error(details: object, message: string): void };
};

/** The most transcripts that a search finds; each page would count the further ones again. */
export const MAX_FOUND = 1_000;
/** Documents that a search makes before it looks: of transcripts that ended just now. */
const MADE_BEFORE_SEARCH = 20;
const MATCHES_SHOWN = 5;

export type FoundTranscript = { id: string; matches: SegmentMatch[]; matchCount: number };

export type Found = {
  transcripts: FoundTranscript[];
  /** How many match, at most `MAX_FOUND`. */
  total: number;
  hasMore: boolean;
  /** Transcripts of an earlier version of the program whose words are not known yet. */
  unindexed: number;
};

export type Search = {
  query: string;
  where: SearchIn;
  order: SearchOrder;
  tags: readonly string[];
  limit: number;
  /** The last id of the page before. */
  before: string | null;
};

/**
 * Makes the documents of some transcripts whose words are missing or changed. Returns the number;
 * 0: all are there. One whose document cannot be made or saved is logged and left out of the search
 * until it is edited, so that it keeps no other from being found.
 */
export async function indexTranscripts(
  { store, logger }: Services,
  accountId: string | null,
  limit: number,
): Promise<number> {
  const ids = await store.transcriptSearch.findUnindexed(accountId, limit);
  for (const id of ids) {
    try {
      await indexTranscript(store, id);
    } catch (cause) {
      // Such as an outage of the database, after which it is tried again.
      if (cause instanceof AppError) throw cause;
      logger.error({ cause, transcriptionId: id }, 'a transcript cannot be found by the search');
      const state = await store.transcriptions.findState(id);
      if (state !== null) await store.transcriptSearch.save(id, state.editVersion, null);
    }
  }
  return ids.length;
}

async function indexTranscript({ transcriptions, transcriptSearch }: Services['store'], id: string): Promise<void> {
  const record = await transcriptions.find(id);
  if (record === null) return;
  // Loaded when it is needed, with dictionaries and the tables of both scripts.
  const { searchDocumentOf } = await import('./search-document.ts');
  const document = record.status === 'completed' ? await searchDocumentOf(record) : null;
  await transcriptSearch.save(id, record.editVersion, document);
}

/** Looks for words in the transcripts of an account. Throws `invalid_parameter`. */
export async function searchTranscripts(
  services: Services,
  accountId: string,
  { query: written, where, order, tags, limit, before }: Search,
): Promise<Found> {
  const [{ readQuery }, { findMatches }] = await Promise.all([import('./read-query.ts'), import('./find-matches.ts')]);
  const query = readQuery(written, where);
  const { transcriptSearch } = services.store;
  await indexTranscripts(services, accountId, MADE_BEFORE_SEARCH);
  const ids = await transcriptSearch.search(accountId, query, { order, limit: MAX_FOUND, tags });
  const from = before === null ? 0 : ids.indexOf(before) + 1;
  const page = before !== null && from === 0 ? [] : ids.slice(from, from + limit);
  const transcripts: FoundTranscript[] = [];
  for (const id of page) {
    await yieldToEventLoop();
    const document = await transcriptSearch.load(id);
    if (document === null) continue;
    const { matches, count } = await findMatches(document, query, MATCHES_SHOWN);
    transcripts.push({ id, matches, matchCount: count });
  }
  return {
    transcripts,
    total: ids.length,
    hasMore: from + limit < ids.length && page.length > 0,
    unindexed: await transcriptSearch.countUnindexed(accountId),
  };
}
