import { completeLogp, emptyPrefix, extendPrefix, type CtcFrames, type CtcPrefix } from './ctc-prefix.ts';
import type { DecoderMemory, EncodedSound, ListenerGraphs } from './graphs.ts';
import type { Reading, Spelling } from './spelling.ts';
import { decodeTokens, type Vocabulary } from './vocabulary.ts';

/** A character of the text that was read. */
export type ReadCharacter = {
  text: string;
  /** The reading by which the CTC head heard it; null for what it does not hear, as punctuation. */
  reading: Reading | null;
  /** Probability of its token to the decoder, 0..1. */
  probability: number;
};

/** A text, and the log-probability of its readings to the CTC head. */
export type ReadText = { characters: readonly ReadCharacter[]; ctcLogp: number };

type Hypothesis = {
  token: number;
  /** Row of the step that made it. */
  row: number;
  characters: readonly ReadCharacter[];
  text: string;
  /** Bytes of a character that is not complete. */
  rest: Uint8Array;
  prefix: CtcPrefix;
  score: number;
  /** Characters in a row that the head does not hear. */
  unheard: number;
};

/** A hypothesis with one more token, before the CTC head is asked. */
type Candidate = Pick<Hypothesis, 'row' | 'token'> & {
  before: Hypothesis;
  tokenLogp: number;
  /** The score without its symbols. */
  score: number;
};

export type ReadOptions = {
  /** Tokens before the text: language, task and, for a style, a text that seems to come before. */
  prompt: readonly number[];
  frames: CtcFrames;
  frameMs: number;
  spelling: Spelling;
  /** Added to the score for each symbol that the head hears, in nats. */
  symbolBonus: number;
  vocabulary: Vocabulary;
  /** Tokens that are never read. */
  isSuppressed: (token: number) => boolean;
};

/** Hypotheses that go on at a time, and tokens tried for each. */
const BEAMS = 3;
const TRIED_TOKENS = 10;
/** Weight of the CTC score beside that of the decoder. */
const CTC_WEIGHT = 0.15;
/**
 * Most nats that a token adds to a score: a hypothesis that lies so far behind may still win.
 */
const MOST_GAIN = 3;
/** Longest run of characters that are not heard: a mark, quotes, a word of another script. */
const MOST_UNHEARD = 24;
const TOKENS_PER_SECOND = 12;
const SPARE_TOKENS = 8;

const MARKS = /[\p{P}\s]/gu;
/** Marks and spaces in a row that no text has. */
const TOO_MANY_MARKS = /[\p{P}\s]{3}$|\s{2}$/u;

/**
 * Reads text from encoded sound: a beam search in which each hypothesis is scored by the decoder
 * and by what the CTC head heard (joint CTC/attention decoding: Watanabe et al. 2017). So it does
 * not repeat itself or go on after the sound has ended. A bonus for each symbol makes up for the
 * probability that every token costs, without which short texts would win. The search ends when no
 * other text can overtake the best complete one.
 */
export async function readText(
  graphs: Pick<ListenerGraphs, 'step' | 'decoder'>,
  encoded: EncodedSound,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<ReadText> {
  const { prompt, frames, frameMs } = options;
  const { end } = graphs.decoder.special;
  const mostTokens = SPARE_TOKENS + Math.ceil(((frames.frameCount * frameMs) / 1_000) * TOKENS_PER_SECOND);
  let hypotheses: Hypothesis[] = [
    {
      token: -1,
      row: 0,
      characters: [],
      text: '',
      rest: new Uint8Array(0),
      prefix: emptyPrefix(frames),
      score: 0,
      unheard: 0,
    },
  ];
  let memory: DecoderMemory | null = null;
  let best: ReadText & { score: number } = { score: -Infinity, characters: [], ctcLogp: -Infinity };
  for (let count = 0; count < mostTokens && hypotheses.length > 0; count++) {
    signal.throwIfAborted();
    const steps = hypotheses.map(({ row, token }) => ({ row, tokens: count === 0 ? prompt : [token] }));
    const step = await graphs.step(encoded, memory, steps);
    memory = step.memory;
    const width = step.logp.dims[1] ?? 0;
    const candidates: Candidate[] = [];
    hypotheses.forEach((before, row) => {
      const logp = step.logp.data.subarray(row * width, (row + 1) * width);
      const ctcLogp = completeLogp(before.prefix);
      const score = before.score + (logp[end] ?? -Infinity) + CTC_WEIGHT * (ctcLogp - before.prefix.logp);
      if (before.rest.length === 0 && score > best.score) best = { score, characters: before.characters, ctcLogp };
      for (const token of likeliest(logp, options.isSuppressed)) {
        const tokenLogp = logp[token] ?? -Infinity;
        candidates.push({ before, row, token, tokenLogp, score: before.score + tokenLogp });
      }
    });
    hypotheses = bestOf(candidates, best.score, options);
  }
  return best;
}

/**
 * Extends candidates, the most promising first, until no other can be among the best. Of texts that
 * differ in their marks only one goes on, so that the others are other words.
 */
function bestOf(candidates: Candidate[], completeScore: number, options: ReadOptions): Hypothesis[] {
  let kept: Hypothesis[] = [];
  for (const candidate of candidates.sort((a, b) => b.score - a.score)) {
    const least = Math.max(completeScore - MOST_GAIN, kept[BEAMS - 1]?.score ?? -Infinity);
    if (!(candidate.score + MOST_GAIN > least)) break;
    const extended = extend(candidate, options);
    if (extended === null || !(extended.score > least)) continue;
    const spoken = spokenOf(extended);
    const rival = kept.find((hypothesis) => spokenOf(hypothesis) === spoken);
    if (rival !== undefined && rival.score >= extended.score) continue;
    kept = [...kept.filter((hypothesis) => hypothesis !== rival), extended]
      .sort((a, b) => b.score - a.score)
      .slice(0, BEAMS);
  }
  return kept;
}

/** Identifies the words of a text, its last incomplete character included. */
const spokenOf = ({ text, rest }: Hypothesis): string => `${text.replace(MARKS, '')} ${rest.join(' ')}`;

function extend(candidate: Candidate, options: ReadOptions): Hypothesis | null {
  const { before, row, token, tokenLogp } = candidate;
  const { spelling, symbolBonus, vocabulary, frames } = options;
  const decoded = decodeTokens(before.rest, vocabulary.bytes(token));
  if (decoded === null) return null;
  let { text, prefix, score, unheard } = before;
  score += tokenLogp;
  const characters = [...before.characters];
  const probability = Math.exp(tokenLogp);
  for (const character of decoded.text) {
    const readings = spelling(character, text).map((reading) => ({
      reading,
      prefix: reading.columns.reduce((found, column) => extendPrefix(found, column, frames), prefix),
    }));
    const [best] = readings.sort((a, b) => b.prefix.logp - a.prefix.logp);
    if (best !== undefined) {
      score += CTC_WEIGHT * (best.prefix.logp - prefix.logp) + symbolBonus * best.reading.columns.length;
      prefix = best.prefix;
    }
    unheard = best === undefined ? unheard + 1 : 0;
    text += character;
    characters.push({ text: character, reading: best?.reading ?? null, probability });
  }
  if (unheard > MOST_UNHEARD || TOO_MANY_MARKS.test(text)) return null;
  const { rest } = decoded;
  return { token, row, characters, text, rest, prefix, score, unheard };
}

/** The tokens with the highest log-probabilities, unordered. */
function likeliest(logp: Float32Array, isSuppressed: (token: number) => boolean): number[] {
  const found: number[] = [];
  let least = -Infinity;
  for (let token = 0; token < logp.length; token++) {
    const value = logp[token] ?? -Infinity;
    if (!(value > least) || isSuppressed(token)) continue;
    found.push(token);
    if (found.length > TRIED_TOKENS) {
      found.sort((a, b) => (logp[b] ?? 0) - (logp[a] ?? 0));
      found.pop();
      least = logp[found.at(-1) ?? 0] ?? -Infinity;
    }
  }
  return found;
}
