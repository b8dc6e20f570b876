/**
 * Parts of a text that a hypothesis changes as a whole: a Chinese character, or a Latin word with
 * the space before it.
 */
const TOKENS = /\s*(?:[\p{Script=Latin}\p{Mn}\d'’-]+|\S)/gu;

/** Finds the beginning of a text that no longer changes while hypotheses follow one another. */
type StablePrefix = {
  /**
   * Takes the next hypothesis, about the first `soundMs` of the sound, and returns what is stable
   * after it: never less than before, never revised. `text` continues it with the rest of the
   * hypothesis.
   */
  update(hypothesis: string, soundMs: number): { stable: string; text: string };
  /** Takes the final text; everything that does not contradict the stable beginning is stable. */
  finish(text: string): string;
};

type Hypothesis = { tokens: readonly string[]; soundMs: number };

/** Hypotheses about nearly the same sound agree on a last word that is not yet complete. */
const INDEPENDENT_MS = 150;

/**
 * LocalAgreement-2: what two hypotheses in a row agree on is stable (Liu, Spanakis and Niehues
 * 2020; Macháček, Dabre and Bojar 2023, "Turning Whisper into Real-Time Transcription System").
 * Of hypotheses that follow one another fast the last word is stable only when all since
 * `independentMs` agree on it; a longer time gives later text that is surer.
 */
export function createStablePrefix(independentMs = INDEPENDENT_MS): StablePrefix {
  let stable: readonly string[] = [];
  /** Newest first; the last one is independent of the next hypothesis. */
  let previous: readonly Hypothesis[] = [];
  // A hypothesis that contradicts the stable tokens replaces as many of them as there are.
  const continued = (tokens: readonly string[]) => [...stable, ...tokens.slice(stable.length)];
  return {
    update(hypothesis, soundMs) {
      const tokens = tokensOf(hypothesis);
      const isIndependent = (other: Hypothesis) => soundMs - other.soundMs >= independentMs;
      const count = stableCount(tokens, previous, isIndependent);
      if (count > stable.length) stable = continued(tokens.slice(0, count));
      const oldest = previous.findIndex(isIndependent);
      previous = [{ tokens, soundMs }, ...(oldest < 0 ? previous : previous.slice(0, oldest + 1))];
      return { stable: stable.join(''), text: continued(tokens).join('') };
    },
    finish: (text) => continued(tokensOf(text)).join(''),
  };
}

function stableCount(
  tokens: readonly string[],
  previous: readonly Hypothesis[],
  isIndependent: (other: Hypothesis) => boolean,
): number {
  let agreed = tokens.length;
  let count = 0;
  for (const other of previous) {
    agreed = Math.min(agreed, agreedCount(other.tokens, tokens));
    if (isIndependent(other)) return Math.max(count, agreed);
    count = Math.max(count, Math.min(agreed, tokens.length - 1));
  }
  return count;
}

function tokensOf(text: string): readonly string[] {
  return text.match(TOKENS) ?? [];
}

function agreedCount(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((token, index) => token !== other[index]);
  return differs < 0 ? Math.min(one.length, other.length) : differs;
}
