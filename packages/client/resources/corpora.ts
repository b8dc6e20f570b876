import { mapPromise, type ApiPromise } from '#client/http/api-promise.ts';
import type { RequestBody, RequestOptions, Transport } from '#client/http/transport.ts';
import type { Corpus, CorpusEntry, CorpusSummary, Language, Suggested } from '#client/types.ts';

/** `entries` as objects, or `tsv`: a line for each, `text<TAB>jyutping<TAB>weight`. */
export type CorpusContent = { entries: readonly CorpusEntry[]; tsv?: never } | { tsv: string; entries?: never };

type CorpusFields = {
  name?: string | undefined;
  description?: string | undefined;
  /** Absent: `cantonese`. */
  language?: Suggested<Language> | undefined;
};

export type NewCorpus = RequestOptions & CorpusFields & { name: string } & CorpusContent;

/** Absent fields stay as they are. */
export type CorpusChange = RequestOptions &
  CorpusFields & {
    /** The version that is replaced; InvalidRequestError (409) when it is not the current one. */
    version?: number | undefined;
  } & (CorpusContent | { entries?: never; tsv?: never });

const PATH = '/api/corpora';

/** Likely words and phrases, which bias the correction of transcripts. */
export class Corpora {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The public ones first, without their entries. */
  list(options?: RequestOptions): ApiPromise<CorpusSummary[]> {
    const sent = this.#transport.json<{ corpora: CorpusSummary[] }>({ method: 'GET', path: PATH }, options);
    return mapPromise(sent, ({ corpora }) => corpora);
  }

  get(id: string, options?: RequestOptions): ApiPromise<Corpus> {
    return corpusOf(this.#transport.json({ method: 'GET', path: pathOf(id) }, options));
  }

  /** The corpus in the format that `tsv` of `create` takes. */
  tsv(id: string, options?: RequestOptions): ApiPromise<string> {
    return this.#transport.text({ method: 'GET', path: `${pathOf(id)}.tsv` }, options);
  }

  create({ name, description, language, entries, tsv, ...request }: NewCorpus): ApiPromise<Corpus> {
    const sent = bodyOf({ name, description, language }, entries, tsv);
    return corpusOf(this.#transport.json({ method: 'POST', path: PATH, ...sent }, request));
  }

  /** Its version increases. */
  replace(id: string, change: CorpusChange): ApiPromise<Corpus> {
    const { name, description, language, version, entries, tsv, ...request } = change;
    const sent = bodyOf({ name, description, language, version }, entries, tsv);
    // With a version, the second of two equal requests would be refused.
    const repetition = version === undefined ? 'harmless' : 'repeats';
    return corpusOf(this.#transport.json({ method: 'PUT', path: pathOf(id), repetition, ...sent }, request));
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

const corpusOf = (sent: ApiPromise<{ corpus: Corpus }>) => mapPromise(sent, ({ corpus }) => corpus);

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
