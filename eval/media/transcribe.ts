import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editDistance } from '@jyutsing/numeric/edit-distance';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { wavBytes, type Sound } from '#testbed/sound/audio.ts';
import { SENTENCES, type Right } from './row.ts';

/**
 * Share of characters that may differ from those of the original: codecs of telephones cost some.
 */
const WRONG_SHARE = 0.3;
/** Share of characters that may differ from those of the file as another program decodes it. */
const OTHER_SHARE = 0.1;
/** How far the first word of a sentence may be from where it is spoken. */
const TOLERANCE_MS = 150;
const MS = 1_000;

type Word = { text: string; start: number };
type Transcript = { words: readonly Word[]; credits: number; notice: unknown };

/** Sends files to a service of its own, and compares texts, times and credits. */
export type Transcriber = AsyncDisposable & {
  /**
   * Returns what is wrong, with what was seen; `other` is the sound of the file as another program
   * decodes it, null where none can.
   */
  compare(path: string, right: Right, other: Sound | null): Promise<string[]>;
};

/** Starts a service with the built-in models; `master` is the file whose text is right. */
export async function startTranscriber(master: string): Promise<Transcriber> {
  const folder = await temporaryFolder();
  const service = await startService(join(folder.path, 'data'), { WORKERS: '1' });
  const clean = await transcribe(service.baseUrl, await readFile(master));
  const sentences = SENTENCES.map(({ startMs }, index) => {
    const end = SENTENCES[index + 1]?.startMs ?? Infinity;
    const words = clean.words.filter(
      ({ start }) => start * MS > startMs - TOLERANCE_MS && start * MS < end - TOLERANCE_MS,
    );
    return { text: textOf(words), leadMs: words[0]!.start * MS - startMs };
  });
  return {
    async compare(path, { heard, chargedMs, isCutOff }, other) {
      const { words, credits, notice } = await transcribe(service.baseUrl, await readFile(path));
      const text = textOf(words);
      const otherText = other === null ? null : textOf((await transcribe(service.baseUrl, wavBytes(other))).words);
      const rightText = heard.map(([sentence]) => sentences[sentence]!.text).join('');
      const wrong = editDistance(text, rightText);
      return [
        ...(wrong > WRONG_SHARE * rightText.length ? [`the text is "${text}" instead of "${rightText}"`] : []),
        ...(otherText !== null && editDistance(text, otherText) > OTHER_SHARE * otherText.length
          ? [`the text is "${text}", and "${otherText}" of the second implementation`]
          : []),
        ...heard.flatMap(([sentence, startMs]) => {
          const wordMs = startMs + sentences[sentence]!.leadMs;
          const isThere = words.some(({ start }) => Math.abs(start * MS - wordMs) <= TOLERANCE_MS);
          return isThere ? [] : [`no word begins at ${(wordMs / MS).toFixed(2)} s`];
        }),
        ...(Math.abs(credits - chargedMs / MS) <= 1.1 ? [] : [`${credits} credits`]),
        ...((notice === 'cut_off') === isCutOff ? [] : [`the notice is ${String(notice)}`]),
      ];
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join('');
}

async function transcribe(baseUrl: string, file: Uint8Array): Promise<Transcript> {
  const submitted = await request(`${baseUrl}/api/stt`, submission(file, { skip_fusion: 'true' }));
  if (submitted.status !== 200) throw new Error(`the service answers ${submitted.status}`);
  const id = requestIdOf(submitted);
  const record = await waitForResult(baseUrl, id);
  if (record['status'] !== 'completed') throw new Error(`the service says: ${String(record['error'])}`);
  const headers = { 'x-api-key': OWNER_KEY };
  const { body } = await request(`${baseUrl}/api/speech-to-text/${id}.json`, { headers });
  const segments = body['segments'] as { words: Word[] }[];
  return {
    words: segments.flatMap(({ words }) => words),
    credits: Number(record['credits_used']),
    notice: record['notice'],
  };
}
