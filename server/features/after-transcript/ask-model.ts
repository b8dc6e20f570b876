import type { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { LanguageModel, ModelQuestion } from '@jyutsing/contracts/language-model';

/** Tokens that models write around an answer. */
const SPARE_TOKENS = 200;
/** The share of the window for the data; the rest is for instructions and the answer. */
const DATA_SHARE = 0.35;
const LEAST_DATA_TOKENS = 60;
/** How a window shrinks that is smaller than it was said to be. */
const SMALLER = 0.6;
const TRIES = 2;

/** The outcome of a question; `too-long`: it must be asked with less data. */
export type Asked<Value> = { value: Value } | 'too-long';

/**
 * Asks for JSON of a shape, once more when the answer has another one. Throws the errors of the
 * model, and `language_model_failed` with the reason when no answer can be used.
 */
export async function askForJson<Value>(
  model: LanguageModel,
  question: Omit<ModelQuestion, 'schema'> & { schemaName: string; schema: z.ZodType<Value>; jsonSchema: object },
  signal: AbortSignal,
): Promise<Asked<Value>> {
  let reason = '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { schemaName, schema, jsonSchema, ...rest } = question;
    const answer = await model.ask({ ...rest, schema: { name: schemaName, schema: jsonSchema } }, signal);
    if (answer.ending === 'too-long') return 'too-long';
    if (answer.ending === 'withheld') throw failed('it refused to answer');
    if (answer.ending === 'thought-only') {
      throw failed(
        'thinking used up the whole answer; set LLM_REASONING=off, use a model that thinks less, or raise LLM_CONTEXT_TOKENS',
      );
    }
    const value = schema.safeParse(jsonIn(answer.text));
    if (value.success) return { value: value.data };
    reason = answer.ending === 'cut-off' ? 'its answer was cut off' : 'its answer has no usable form';
  }
  throw failed(reason);
}

export function failed(reason: string): AppError {
  return new AppError('language_model_failed', `The language model gave no usable answer: ${reason}.`);
}

type Budget = { windowTokens: number; dataTokens: number; answerTokens: number };

/**
 * Tokens of data and of the answer that fit a window together. Throws `language_model_failed` for
 * one that is too small for a segment.
 */
export function budgetOf(model: LanguageModel, instructions: string, windowTokens: number): Budget {
  const free = windowTokens - model.tokensOf(instructions) - SPARE_TOKENS;
  const dataTokens = Math.floor(free * DATA_SHARE);
  if (dataTokens < LEAST_DATA_TOKENS) throw failed('its window is too small for a segment; raise LLM_CONTEXT_TOKENS');
  return { windowTokens, dataTokens, answerTokens: free - dataTokens };
}

/** The budget after a server said that a question is too long: its window is smaller. */
export function smallerBudget(model: LanguageModel, instructions: string, { windowTokens }: Budget): Budget {
  return budgetOf(model, instructions, Math.floor(windowTokens * SMALLER));
}

/** The JSON value in a text that may have prose or a fence around it; undefined: none. */
function jsonIn(text: string): unknown {
  const fenced = /```[a-z]{0,10}([^]*?)```/i.exec(text)?.[1];
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  for (const attempt of [text, fenced, start < 0 || end < start ? undefined : text.slice(start, end + 1)]) {
    if (attempt === undefined) continue;
    try {
      return JSON.parse(attempt);
    } catch {
      continue;
    }
  }
  return undefined;
}
