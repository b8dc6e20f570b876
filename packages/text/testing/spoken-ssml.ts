import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { normalize } from '#text/normalization/normalize.ts';
import { splitSpans } from '#text/normalization/split-text.ts';
import { readSsml } from '#text/ssml/read-ssml.ts';
import { spansOfStretch } from '#text/ssml/spans-of-stretch.ts';
import { toStretches } from '#text/ssml/stretches.ts';

/** The pitch of the voice that speaks. */
const VOICE_HZ = 200;

/** The words of a document in spoken form, before readings are looked up. */
export async function wordsOfSsml(document: string, language: Language): Promise<SpokenWord[]> {
  const { items } = await readSsml(document);
  const words: SpokenWord[] = [];
  for (const stretch of toStretches(items, language)) {
    for (const piece of await splitSpans(spansOfStretch(stretch, VOICE_HZ), stretch.language, stretch.continues)) {
      words.push(...(normalize(piece, stretch.language)?.phrases ?? []).flatMap((phrase) => phrase.words));
    }
  }
  return words;
}

/** The spoken form of the text in `<speak>`, and the readings that it gives, in brackets. */
export async function spokenSsml(contents: string, language: Language): Promise<string> {
  const words = await wordsOfSsml(`<speak>${contents}</speak>`, language);
  return words
    .map(({ spokenForm, reading }) => (reading.length === 0 ? spokenForm : `${spokenForm}[${reading.join(' ')}]`))
    .join(' ');
}
