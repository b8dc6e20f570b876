import type { ServerResponse } from 'node:http';
import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';
import {
  completionOf,
  failChat,
  isTransportMode,
  startChatServer,
  refuseChat,
  send,
  type ChatProduct,
  type RunningServer,
  type ReceivedChat,
} from './openai/chat-protocol.ts';
import { countTokens, readQuestion, RIGHT_SUMMARIES, summarize, type ReadQuestion } from './summary-model.ts';
import { answerOf, type AnswerableQuestion, type SummaryMode } from './summary-answers.ts';
import { refuseLength } from './summary-refusals.ts';

export { SUMMARY_MODES, type SummaryMode } from './summary-answers.ts';

/** A question as received. */
export type SummaryQuestion = ReceivedChat &
  ReadQuestion & {
    system: string;
    user: string;
    /** Counted by `countTokens`: messages, schema and chat template. */
    promptTokens: number;
    /** The requested token limit of the answer; null when there is none. */
    answerTokens: number | null;
  };

type Behavior = SummaryMode | ((question: SummaryQuestion, index: number) => SummaryMode);

export type SummaryServer = RunningServer & {
  requests: SummaryQuestion[];
  behave(behavior: Behavior): void;
  imitate(product: ChatProduct): void;
  /**
   * Sets the context window; null: unlimited. Longer requests are refused in the format of `by`.
   */
  contextTokens(most: number | null, by?: string): void;
  /** Sets whether rewrites repeat the defect. */
  stubborn(isStubborn: boolean): void;
  /** Holds answers until `release` is called. */
  hold(): void;
  release(): void;
  /** Requests in progress, and their maximum since `reset`. */
  busy(): number;
  mostBusy(): number;
  /** Restores the initial requests, modes and limits. */
  reset(): void;
};

/** Fakes POST /v1/chat/completions of a summarizing language model; port 0 is any free one. */
export async function startSummaryServer(key: string | null = null, atPort = 0): Promise<SummaryServer> {
  const requests: SummaryQuestion[] = [];
  const start = {
    behavior: 'summarizes' as Behavior,
    product: 'llama' as ChatProduct,
    most: null as number | null,
    refusedBy: 'openai',
    isStubborn: false,
    mostBusy: 0,
  };
  const state = { ...start, busy: 0 };
  /** The last right summary of each language, for rewrites of drafts with a defect. */
  const lastRight = new Map<SummaryLanguage, string>();
  let gate = Promise.withResolvers<void>();
  gate.resolve();

  const listening = await startChatServer(async (received, response) => {
    const question = parseQuestion(received);
    const index = requests.push(question) - 1;
    state.busy += 1;
    state.mostBusy = Math.max(state.mostBusy, state.busy);
    response.on('close', () => (state.busy -= 1));
    await gate.promise;
    const refusal =
      refuseChat(received, key, state.product) ?? (state.product === 'ollama' ? null : refuseLength(question, state));
    if (refusal !== null) return send(response, refusal.status, refusal.body);
    const mode = typeof state.behavior === 'function' ? state.behavior(question, index) : state.behavior;
    const isRepaired = question.kind === 'notes' || (question.kind === 'rewrite' && !state.isStubborn);
    const right =
      question.kind === 'rewrite'
        ? (lastRight.get(question.language) ?? RIGHT_SUMMARIES[question.language])
        : summarize(question, 3 * (question.answerTokens ?? 1_000));
    if (question.kind !== 'rewrite') lastRight.set(question.language, right);
    if (state.product === 'ollama') return answerAsOllama(response, question, right, state.most ?? Infinity);
    await react(response, isRepaired && mode.startsWith('wrong-') ? 'summarizes' : mode, { ...question, right });
  }, atPort);
  return {
    ...listening,
    requests,
    behave: (behavior) => void (state.behavior = behavior),
    imitate: (product) => void (state.product = product),
    contextTokens(most, by = 'openai') {
      state.most = most;
      state.refusedBy = by;
    },
    stubborn: (isStubborn) => void (state.isStubborn = isStubborn),
    hold: () => void (gate = Promise.withResolvers()),
    release: () => gate.resolve(),
    busy: () => state.busy,
    mostBusy: () => state.mostBusy,
    reset() {
      gate.resolve();
      requests.length = 0;
      lastRight.clear();
      Object.assign(state, start);
    },
  };
}

/** Tokens of the chat template around each message and before the answer. */
const TEMPLATE_TOKENS = 8;

function parseQuestion(received: ReceivedChat): SummaryQuestion {
  const { messages, response_format: format, max_tokens: one, max_completion_tokens: other } = received.body;
  const contents = (messages as { role: string; content: string }[]).map(
    ({ role, content }) => [role, content] as const,
  );
  const system = new Map(contents).get('system') ?? '';
  const user = new Map(contents).get('user') ?? '';
  const messageTokens = contents.reduce(
    (sum, [, content]) => sum + countTokens(content) + TEMPLATE_TOKENS,
    TEMPLATE_TOKENS,
  );
  const limit = one ?? other;
  return {
    ...received,
    ...readQuestion(system, user),
    system,
    user,
    promptTokens: messageTokens + (format === undefined ? 0 : countTokens(JSON.stringify(format))),
    answerTokens: typeof limit === 'number' ? limit : null,
  };
}

async function react(response: ServerResponse, mode: SummaryMode, question: AnswerableQuestion): Promise<void> {
  if (isTransportMode(mode)) return failChat(response, mode);
  if (mode === 'no-completion') return send(response, 200, '{"status":"ok"}');
  const { message, finishReason } = answerOf(mode, question);
  return send(response, 200, completionOf(message, { finishReason, promptTokens: question.promptTokens }));
}

/** Tokens of Qwen3's reasoning about a summary. */
const REASONING_TOKENS = 4_000;

/**
 * Answers as Ollama does with a reasoning model: it thinks unless told otherwise, within the tokens
 * of the answer, and cuts a question longer than its window without an error.
 */
function answerAsOllama(response: ServerResponse, question: SummaryQuestion, right: string, window: number): void {
  const promptTokens = Math.min(question.promptTokens, window);
  const isReasoning = question.body['reasoning_effort'] !== 'none';
  if (isReasoning && (question.answerTokens ?? Infinity) <= REASONING_TOKENS) {
    const message = { content: '', reasoning: 'Okay, the user wants a summary. First, let me' };
    return send(response, 200, completionOf(message, { finishReason: 'length', promptTokens }));
  }
  const content = JSON.stringify({ summary: question.promptTokens > window ? 'About the end of it only.' : right });
  return send(response, 200, completionOf({ content }, { promptTokens }));
}
