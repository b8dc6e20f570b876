import { createHash } from 'node:crypto';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type {
  FoundSegment,
  SearchDocument,
  SearchOrder,
  SearchPhrase,
  SearchQuery,
  TranscriptSearchRepository,
} from './repositories/transcript-search.ts';
import { atomically, fromJson, toJson, type Connection, type Database } from './database-types.ts';

/** Values of one statement. */
const ROWS_AT_ONCE = 500;
/** PostgreSQL ranks by reading texts, so only the newest of very many are ranked. */
const RANKED_BY_READING = 500;
/** The index of PostgreSQL has words and pairs of them; longer phrases are looked for in texts. */
const INDEXED_WORDS = 2;
/** UTF-16 units, of at most 3 bytes in UTF-8. */
const MAX_TOKEN_LENGTH = 500;
/** A text with one more occurrence in so many characters is a better match. */
const RANK_LENGTH = 1_000;

/** Implements `TranscriptSearchRepository`. */
export function createTranscriptSearchRepository(connection: Connection): TranscriptSearchRepository {
  const { reader } = connection;
  return {
    async findUnindexed(accountId, limit) {
      const rows = await reader
        .selectFrom('unindexed_transcripts')
        .select('transcription_id')
        .$if(accountId !== null, (query) => query.where('account_id', '=', accountId ?? ''))
        .limit(limit)
        .execute();
      return rows.map((row) => row.transcription_id);
    },

    async countUnindexed(accountId) {
      const { count } = await reader
        .selectFrom('unindexed_transcripts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    save: (id, editVersion, document) =>
      atomically(connection, (transaction) => save({ ...connection, writer: transaction }, id, editVersion, document)),

    search: (accountId, query, page) =>
      connection.dialect === 'sqlite'
        ? searchSqlite(reader, accountId, query, page)
        : searchPostgres(reader, accountId, query, page),

    load: (id) => load(reader, id),

    saveTags: (id, accountId, tags) =>
      atomically(connection, (transaction) => saveTags(transaction, id, accountId, tags)),

    tagsOf: (ids) => tagsOf(reader, ids),

    async countTags(accountId) {
      const rows = await reader
        .selectFrom('transcript_tags')
        .select((eb) => ['tag', eb.fn.countAll<number>().as('count')])
        .where('account_id', '=', accountId)
        .groupBy('tag')
        .orderBy('tag')
        .execute();
      return rows.map(({ tag, count }) => ({ tag, count: Number(count) }));
    },
  };
}

async function save(
  { dialect, writer }: Pick<Connection, 'dialect' | 'writer'>,
  id: string,
  editVersion: number,
  document: SearchDocument | null,
): Promise<void> {
  // Before anything is written: a transcript that is edited at the same time waits, or is newer.
  const record = await writer
    .selectFrom('transcriptions')
    .select(['account_id', 'created_at_ms'])
    .where('id', '=', id)
    .where('edit_version', '=', editVersion)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (record === undefined) return;
  await writer.deleteFrom('unindexed_transcripts').where('transcription_id', '=', id).execute();
  await writer.deleteFrom('transcript_texts').where('transcription_id', '=', id).execute();
  if (document === null) return;
  const { segments, ...texts } = document;
  const row = { transcription_id: id, ...record, ...texts, segments: toJson([...segments]) };
  await writer
    .insertInto('transcript_texts')
    .values(dialect === 'sqlite' ? row : { ...row, tokens: tokensOf(record.account_id, document) })
    .execute();
}

/** Marks tokens that are syllables and the account: words have no such characters. */
const SYLLABLE = '~';
const accountToken = (accountId: string) => `@${accountId}`;

function tokensOf(accountId: string, { title, text, syllables }: SearchDocument): string[] {
  const tokens = new Set([accountToken(accountId)]);
  for (const token of pairsOf(wordsIn(title))) tokens.add(token);
  for (const token of pairsOf(wordsIn(text))) tokens.add(token);
  for (const token of pairsOf(wordsIn(syllables))) tokens.add(SYLLABLE + token);
  return [...tokens];
}

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Every word, and every two neighbors. */
function* pairsOf(words: readonly string[]): Generator<string> {
  for (const [index, word] of words.entries()) {
    yield indexed(word);
    if (index > 0) yield indexed(`${words[index - 1]!} ${word}`);
  }
}

/** PostgreSQL refuses entries of an index over 2,712 bytes, so a longer token becomes its hash. */
const indexed = (token: string) =>
  token.length <= MAX_TOKEN_LENGTH ? token : createHash('sha256').update(token).digest('hex');

const toneless = ({ words }: SearchPhrase): string[] => words.map((word) => word.replace(/[1-6]$/, ''));

type Page = { order: SearchOrder; limit: number; tags: readonly string[] };

/** Words of an FTS5 query, which follow each other. */
const quoted = (words: readonly string[]) => `"${words.join(' ').replaceAll('"', '')}"`;

async function searchSqlite(
  reader: Kysely<Database>,
  accountId: string,
  query: SearchQuery,
  { order, limit, tags }: Page,
): Promise<string[]> {
  const inText = query.text.map(({ words }) => `({title text} : ${quoted(words)})`).join(' AND ');
  const inReadings = query.jyutping === null ? '' : `(syllables : ${quoted(toneless(query.jyutping))})`;
  const places = [inText === '' ? '' : `(${inText})`, inReadings].filter((part) => part !== '').join(' OR ');
  const match = `(account_id : ${quoted([accountId])}) AND (${places})`;
  const { rows } = await sql<{ id: string }>`
    select found.transcription_id as id from transcript_index
    join transcript_texts as found on found.number = transcript_index.rowid
    where transcript_index match ${match} and found.account_id = ${accountId}
      ${withTones(query, isReadSqlite)}
      ${withTags(accountId, tags)}
    order by ${order === 'best' ? sql`bm25(transcript_index, 0, 4, 1, 1), ` : sql``}
      found.created_at_ms desc, found.transcription_id desc
    limit ${limit}`.execute(reader);
  return rows.map(({ id }) => id);
}

/** A column with a space on both sides of every word, and words in the same form. */
const spaced = (column: string) => sql`' ' || replace(${sql.ref(column)}, E'\n', ' ') || ' '`;
const phrase = (words: readonly string[]) => ` ${words.join(' ')} `;

/** How often words occur in a column. */
const count = (column: string, found: string) =>
  sql`(length(${spaced(column)}) - length(replace(${spaced(column)}, ${found}, ''))) / ${sql.lit(found.length)}`;

async function searchPostgres(
  reader: Kysely<Database>,
  accountId: string,
  query: SearchQuery,
  { order, limit, tags }: Page,
): Promise<string[]> {
  const all = (tokens: Iterable<string>) => sql`tokens @> ${[accountToken(accountId), ...tokens]}::text[]`;
  const conditions: RawBuilder<unknown>[] = [];
  const occurrences: RawBuilder<unknown>[] = [sql`0`];
  if (query.text.length > 0) {
    const [first, ...further] = query.text.map(({ words }) => {
      const found = phrase(words);
      occurrences.push(sql`4 * (${count('title', found)})`, count('text', found));
      const isIn = (column: string) => sql`position(${found} in ${spaced(column)}) > 0`;
      const isExact = words.length <= INDEXED_WORDS;
      return isExact ? all(pairsOf(words)) : sql`(${all(pairsOf(words))} and (${isIn('text')} or ${isIn('title')}))`;
    });
    conditions.push(further.reduce((both, part) => sql`${both} and ${part}`, first!));
  }
  if (query.jyutping !== null) {
    const words = toneless(query.jyutping);
    const found = phrase(words);
    occurrences.push(count('syllables', found));
    const tokens = [...pairsOf(words)].map((token) => SYLLABLE + token);
    const isExact = words.length <= INDEXED_WORDS;
    conditions.push(isExact ? all(tokens) : sql`(${all(tokens)} and position(${found} in ${spaced('syllables')}) > 0)`);
  }
  const matches = sql`
    select transcription_id as id, created_at_ms, title, text, syllables from transcript_texts as found
    where account_id = ${accountId} and (${sql.join(conditions, sql` or `)})
      ${withTones(query, isReadPostgres)}
      ${withTags(accountId, tags)}
    order by created_at_ms desc, transcription_id desc`;
  const score = sql`(${sql.join(occurrences, sql` + `)})::float / (length(text) + ${sql.lit(RANK_LENGTH)})`;
  const ordered =
    order === 'newest'
      ? sql<{ id: string }>`${matches} limit ${limit}`
      : sql<{ id: string }>`select id from (${matches} limit ${sql.lit(RANKED_BY_READING)}) as newest
        order by ${score} desc, created_at_ms desc, id desc limit ${limit}`;
  // For a common word the planner would read all rows, without counting what their tokens cost.
  const { rows } = await reader.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    return ordered.execute(transaction);
  });
  return rows.map(({ id }) => id);
}

const hasTone = (word: string) => /[1-6]$/.test(word);

/** The condition that the tones are those of the reading, unless the text matches too. */
function withTones(
  { text, jyutping }: SearchQuery,
  isRead: (words: readonly string[]) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (jyutping === null || text.length > 0 || !jyutping.words.some(hasTone)) return sql``;
  return sql`and ${isRead(jyutping.words)}`;
}

/** The words, each with any tone if it has none. Syllables are letters and need no escape. */
const withAnyTone = (words: readonly string[], anyTone: string) =>
  phrase(words.map((word) => (hasTone(word) ? word : word + anyTone)));

const isReadSqlite = (words: readonly string[]) =>
  sql`' ' || replace(found.jyutping, char(10), ' ') || ' ' glob ${`*${withAnyTone(words, '[1-6]')}*`}`;

/** Letters alone are found in two thirds of the time that a regular expression takes. */
function isReadPostgres(words: readonly string[]): RawBuilder<unknown> {
  const reading = spaced('found.jyutping');
  return words.every(hasTone)
    ? sql`position(${phrase(words)} in ${reading}) > 0`
    : sql`${reading} ~ ${withAnyTone(words, '[1-6]')}`;
}

function withTags(accountId: string, tags: readonly string[]): RawBuilder<unknown> {
  if (tags.length === 0) return sql``;
  return sql`and (select count(*) from transcript_tags as tagged
    where tagged.transcription_id = found.transcription_id and tagged.account_id = ${accountId}
      and tagged.tag in (${sql.join(tags)})) = ${tags.length}`;
}

async function load(reader: Kysely<Database>, id: string): Promise<SearchDocument | null> {
  const row = await reader
    .selectFrom('transcript_texts')
    .select(['title', 'text', 'syllables', 'jyutping', 'segments'])
    .where('transcription_id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, segments: fromJson<FoundSegment[]>(row.segments) };
}

async function saveTags(
  transaction: Kysely<Database>,
  id: string,
  accountId: string,
  tags: readonly string[],
): Promise<boolean> {
  const record = await transaction
    .selectFrom('transcriptions')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (record === undefined) return false;
  await transaction.deleteFrom('transcript_tags').where('transcription_id', '=', id).execute();
  const rows = tags.map((tag) => ({ transcription_id: id, account_id: accountId, tag }));
  if (rows.length > 0) {
    await transaction
      .insertInto('transcript_tags')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return true;
}

async function tagsOf(reader: Kysely<Database>, ids: readonly string[]): Promise<Map<string, string[]>> {
  const tags = new Map<string, string[]>();
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const rows = await reader
      .selectFrom('transcript_tags')
      .select(['transcription_id', 'tag'])
      .where('transcription_id', 'in', ids.slice(from, from + ROWS_AT_ONCE))
      .orderBy('tag')
      .execute();
    for (const { transcription_id: id, tag } of rows) tags.set(id, [...(tags.get(id) ?? []), tag]);
  }
  return tags;
}
