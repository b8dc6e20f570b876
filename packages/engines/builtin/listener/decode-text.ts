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
  attentionLogp: number;
  /** Characters in a row that the head does not hear. */
  unheard: number;
};

/** A hypothesis with one more token, before the CTC head is asked. */
type Candidate = Pick<Hypothesis, 'row' | 'token' | 'attentionLogp'> & {
  before: Hypothesis;
  /** The score, which the CTC head can only lower. */
  limit: number;
};

export type ReadOptions = {
  /** Tokens before the text: language, task and, for a style, a text that seems to come before. */
  prompt: readonly number[];
  frames: CtcFrames;
  frameMs: number;
  spelling: Spelling;
  vocabulary: Vocabulary;
  /** Tokens that are never read. */
  isSuppressed: (token: number) => boolean;
};

/** Hypotheses that go on at a time, and tokens tried for each. */
const BEAMS = 3;
const TRIED_TOKENS = 10;
/** Weight of the CTC score beside that of the decoder. */
const CTC_WEIGHT = 0.15;
/** Longest run of characters that are not heard: a mark, quotes, a word of another script. */
const MOST_UNHEARD = 24;
const TOKENS_PER_SECOND = 12;
const SPARE_TOKENS = 8;

const scoreOf = (
  { attentionLogp, prefix }: Pick<Hypothesis, 'attentionLogp' | 'prefix'>,
  ctcLogp = prefix.logp,
): number => attentionLogp + CTC_WEIGHT * ctcLogp;

/**
 * Reads text from encoded sound: a beam search in which each hypothesis is scored by the decoder
 * and by what the CTC head heard (joint CTC/attention decoding: Watanabe et al. 2017). So it does
 * not repeat itself or go on after the sound has ended. Both scores only fall as a text grows, so
 * the search ends when the best complete text is ahead of all others.
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
      attentionLogp: 0,
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
      const ending = { ...before, attentionLogp: before.attentionLogp + (logp[end] ?? -Infinity) };
      const ctcLogp = completeLogp(before.prefix);
      const score = scoreOf(ending, ctcLogp);
      if (before.rest.length === 0 && score > best.score) best = { score, characters: before.characters, ctcLogp };
      for (const token of likeliest(logp, options.isSuppressed)) {
        const attentionLogp = before.attentionLogp + (logp[token] ?? -Infinity);
        candidates.push({ before, row, token, attentionLogp, limit: scoreOf({ ...before, attentionLogp }) });
      }
    });
    hypotheses = bestOf(candidates, best.score, options);
  }
  return best;
}

/** Extends candidates, the most promising first, until no other can be among the best. */
function bestOf(candidates: Candidate[], completeScore: number, options: ReadOptions): Hypothesis[] {
  const kept: Hypothesis[] = [];
  for (const candidate of candidates.sort((a, b) => b.limit - a.limit)) {
    const last = kept[BEAMS - 1];
    const least = last === undefined ? completeScore : Math.max(completeScore, scoreOf(last));
    if (!(candidate.limit > least)) break;
    const extended = extend(candidate, options);
    if (extended === null || !(scoreOf(extended) > least)) continue;
    kept.push(extended);
    kept.sort((a, b) => scoreOf(b) - scoreOf(a));
    kept.length = Math.min(kept.length, BEAMS);
  }
  return kept;
}

function extend(candidate: Candidate, { spelling, vocabulary, frames }: ReadOptions): Hypothesis | null {
  const { before, row, token, attentionLogp } = candidate;
  const decoded = decodeTokens(before.rest, vocabulary.bytes(token));
  if (decoded === null) return null;
  let { text, prefix, unheard } = before;
  const characters = [...before.characters];
  const probability = Math.exp(attentionLogp - before.attentionLogp);
  for (const character of decoded.text) {
    const readings = spelling(character, text).map((reading) => ({
      reading,
      prefix: reading.columns.reduce((found, column) => extendPrefix(found, column, frames), prefix),
    }));
    const [best] = readings.sort((a, b) => b.prefix.logp - a.prefix.logp);
    prefix = best?.prefix ?? prefix;
    unheard = best === undefined ? unheard + 1 : 0;
    text += character;
    characters.push({ text: character, reading: best?.reading ?? null, probability });
  }
  if (unheard > MOST_UNHEARD) return null;
  return { token, row, characters, text, rest: decoded.rest, prefix, attentionLogp, unheard };
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
