import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { Summarizer, SummaryRequest } from '@jyutsing/contracts/summarizer';
import { engine } from '#packages/engines/openai-compatible/summarizer.ts';
import type { SummaryServer } from './summary-server.ts';

export const LLM_KEY = 'sk-secret-of-the-operator';

/** What the engine is given with this server as its language model. */
export function surroundingsOf(server: SummaryServer, settings: Record<string, string> = {}): EngineEnv {
  return {
    builtinModelsDir: '/nowhere',
    modelsDir: '/nowhere',
    settings: { LLM_BASE_URL: server.baseUrl, LLM_API_KEY: LLM_KEY, LLM_MODEL: 'qwen3:8b', ...settings },
  };
}

export type Summarizing = { settings?: Record<string, string>; signal?: AbortSignal };

/** Opens the engine, lets it do one thing, closes it. */
export async function withSummarizer<Value>(
  server: SummaryServer,
  settings: Record<string, string>,
  work: (summarizer: Summarizer) => Promise<Value>,
): Promise<Value> {
  const summarizer = await engine.open(surroundingsOf(server, settings), 'openai-compatible');
  try {
    return await work(summarizer);
  } finally {
    await summarizer.close();
  }
}

/** A summary of one transcript, in English where nothing else is asked for. */
export function summarizeWith(
  server: SummaryServer,
  request: Partial<SummaryRequest> & { transcript: string },
  { settings = {}, signal = AbortSignal.timeout(60_000) }: Summarizing = {},
): Promise<string> {
  return withSummarizer(server, settings, (summarizer) =>
    summarizer.summarize({ title: null, language: 'english', ...request }, signal),
  );
}

/** What was thrown; fails when nothing was. */
export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => expect.unreachable(`it gave ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
}

/** Waits for a state that comes soon. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let left = 500; !isSo(); left -= 1) {
    expect(left).toBeGreaterThan(0);
    await sleep(10);
  }
}

/** So many different words of letters, in sentences of twelve, some to a row, as captions have them. */
export function spokenWords(count: number): { words: string[]; transcript: string } {
  const words = Array.from({ length: count }, (_, index) => nameOf(index + 2_000));
  const sentences = Array.from(
    { length: Math.ceil(count / 12) },
    (_, at) => `The ${words.slice(12 * at, 12 * at + 12).join(' ')}.`,
  );
  return {
    words,
    transcript: sentences.reduce((text, sentence, at) => `${text}${at % 3 === 0 ? '\n' : ' '}${sentence}`, '').trim(),
  };
}

function nameOf(number: number): string {
  let name = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / 20)) name += 'bcdfghklmnprstvwaeiou'[rest % 20] ?? '';
  return name;
}
