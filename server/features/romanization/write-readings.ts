import { parseSyllable } from '@jyutsing/text/syllables/jyutping';
import { jyutpingToIpa } from '@jyutsing/text/syllables/jyutping-ipa';
import type { CharacterJyutping } from '@jyutsing/text/readings/spoken-jyutping';

/** How the readings of a text are written down. */
export const READING_STYLES = ['text', 'list', 'annotated', 'initial_format', 'ipa', 'ipa_list', 'ipa_text'] as const;
type ReadingStyle = (typeof READING_STYLES)[number];

type WrittenReadings =
  | string
  | { character: string; jyutping: string | null }[]
  | { character: string; ipa: string | null }[];

/**
 * `text`: nei5 hou2. `list`: one entry for each character. `annotated`: 你(nei5)好(hou2).
 * `initial_format`: n-ei5 h-ou2. `ipa`: 你[nei̯˩˧]好[hou̯˧˥]. `ipa_list`, `ipa_text`: as `list` and
 * `text`.
 */
export function writeReadings(parts: readonly CharacterJyutping[], style: ReadingStyle): WrittenReadings {
  const syllables = parts.flatMap(({ jyutping }) => jyutping?.split(' ') ?? []);
  switch (style) {
    case 'text':
      return syllables.join(' ');
    case 'list':
      return parts.map(({ character, jyutping }) => ({ character, jyutping }));
    case 'annotated':
      return annotate(parts, (jyutping) => `(${jyutping})`);
    case 'initial_format':
      return syllables.map(withHyphen).join(' ');
    case 'ipa':
      return annotate(parts, (jyutping) => `[${ipaOf(jyutping)}]`);
    case 'ipa_list':
      return parts.map(({ character, jyutping }) => ({ character, ipa: jyutping === null ? null : ipaOf(jyutping) }));
    case 'ipa_text':
      return syllables.map(jyutpingToIpa).join('.');
  }
}

function annotate(parts: readonly CharacterJyutping[], write: (jyutping: string) => string): string {
  return parts.map(({ character, jyutping }) => (jyutping === null ? character : character + write(jyutping))).join('');
}

function ipaOf(jyutping: string): string {
  return jyutping.split(' ').map(jyutpingToIpa).join('.');
}

/** `n-ei5`; a syllable without an onset is left alone. */
function withHyphen(syllable: string): string {
  const onset = parseSyllable(syllable)?.onset ?? '';
  return onset === '' ? syllable : `${onset}-${syllable.slice(onset.length)}`;
}
