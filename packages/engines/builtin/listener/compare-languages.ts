import { mean } from '@jyutsing/numeric/statistics';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import { symbolEvidence } from '#engines/builtin/language-evidence.ts';
import type { EncodedSound, ListenerGraphs } from './graphs.ts';

/** Length of what `compareLanguages` returns. */
export const LANGUAGE_COMPARISONS = 2 * LANGUAGES.length + 1;

/** A sound as the heads heard it; `encode` gives what the decoder needs of it, computed once. */
export type HeardSound = Awaited<ReturnType<ListenerGraphs['hear']>> & {
  samples: Float32Array;
  encode(): Promise<EncodedSound>;
};

/**
 * Compares the languages of a stretch of speech: for each of LANGUAGES the mean score of the head
 * for languages; for each how sure its own head is of the symbols that it hears (mean natural
 * logarithm); and by how much the decoder, which knows people, takes it for Chinese rather than
 * English (difference of logarithms).
 */
export async function compareLanguages(
  graphs: ListenerGraphs,
  { posteriors, languageScore, encode }: HeardSound,
): Promise<number[]> {
  const certainties = LANGUAGES.map((language) => {
    const labels = graphs.labels[language];
    const { symbolLogp, frameCount } = posteriors[language];
    return symbolEvidence(symbolLogp, { frameCount, width: symbolCount(labels), frameMs: labels.frameMs }).symbolLogp;
  });
  const { special } = graphs.decoder;
  const { logp } = await graphs.step(await encode(), null, [{ row: 0, tokens: [special.start] }]);
  return [
    ...LANGUAGES.map((_, column) => mean(columnOf(languageScore.data, column))),
    ...certainties,
    (logp.data[special.chinese] ?? 0) - (logp.data[special.english] ?? 0),
  ];
}

function columnOf(rows: Float32Array, column: number): number[] {
  return Array.from({ length: rows.length / LANGUAGES.length }, (_, row) => rows[row * LANGUAGES.length + column] ?? 0);
}
