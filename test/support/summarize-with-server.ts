import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { Summarizer, SummaryRequest } from '@jyutsing/contracts/summarizer';
import { engine } from '#packages/engines/openai-compatible/summarizer.ts';
import type { SummaryServer } from './summary-server.ts';

export const LLM_KEY = 'sk-secret-of-the-operator';

/** Engine environment that points to this server. */
export function envFor(server: SummaryServer, settings: Record<string, string> = {}): EngineEnv {
  return {
    builtinModelsDir: '/nowhere',
    modelsDir: '/nowhere',
    settings: { LLM_BASE_URL: server.baseUrl, LLM_API_KEY: LLM_KEY, LLM_MODEL: 'qwen3:8b', ...settings },
  };
}

export type SummarizeOptions = { settings?: Record<string, string>; signal?: AbortSignal };

/** Opens the engine, runs `work` with it, and closes it. */
export async function withSummarizer<Value>(
  server: SummaryServer,
  settings: Record<string, string>,
  work: (summarizer: Summarizer) => Promise<Value>,
): Promise<Value> {
  const summarizer = await engine.open(envFor(server, settings), 'openai-compatible');
  try {
    return await work(summarizer);
  } finally {
    await summarizer.close();
  }
}

/** Summarizes a transcript, in English by default. */
export function summarizeWith(
  server: SummaryServer,
  request: Partial<SummaryRequest> & { transcript: string },
  { settings = {}, signal = AbortSignal.timeout(60_000) }: SummarizeOptions = {},
): Promise<string> {
  return withSummarizer(server, settings, (summarizer) =>
    summarizer.summarize({ title: null, language: 'english', ...request }, signal),
  );
}

/** The error that the promise is rejected with; fails when it resolves. */
export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => expect.unreachable(`it gave ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
}

/** Polls until a condition holds; fails after five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let left = 500; !condition(); left -= 1) {
    expect(left).toBeGreaterThan(0);
    await sleep(10);
  }
}

/** `count` distinct words in sentences of twelve words, three sentences per line. */
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
