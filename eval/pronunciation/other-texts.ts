import { AppError } from '@jyutsing/contracts/errors';

/** Length of a text in Chinese characters and words of other scripts. */
export function spokenLength(text: string): number {
  return text.match(/\p{Script=Han}|[^\s\p{Script=Han}\p{Punctuation}][^\s\p{Script=Han}]*/gu)?.length ?? 0;
}

/**
 * Selects for each text the indices of `count` others of similar length, without duplicates.
 * Deterministic, and rotated by the text's own index, so that no text is used for all others.
 * Throws `invalid_parameter` if there is no other text.
 */
export function otherTexts(texts: readonly string[], count = 1): number[][] {
  const lengths = texts.map(spokenLength);
  return texts.map((text, index) => {
    const turn = (other: number) => (other - index + texts.length) % texts.length;
    const distance = (other: number) => Math.abs(lengths[other]! - lengths[index]!);
    const candidates = texts
      .map((_, other) => other)
      .filter((other) => texts[other] !== text)
      .sort((a, b) => distance(a) - distance(b) || turn(a) - turn(b));
    const distinct = candidates.filter((other, at) => candidates.findIndex((c) => texts[c] === texts[other]) === at);
    if (distinct.length === 0) throw new AppError('invalid_parameter', 'All recordings have the same sentence.');
    return distinct.slice(0, count);
  });
}
