import type { LexiconWord } from '@jyutsing/contracts/corpus';
import type { CharacterJyutping, SpokenJyutping } from '@jyutsing/text/readings/spoken-jyutping';
import { isSsml, readSsml } from '@jyutsing/text/ssml/read-ssml';
import { defineTask } from '#workers/define-task.ts';

/** Loaded by the first text, and kept. */
let spokenJyutping: SpokenJyutping | null = null;

type TextToRead = { text: string; lexicon: readonly LexiconWord[] };

/**
 * Reads a Cantonese text or SSML as it is spoken: jyutping of every character. Throws
 * `invalid_request` for malformed SSML.
 */
export const readText = defineTask({
  name: 'read-text',
  pool: 'interactive',
  timeoutMs: 60_000,
  async run({ text, lexicon }: TextToRead): Promise<CharacterJyutping[]> {
    const { createSpokenJyutping } = await import('@jyutsing/text/readings/spoken-jyutping');
    spokenJyutping ??= createSpokenJyutping();
    const read = (parts: Parameters<SpokenJyutping>[0]) => spokenJyutping!(parts, lexicon);
    return isSsml(text) ? readDocument(text, read) : read(text);
  },
});

/** Reads the Cantonese parts of a document; the other ones have no jyutping. */
async function readDocument(document: string, read: SpokenJyutping): Promise<CharacterJyutping[]> {
  const [{ items }, { toStretches }, { spansOfStretch }, { splitSpans }] = await Promise.all([
    readSsml(document),
    import('@jyutsing/text/ssml/stretches'),
    import('@jyutsing/text/ssml/spans-of-stretch'),
    import('@jyutsing/text/normalization/split-text'),
  ]);
  const parts: CharacterJyutping[] = [];
  for (const stretch of toStretches(items, 'cantonese')) {
    const spans = spansOfStretch(stretch, ANY_PITCH_HZ);
    if (stretch.language !== 'cantonese') {
      parts.push(...spans.map(({ text }) => ({ character: text, jyutping: null })));
    } else parts.push(...read(await splitSpans(spans, 'cantonese', stretch.continues)));
  }
  return parts;
}

/** Readings do not depend on the pitch of the voice. */
const ANY_PITCH_HZ = 200;
