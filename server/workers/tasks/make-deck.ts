import type { Word } from '@jyutsing/contracts/transcript';
import type { AnkiCard } from '#features/export/anki-collection.ts';
import { defineTask } from '#workers/define-task.ts';

/** A sentence of a transcript, or a word of a list. */
export type DeckSentence = {
  key: string;
  text: string;
  words: Word[];
  translation: string | null;
  startMs: number;
  endMs: number;
  /** The sentence in pieces with their jyutping; absent: as the dictionary reads it. */
  pieces?: AnkiCard['pieces'];
  /** Its sound as MP3; absent: as it is in the recording. */
  sound?: Uint8Array | null;
};

export type DeckRequest = {
  name: string;
  createdAtMs: number;
  sentences: readonly DeckSentence[];
  /** The recording from which their sound is cut; null: the cards have none. */
  recordingPath: string | null;
  /** Whether cards show jyutping. */
  isCantonese: boolean;
};

/** Makes an Anki deck of a transcript or of a word list: the bytes of an .apkg file. */
export const makeDeck = defineTask({
  name: 'make-deck',
  pool: 'interactive',
  timeoutMs: 10 * 60_000,
  async run(request: DeckRequest, { limits }, signal): Promise<Uint8Array> {
    const [{ writeAnkiPackage }, { readPieces }] = await Promise.all([
      import('#features/export/anki-collection.ts'),
      import('#features/transcription/character-readings.ts'),
    ]);
    const { sentences, recordingPath, isCantonese, ...deck } = request;
    const sounds = await soundsOf(recordingPath, sentences, { ...limits, signal });
    const cards: AnkiCard[] = sentences.map((sentence, index) => ({
      key: sentence.key,
      text: sentence.text,
      pieces: sentence.pieces ?? (isCantonese ? readPieces(sentence) : [{ text: sentence.text, jyutping: null }]),
      translation: sentence.translation,
      sound: sentence.sound ?? sounds.get(index) ?? null,
    }));
    return writeAnkiPackage({ ...deck, cards });
  },
});

async function soundsOf(
  path: string | null,
  sentences: readonly DeckSentence[],
  options: { maxDurationMs: number; signal: AbortSignal },
): Promise<Map<number, Uint8Array>> {
  const sounds = new Map<number, Uint8Array>();
  if (path === null) return sounds;
  const { cutClips } = await import('@jyutsing/audio/encoding/cut-clips');
  for await (const { index, mp3 } of cutClips(path, sentences, options)) sounds.set(index, mp3);
  return sounds;
}
