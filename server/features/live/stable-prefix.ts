/**
 * Parts of a text that a hypothesis changes as a whole: a Chinese character, or a Latin word with
 * the space before it.
 */
const TOKENS = /\s*(?:[\p{Script=Latin}\p{Mn}\d'’-]+|\S)/gu;

/** Finds the beginning of a text that no longer changes while hypotheses follow one another. */
type StablePrefix = {
  /**
   * Takes the next hypothesis and returns what is stable after it: never less than before, never
   * revised. `text` continues it with the rest of the hypothesis.
   */
  update(hypothesis: string): { stable: string; text: string };
  /** Takes the final text; everything that does not contradict the stable beginning is stable. */
  finish(text: string): string;
};

/**
 * LocalAgreement-2: what two hypotheses in a row agree on is stable (Liu, Spanakis and Niehues
 * 2020; Macháček, Dabre and Bojar 2023, "Turning Whisper into Real-Time Transcription System").
 */
export function createStablePrefix(): StablePrefix {
  let stable: readonly string[] = [];
  let previous: readonly string[] = [];
  // A hypothesis that contradicts the stable tokens replaces as many of them as there are.
  const continued = (tokens: readonly string[]) => [...stable, ...tokens.slice(stable.length)];
  return {
    update(hypothesis) {
      const tokens = tokensOf(hypothesis);
      const agreed = agreedCount(previous, tokens);
      if (agreed > stable.length) stable = continued(tokens.slice(0, agreed));
      previous = tokens;
      return { stable: stable.join(''), text: continued(tokens).join('') };
    },
    finish: (text) => continued(tokensOf(text)).join(''),
  };
}

function tokensOf(text: string): readonly string[] {
  return text.match(TOKENS) ?? [];
}

function agreedCount(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((token, index) => token !== other[index]);
  return differs < 0 ? Math.min(one.length, other.length) : differs;
}
