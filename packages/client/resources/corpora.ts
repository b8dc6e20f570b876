import { mapPromise, type ApiPromise } from '#client/http/api-promise.ts';
import type { RequestBody, RequestOptions, Transport } from '#client/http/transport.ts';
import type { Corpus, CorpusEntry, CorpusEntryNote, CorpusSummary, Language, Suggested } from '#client/types.ts';

/**
 * Content of a corpus: `entries` as objects, or `tsv` with a line for each,
 * `text<TAB>jyutping<TAB>weight`.
 */
export type CorpusContent = { entries: readonly CorpusEntry[]; tsv?: never } | { tsv: string; entries?: never };

type CorpusFields = {
  name?: string | undefined;
  description?: string | undefined;
  /** Language of the corpus. Defaults to `cantonese`. */
  language?: Suggested<Language> | undefined;
};

export type NewCorpus = RequestOptions & CorpusFields & { name: string } & CorpusContent;

/** A change of a corpus; absent fields stay unchanged. */
export type CorpusChange = RequestOptions &
  CorpusFields & {
    /** The version that is replaced; InvalidRequestError (409) when it is not the current one. */
    version?: number | undefined;
  } & (CorpusContent | { entries?: never; tsv?: never });

export type DeckOptions = RequestOptions & {
  /** Id of the voice. Defaults to that of the language. */
  voice?: string | undefined;
  sound?: boolean | undefined;
};

/** The server sends nothing before it has spoken all words. */
const DECK_TIMEOUT_MS = 600_000;
const PATH = '/api/corpora';

/** Likely words and phrases, which bias the correction of transcripts. */
export class Corpora {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists corpora without their entries, the public ones first. */
  list(options?: RequestOptions): ApiPromise<CorpusSummary[]> {
    const response = this.#transport.json<{ corpora: CorpusSummary[] }>({ method: 'GET', path: PATH }, options);
    return mapPromise(response, ({ corpora }) => corpora);
  }

  get(id: string, options?: RequestOptions): ApiPromise<Corpus> {
    return corpusOf(this.#transport.json({ method: 'GET', path: pathOf(id) }, options));
  }

  /** Returns the corpus in the format that `tsv` of `create` takes. */
  tsv(id: string, options?: RequestOptions): ApiPromise<string> {
    return this.#transport.text({ method: 'GET', path: `${pathOf(id)}.tsv` }, options);
  }

  /** Returns an Anki deck of up to 1,000 words. Their sound, the default, costs characters. */
  deck(id: string, { voice, sound, ...request }: DeckOptions = {}): ApiPromise<Blob> {
    const body = { json: { voice, sound } };
    const spec = { method: 'POST', path: `${pathOf(id)}/deck`, body, timeoutMs: DECK_TIMEOUT_MS } as const;
    return this.#transport.blob(spec, request);
  }

  /** Tells which of up to 500 entries do not help transcripts, and why. Stores nothing. */
  check(entries: readonly CorpusEntry[], options?: RequestOptions): ApiPromise<CorpusEntryNote[]> {
    const spec = {
      method: 'POST',
      path: `${PATH}/check`,
      repetition: 'harmless',
      body: { json: { entries } },
    } as const;
    return mapPromise(this.#transport.json<{ notes: CorpusEntryNote[] }>(spec, options), ({ notes }) => notes);
  }

  create({ name, description, language, entries, tsv, ...request }: NewCorpus): ApiPromise<Corpus> {
    const content = bodyOf({ name, description, language }, entries, tsv);
    return corpusOf(this.#transport.json({ method: 'POST', path: PATH, ...content }, request));
  }

  /** Replaces the content; the version of the corpus increases. */
  replace(id: string, change: CorpusChange): ApiPromise<Corpus> {
    const { name, description, language, version, entries, tsv, ...request } = change;
    const content = bodyOf({ name, description, language, version }, entries, tsv);
    // With a version, the second of two equal requests would be refused.
    const repetition = version === undefined ? 'harmless' : 'repeats';
    return corpusOf(this.#transport.json({ method: 'PUT', path: pathOf(id), repetition, ...content }, request));
  }

  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: pathOf(id) }, options);
  }
}

function bodyOf(
  fields: Readonly<Record<string, string | number | undefined>>,
  entries: readonly CorpusEntry[] | undefined,
  tsv: string | undefined,
): { query?: typeof fields; body: RequestBody } {
  if (tsv === undefined) return { body: { json: { ...fields, entries } } };
  return { query: fields, body: { text: tsv, type: 'text/tab-separated-values' } };
}

const corpusOf = (response: ApiPromise<{ corpus: Corpus }>) => mapPromise(response, ({ corpus }) => corpus);

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
