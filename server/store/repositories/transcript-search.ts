/** The searched form of a transcript: words in lower case and Simplified characters. */
export type SearchDocument = {
  /** Words separated by spaces. */
  title: string;
  /** One line for each segment that has words. */
  text: string;
  /** The same lines and words; those with a reading are its syllable without the tone. */
  syllables: string;
  /** The same with tones. */
  jyutping: string;
  segments: readonly FoundSegment[];
};

/** A segment as it is shown. */
export type FoundSegment = { text: string; startMs: number; endMs: number; speaker: string | null };

/** Words that follow each other, in the form of `SearchDocument`. */
export type SearchPhrase = { words: readonly string[] };

export type SearchQuery = {
  /** All of them occur in the text or the title; empty: not searched there. */
  text: readonly SearchPhrase[];
  /** Or this one in the readings; a syllable without a tone means any. Null: not searched there. */
  jyutping: SearchPhrase | null;
};

export type SearchOrder = 'best' | 'newest';

/** The words of transcripts, and their tags. */
export type TranscriptSearchRepository = {
  /** Completed transcripts whose document is missing or older than they are; of one account. */
  findUnindexed(accountId: string | null, limit: number): Promise<string[]>;
  countUnindexed(accountId: string): Promise<number>;
  /**
   * Saves the document of a transcript that has this `editVersion`; one that was edited meanwhile
   * stays noted. Null: it has no words that can be read, and is not looked at again.
   */
  save(id: string, editVersion: number, document: SearchDocument | null): Promise<void>;
  /** The ids of matching transcripts in this order, at most `limit`. */
  search(
    accountId: string,
    query: SearchQuery,
    page: { order: SearchOrder; limit: number; tags: readonly string[] },
  ): Promise<string[]>;
  /** The document of a transcript; one of many hours takes megabytes. Null: there is none. */
  load(id: string): Promise<SearchDocument | null>;
  /** Replaces the tags of a transcript. False when the account has no such record. */
  saveTags(id: string, accountId: string, tags: readonly string[]): Promise<boolean>;
  /** The tags of each of these transcripts that has some, in order. */
  tagsOf(ids: readonly string[]): Promise<Map<string, string[]>>;
  /** All tags of an account and how many transcripts have them. */
  countTags(accountId: string): Promise<{ tag: string; count: number }[]>;
};
