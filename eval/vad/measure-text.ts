import type { Recognizer } from '@jyutsing/contracts/recognizer';
import { asChunks } from '../sound.ts';
import { textTokens } from '../tokens.ts';

/** A recording and what is said in it; nothing in noise and music. */
export type Spoken = { samples: Float32Array; text: string };

/** `right`: characters of the texts that were recognized, in order; `extra`: others. */
export type TextCounts = { withText: number; expected: number; right: number; extra: number; cpuSeconds: number };

/** Recognizes Cantonese recordings as the service does and compares the characters. */
export async function measureText(recordings: Iterable<Spoken>, recognizer: Recognizer): Promise<TextCounts> {
  const total: TextCounts = { withText: 0, expected: 0, right: 0, extra: 0, cpuSeconds: 0 };
  const options = { language: 'cantonese', context: null, romanize: false } as const;
  for (const { samples, text } of recordings) {
    const before = process.cpuUsage();
    let recognizedText = '';
    for await (const event of recognizer.recognize(asChunks(samples), options, new AbortController().signal)) {
      if (event.type === 'segment-end') recognizedText += event.segment.text;
    }
    const { user, system } = process.cpuUsage(before);
    total.cpuSeconds += (user + system) / 1e6;
    const [expected, recognized] = [textTokens('cantonese', text), textTokens('cantonese', recognizedText)];
    const right = longestCommon(expected, recognized);
    total.withText += recognized.length > 0 ? 1 : 0;
    total.expected += expected.length;
    total.right += right;
    total.extra += recognized.length - right;
  }
  return total;
}

/** Returns the length of the longest common subsequence. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  let above = Array.from({ length: other.length + 1 }, () => 0);
  for (const token of one) {
    const row = [0];
    for (const [j, candidate] of other.entries()) {
      row.push(token === candidate ? above[j]! + 1 : Math.max(above[j + 1]!, row[j]!));
    }
    above = row;
  }
  return above.at(-1)!;
}
