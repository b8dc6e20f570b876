import type { ServerResponse } from 'node:http';
import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';
import {
  completionOf,
  failChat,
  isTransportMode,
  startChatServer,
  refuseChat,
  send,
  type ChatFlavour,
  type RunningServer,
  type ReceivedChat,
} from './openai/chat-protocol.ts';
import { countTokens, readQuestion, RIGHT_SUMMARIES, summarize, type ReadQuestion } from './summary-model.ts';
import { answerOf, type AnswerableQuestion, type SummaryMode } from './summary-answers.ts';
import { refuseLength } from './summary-refusals.ts';

export { SUMMARY_MODES, type SummaryMode } from './summary-answers.ts';

/** A question as the stand-in received it. */
export type SummaryQuestion = ReceivedChat &
  ReadQuestion & {
    system: string;
    user: string;
    /** By the stand-in's own count: messages, schema and what a template writes around them. */
    promptTokens: number;
    /** The room that was asked for; null: none was named. */
    answerTokens: number | null;
  };

type Behaviour = SummaryMode | ((question: SummaryQuestion, index: number) => SummaryMode);

export type SummaryServer = RunningServer & {
  requests: SummaryQuestion[];
  behave(behaviour: Behaviour): void;
  flavour(flavour: ChatFlavour): void;
  /** The model's window; null: without end. Questions that do not fit with their answers are refused as `by` would. */
  contextTokens(most: number | null, by?: string): void;
  /** Whether it makes its faults once more when it is to mend them. */
  stubborn(isStubborn: boolean): void;
  /** Answers wait until they are released. */
  hold(): void;
  release(): void;
  /** Questions that are being answered, and the most that ever were at a time since `forget`. */
  busy(): number;
  mostBusy(): number;
  /** As it was at the start: requests, modes, limits. */
  reset(): void;
};

/** Stands in for a server with POST /v1/chat/completions and a language model behind it that summarizes; port 0 is any that is free. */
export async function startSummaryServer(key: string | null = null, atPort = 0): Promise<SummaryServer> {
  const requests: SummaryQuestion[] = [];
  const start = {
    behaviour: 'summarizes' as Behaviour,
    flavour: 'openai' as ChatFlavour,
    most: null as number | null,
    refusedBy: 'openai',
    isStubborn: false,
    mostBusy: 0,
  };
  const state = { ...start, busy: 0 };
  /** What would have been right last, so that a draft with a fault can be mended. */
  const said = new Map<SummaryLanguage, string>();
  let gate = Promise.withResolvers<void>();
  gate.resolve();

  const listening = await startChatServer(async (received, response) => {
    const question = understand(received);
    const index = requests.push(question) - 1;
    state.busy += 1;
    state.mostBusy = Math.max(state.mostBusy, state.busy);
    response.on('close', () => (state.busy -= 1));
    await gate.promise;
    const refusal = refuseChat(received, key, state.flavour) ?? refuseLength(question, state);
    if (refusal !== null) return send(response, refusal.status, refusal.body);
    const mode = typeof state.behaviour === 'function' ? state.behaviour(question, index) : state.behaviour;
    const isMended = question.kind === 'notes' || (question.kind === 'rewrite' && !state.isStubborn);
    const right =
      question.kind === 'rewrite'
        ? (said.get(question.language) ?? RIGHT_SUMMARIES[question.language])
        : summarize(question, 3 * (question.answerTokens ?? 1_000));
    if (question.kind !== 'rewrite') said.set(question.language, right);
    await react(response, isMended && mode.startsWith('wrong-') ? 'summarizes' : mode, { ...question, right });
  }, atPort);
  return {
    ...listening,
    requests,
    behave: (behaviour) => void (state.behaviour = behaviour),
    flavour: (flavour) => void (state.flavour = flavour),
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
      said.clear();
      Object.assign(state, start);
    },
  };
}

/** Around each message, and before the answer. */
const TEMPLATE_TOKENS = 8;

function understand(received: ReceivedChat): SummaryQuestion {
  const { messages, response_format: format, max_tokens: one, max_completion_tokens: other } = received.body;
  const said = (messages as { role: string; content: string }[]).map(({ role, content }) => [role, content] as const);
  const system = new Map(said).get('system') ?? '';
  const user = new Map(said).get('user') ?? '';
  const written = said.reduce((sum, [, content]) => sum + countTokens(content) + TEMPLATE_TOKENS, TEMPLATE_TOKENS);
  const room = one ?? other;
  return {
    ...received,
    ...readQuestion(system, user),
    system,
    user,
    promptTokens: written + (format === undefined ? 0 : countTokens(JSON.stringify(format))),
    answerTokens: typeof room === 'number' ? room : null,
  };
}

async function react(response: ServerResponse, mode: SummaryMode, question: AnswerableQuestion): Promise<void> {
  if (isTransportMode(mode)) return failChat(response, mode);
  if (mode === 'no-completion') return send(response, 200, '{"status":"ok"}');
  const { message, finishReason } = answerOf(mode, question);
  return send(response, 200, completionOf(message, finishReason));
}
