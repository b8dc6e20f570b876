import { AppError } from '@jyutsing/contracts/errors';

/** How long a text is to say: Chinese characters, and words of other scripts. */
export function spokenLength(text: string): number {
  return text.match(/\p{Script=Han}|[^\s\p{Script=Han}\p{Punctuation}][^\s\p{Script=Han}]*/gu)?.length ?? 0;
}

/**
 * For each text the places of `count` others to hold its recording against: those nearest in length, the same text and repeated ones left
 * out. Nothing random, and taken in turn from where the text itself stands, so that no single text is everybody's other. Throws
 * `invalid_parameter` where there is no other text.
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
    if (distinct.length === 0) throw new AppError('invalid_parameter', 'All recordings say the same sentence.');
    return distinct.slice(0, count);
  });
}
