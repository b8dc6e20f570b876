import type { SerializedError } from '@jyutsing/contracts/errors';

/** A translation of a transcript. `sourceSha256` names the text that was translated. */
export type StoredTranslation = {
  language: string;
  status: 'processing' | 'completed' | 'failed';
  sourceSha256: string;
  /** One for each segment; null unless completed. */
  texts: string[] | null;
  error: SerializedError | null;
  /** Segments that are translated, of all. */
  done: number;
  total: number;
  /** Names one attempt: an earlier one changes nothing any more. */
  workId: string;
  changedAtMs: number;
};

type Place = { transcriptionId: string; language: string };

export type TranslationRepository = {
  find(place: Place): Promise<StoredTranslation | null>;
  /** In the order of their languages, without texts. */
  list(transcriptionId: string): Promise<StoredTranslation[]>;
  /**
   * Begins an attempt in place of the one whose `workId` is `replaces` (null: none). False, without
   * a change, when another attempt is there, or no such transcription.
   */
  begin(
    place: Place & { accountId: string },
    work: Pick<StoredTranslation, 'sourceSha256' | 'total' | 'workId'>,
    replaces: string | null,
  ): Promise<boolean>;
  /** False when another attempt has begun, or the transcription is gone: the work can stop. */
  progress(place: Place, workId: string, done: number): Promise<boolean>;
  /** False like `progress`. */
  end(place: Place, workId: string, outcome: { texts: string[] } | { error: SerializedError }): Promise<boolean>;
};
