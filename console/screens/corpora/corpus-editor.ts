import { computed, effect, signal } from '@preact/signals';
import type { Corpus, CorpusEntry, CorpusEntryNote } from '@jyutsing/client';
import { dropDraft, keepDraft, readDraft } from '#console/core/drafts.ts';
import { client } from '#console/core/session.ts';
import { countHan, faultOf, isBlank, type Row } from './check-entry.ts';
import type { Fields } from './pasted-rows.ts';

type Content = { name: string; description: string; rows: readonly Row[] };
type Draft = { version: number | null; content: Content };

/** Texts whose readings are asked for at a time. */
const ASKED_AT_A_TIME = 4;
/** Entries that the service checks at a time, this long after the last change. */
const CHECKED_AT_A_TIME = 500;
const CHECKED_AFTER_MS = 600;
/** The least number of such words that share one note. */
const LEAST_FOR_SPEECH = 3;

/** Edits a word list; what is typed stays in the browser until it is saved. */
export class CorpusEditor {
  readonly content;
  readonly isChanged = signal(false);
  readonly isBusy = signal(false);
  /** Rows that the service would refuse. */
  readonly faulty;
  /** The number of rows with content. */
  readonly count;
  /** The reason of the service why a word does not help, by `noteKey`; null for one that helps. */
  readonly notes = signal<ReadonlyMap<string, CorpusEntryNote | null>>(new Map());
  /** Whether all words are only of use for speech, such as the sentences of a teacher. */
  readonly isForSpeech;
  readonly isPublic: boolean;
  readonly id: string | null;
  version: number | null;
  readonly #draftName: string;
  #lastKey: number;

  /** A `corpus` of null makes a new word list. */
  constructor(corpus: Corpus | null) {
    this.id = corpus?.id ?? null;
    this.version = corpus?.version ?? null;
    this.isPublic = corpus?.public ?? false;
    this.#draftName = draftNameOf(corpus?.id ?? 'new');
    const content = contentOf(corpus);
    this.content = signal(content);
    this.#lastKey = content.rows.length;
    this.faulty = computed(() => this.content.value.rows.filter((row) => !isBlank(row) && faultOf(row) !== null));
    this.isForSpeech = computed(() => {
      const rows = this.content.value.rows.filter((row) => !isBlank(row));
      const isAlone = (row: Row) => this.notes.value.get(noteKey(row))?.code === 'not_only_chinese';
      return rows.length >= LEAST_FOR_SPEECH && rows.every(isAlone);
    });
    this.count = computed(() => this.content.value.rows.filter((row) => !isBlank(row)).length);
  }

  /** Takes up what was typed in this browser and never saved. */
  async takeDraft(): Promise<void> {
    const draft = this.isPublic ? null : await readDraft<Draft>(this.#draftName);
    if (draft === null) return;
    this.content.value = draft.content;
    this.version = draft.version;
    this.#lastKey = Math.max(this.#lastKey, ...draft.content.rows.map(({ key }) => key));
    this.isChanged.value = true;
  }

  /** Asks about words that were not asked about yet, until the returned function is called. */
  followNotes(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = new AbortController();
    const end = effect(() => {
      const { rows } = this.content.value;
      clearTimeout(timer);
      timer = setTimeout(() => void this.#check(rows, stop.signal).catch(() => {}), CHECKED_AFTER_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
      stop.abort();
    };
  }

  async #check(rows: readonly Row[], signal: AbortSignal): Promise<void> {
    const unchecked = new Map<string, Row>();
    for (const row of rows) {
      if (isBlank(row) || this.notes.value.has(noteKey(row)) || faultOf(row) !== null) continue;
      unchecked.set(noteKey(row), row);
    }
    const all = [...unchecked];
    for (let at = 0; at < all.length; at += CHECKED_AT_A_TIME) {
      const batch = all.slice(at, at + CHECKED_AT_A_TIME);
      const entries = batch.map(([, row]) => entryOf(row));
      const notes = new Map((await client().corpora.check(entries, { signal })).map((note) => [note.index, note]));
      this.notes.value = new Map([
        ...this.notes.value,
        ...batch.map(([key], index) => [key, notes.get(index) ?? null] as const),
      ]);
    }
  }

  change(part: Partial<Content>): void {
    this.content.value = { ...this.content.value, ...part };
    this.isChanged.value = true;
    const draft: Draft = { version: this.version, content: this.content.value };
    keepDraft(this.#draftName, draft);
  }

  changeRow(key: number, part: Partial<Row>): void {
    this.change({ rows: this.content.value.rows.map((row) => (row.key === key ? { ...row, ...part } : row)) });
  }

  add(): void {
    this.#lastKey += 1;
    this.change({ rows: [{ key: this.#lastKey, text: '', jyutping: '', weight: '' }, ...this.content.value.rows] });
  }

  /** Puts rows in the place of a row, or before it if it has text. */
  insert(at: number, added: readonly Fields[]): void {
    const { rows } = this.content.value;
    const index = rows.findIndex(({ key }) => key === at);
    const fresh = added.map((row) => ({ ...row, key: (this.#lastKey += 1) }));
    const isBlankRow = rows[index] !== undefined && isBlank(rows[index]);
    this.change({ rows: rows.toSpliced(Math.max(0, index), isBlankRow ? 1 : 0, ...fresh) });
  }

  /** Writes a text into this field of a row and those below it, and adds rows for the rest. */
  fillDown(at: number, field: keyof Fields, values: readonly string[]): void {
    const { rows } = this.content.value;
    const index = rows.findIndex(({ key }) => key === at);
    const filled = rows.map((row, place) => ({ ...row, [field]: values[place - index] ?? row[field] }));
    const further = values.slice(rows.length - index).map((value) => {
      this.#lastKey += 1;
      return { key: this.#lastKey, text: '', jyutping: '', weight: '', [field]: value };
    });
    this.change({ rows: [...filled, ...further] });
  }

  /** Leaves out the rows that the service would refuse. */
  dropFaulty(): void {
    this.change({ rows: this.content.value.rows.filter((row) => isBlank(row) || faultOf(row) === null) });
  }

  remove(key: number): void {
    this.change({ rows: this.content.value.rows.filter((row) => row.key !== key) });
  }

  /** Asks for the readings that are missing. */
  async fillReadings(): Promise<void> {
    const missing = this.content.value.rows.filter(
      ({ text, jyutping }) => jyutping.trim() === '' && countHan(text) > 0,
    );
    const readings = new Map<number, string>();
    for (let at = 0; at < missing.length; at += ASKED_AT_A_TIME) {
      const batch = missing.slice(at, at + ASKED_AT_A_TIME);
      const found = await Promise.all(
        batch.map(({ text }) => client().jyutping(text.replaceAll(/\P{Script=Han}/gu, ''))),
      );
      for (const [index, { key }] of batch.entries()) readings.set(key, found[index] ?? '');
    }
    this.change({
      rows: this.content.value.rows.map((row) => ({ ...row, jyutping: readings.get(row.key) ?? row.jyutping })),
    });
  }

  /** Saves it as its next version; returns its id. What is typed meanwhile stays a draft. */
  async save({ isForced = false } = {}): Promise<string> {
    const content = this.content.value;
    const { name, description, rows } = content;
    const entries = rows.filter((row) => !isBlank(row)).map(entryOf);
    const fields = { name: name.trim(), description, entries };
    const saved =
      this.id === null
        ? await client().corpora.create(fields)
        : await client().corpora.replace(this.id, {
            ...fields,
            ...(isForced || this.version === null ? {} : { version: this.version }),
          });
    await this.discardDraft();
    this.version = saved.version;
    if (this.content.value !== content) {
      this.isChanged.value = true;
      const draft: Draft = { version: saved.version, content: this.content.value };
      keepDraft(draftNameOf(saved.id), draft);
    }
    return saved.id;
  }

  async discardDraft(): Promise<void> {
    this.isChanged.value = false;
    await dropDraft(this.#draftName);
  }
}

/** A row as the service takes it. */
export function entryOf({ text, jyutping, weight }: Fields): CorpusEntry {
  return {
    text,
    ...(jyutping.trim() === '' ? {} : { jyutping }),
    ...(weight.trim() === '' ? {} : { weight: Number(weight) }),
  };
}

/** Rows with the same word and reading have the same note. */
export const noteKey = ({ text, jyutping }: Fields): string => `${text.trim()}\t${jyutping.trim()}`;

/** Whether this browser keeps a word list with content that was never saved. */
export async function hasNewDraft(): Promise<boolean> {
  const draft = await readDraft<Draft>(draftNameOf('new'));
  return draft?.content.rows.some((row) => !isBlank(row)) ?? false;
}

const draftNameOf = (id: string): string => `corpus ${id}`;

function contentOf(corpus: Corpus | null): Content {
  if (corpus === null) return { name: '', description: '', rows: [{ key: 0, text: '', jyutping: '', weight: '' }] };
  const rows = corpus.entries.map(({ text, jyutping, weight }, key) => ({
    key,
    text,
    jyutping: jyutping ?? '',
    weight: weight === 1 ? '' : String(weight),
  }));
  return { name: corpus.name, description: corpus.description, rows };
}
