import type { Language } from '@jyutsing/contracts/transcript';
import type { TextSpan } from '#text/normalization/split-text.ts';
import type { Token } from '#text/normalization/tokens.ts';
import { styleOf, type Prosody } from './prosody.ts';
import { phonemeFault } from './read-ssml.ts';
import { interpret } from './say-as.ts';
import type { Segment, Stretch } from './stretches.ts';

/**
 * The text of a stretch as `splitSpans` takes it, for a voice with that median pitch. Throws
 * `invalid_request` for a pronunciation that the language does not have.
 */
export function spansOfStretch({ segments, language }: Stretch, voiceHz: number): TextSpan[] {
  const styles = new Map<Prosody, TextSpan['style']>();
  return segments.map((segment) => {
    const { text, prosody } = segment;
    if (!styles.has(prosody)) styles.set(prosody, styleOf(prosody, voiceHz));
    const style = styles.get(prosody);
    return { text, tokens: tokensOf(segment, language), ...(style === undefined ? {} : { style }) };
  });
}

function tokensOf({ text, reading }: Segment, language: Language): readonly Token[] | null {
  if (reading === null) return null;
  if (reading.kind === 'say-as') return interpret(text, reading, language);
  const read = reading.alphabet.read(reading.ph, language);
  if ('fault' in read) throw phonemeFault(reading.place, read.fault);
  return [{ kind: 'given', text, language, spokenForm: text, reading: read.reading }];
}
