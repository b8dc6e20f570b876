import { expect, test } from 'vitest';
import { readText } from './decode-text.ts';

/** Tokens of a small vocabulary: its end, a comma, and syllables that the head hears. */
const TOKENS = ['', '，', '一', '二', '三', '四'];
const END = 0;
const COMMA = 1;
const MARKS = /[\p{P}\s]/u;

/** Frames in which the head hears columns one after another, surely or hardly. */
function framesOf(columns: readonly number[], share: number) {
  const [width, frameCount] = [TOKENS.length, 2 * columns.length];
  const logp = new Float32Array(frameCount * width).fill(Math.log(1e-4));
  columns.forEach((column, index) => {
    logp[2 * index * width + column] = Math.log(share);
    logp[2 * index * width] = Math.log(1 - share);
    logp[(2 * index + 1) * width] = -1e-3;
  });
  return { logp, frameCount, width };
}

/** A decoder that gives the next token of a text, the end and a comma these probabilities. */
function decoderOf(text: readonly number[], shares: { next: number; end: number; comma: number }) {
  let steps: number[][] = [];
  return {
    decoder: { special: { end: END } },
    step: (_: unknown, memory: unknown, hypotheses: readonly { row: number; tokens: readonly number[] }[]) => {
      const before = steps;
      steps = hypotheses.map(({ row, tokens }) => (memory === null ? [] : [...before[row]!, ...tokens]));
      const data = new Float32Array(steps.length * TOKENS.length).fill(Math.log(1e-3));
      steps.forEach((tokens, row) => {
        const spoken = tokens.filter((token) => token !== COMMA);
        const next = text[spoken.length] ?? END;
        data[row * TOKENS.length + END] = Math.log(shares.end);
        data[row * TOKENS.length + COMMA] = Math.log(shares.comma);
        data[row * TOKENS.length + next] = Math.log(next === END ? 0.9 : shares.next);
      });
      return Promise.resolve({ logp: { data, dims: [steps.length, TOKENS.length] }, memory: {} });
    },
  } as unknown as Parameters<typeof readText>[0];
}

async function read(graphs: Parameters<typeof readText>[0], share: number, symbolBonus: number): Promise<string> {
  const options = {
    prompt: [END],
    frames: framesOf([2, 3, 4, 5], share),
    frameMs: 200,
    spelling: (character: string) =>
      MARKS.test(character) ? [] : [{ columns: [TOKENS.indexOf(character)], breaks: 0, syllables: [] }],
    symbolBonus,
    vocabulary: { size: TOKENS.length, bytes: (token: number) => Buffer.from(TOKENS[token] ?? '') },
    isSuppressed: (token: number) => token === END,
  };
  const { characters } = await readText(graphs, {}, options, new AbortController().signal);
  return characters.map(({ text }) => text).join('');
}

test('reads to the end of the sound where the decoder would rather stop', async () => {
  const hesitant = { next: 0.2, end: 0.5, comma: 0.01 };
  expect(await read(decoderOf([2, 3, 4, 5], hesitant), 0.6, 0)).toBe('');
  expect(await read(decoderOf([2, 3, 4, 5], hesitant), 0.6, 1.6)).toBe('一二三四');
});

test('reads no run of marks', async () => {
  const fond = decoderOf([2, 3, 4, 5], { next: 0.2, end: 0.01, comma: 0.7 });
  expect(await read(fond, 0.9, 0.8)).toMatch(/^一，?，?二，?，?三，?，?四，?，?$/);
});
