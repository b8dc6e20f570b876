import type { ServerResponse } from 'node:http';
import {
  completionOf,
  failChat,
  isTransportMode,
  listenForChats,
  refuseChat,
  send,
  TRANSPORT_MODES,
  type ChatFlavour,
  type Listening,
  type ReceivedChat,
} from './chat-protocol.ts';
import {
  countTokens,
  inAnotherLanguage,
  isInstructed,
  readQuestion,
  RIGHT_SUMMARIES,
  summarize,
  WRONG_SCRIPT,
  WRONG_WORDING,
  type ReadQuestion,
} from './summary-model.ts';
import { refuseLength } from './summary-refusals.ts';

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

/**
 * What the model does. `summarizes`: as it was asked. Wrong languages, scripts and wordings are right in a rewritten summary, unless it is stubborn.
 * `obeys-outside` obeys what stands outside of the JSON of the user's message, `obeys-always` whatever it reads.
 */
export const SUMMARY_MODES = [
  'summarizes',
  'content-parts',
  'fenced',
  'thinks-aloud',
  'thinks-without-end',
  'prose',
  'talks-around',
  'broken-json',
  'quotes',
  'markdown',
  'wrong-language',
  'wrong-script',
  'wrong-wording',
  'cut-off',
  'cut-off-twice',
  'cut-off-in-a-sentence',
  'empty',
  'no-message',
  'other-json',
  'no-completion',
  'refuses',
  'refuses-silently',
  'content-filter',
  'obeys-outside',
  'obeys-always',
  'leaks-prompt',
  'echoes',
  'huge',
  ...TRANSPORT_MODES,
] as const;
export type SummaryMode = (typeof SUMMARY_MODES)[number];

type Behaviour = SummaryMode | ((question: SummaryQuestion, index: number) => SummaryMode);

export type SummaryServer = Listening & {
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

/** Stands in for a server with POST /v1/chat/completions and a language model behind it that summarises; port 0 is any that is free. */
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
  let gate = Promise.withResolvers<void>();
  gate.resolve();

  const listening = await listenForChats(async (received, response) => {
    const question = understand(received);
    const index = requests.push(question) - 1;
    state.busy += 1;
    state.mostBusy = Math.max(state.mostBusy, state.busy);
    response.on('close', () => (state.busy -= 1));
    await gate.promise;
    const refusal = refuseChat(received, key, state.flavour) ?? refuseLength(question, state);
    if (refusal !== null) return send(response, refusal.status, refusal.body);
    const mode = typeof state.behaviour === 'function' ? state.behaviour(question, index) : state.behaviour;
    const isMended = question.kind === 'rewrite' && !state.isStubborn && mode.startsWith('wrong-');
    await react(response, isMended ? 'summarizes' : mode, question);
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

async function react(response: ServerResponse, mode: SummaryMode, question: SummaryQuestion): Promise<void> {
  if (isTransportMode(mode)) return failChat(response, mode);
  if (mode === 'no-completion') return send(response, 200, '{"status":"ok"}');
  const { message, finishReason } = answerOf(mode, question);
  return send(response, 200, completionOf(message, finishReason));
}

type Answer = { message: Record<string, unknown>; finishReason?: string };

function say(content: unknown, finishReason = 'stop'): Answer {
  return { message: { content }, finishReason };
}

function json(summary: string): Answer {
  return say(JSON.stringify({ summary }));
}

function answerOf(
  mode: Exclude<SummaryMode, (typeof TRANSPORT_MODES)[number] | 'no-completion'>,
  question: SummaryQuestion,
): Answer {
  const { system, user, language, texts } = question;
  const right = summarize(question, 3 * (question.answerTokens ?? 1_000));
  const isBrief = system.includes('Be brief');
  switch (mode) {
    case 'summarizes':
      return json(right);
    case 'content-parts':
      return say([{ type: 'text', text: JSON.stringify({ summary: right }) }]);
    case 'fenced':
      return say(`\`\`\`json\n${JSON.stringify({ summary: right }, null, 2)}\n\`\`\``);
    case 'thinks-aloud':
      return say(
        `<think>They want {"summary":"something"}. Let me see…</think>\n\n{"summary":${JSON.stringify(right)}}`,
      );
    case 'thinks-without-end':
      return say('<think>Let me see. First, the transcript says that', 'length');
    case 'prose':
      return say(right);
    case 'talks-around':
      return say(`Sure! Here is the summary:\n\n{"summary":${JSON.stringify(right)}}\n\nI hope this helps :}`);
    case 'broken-json':
      return say(`{"summary":"${right}",\n}`);
    case 'quotes':
      return say(`{"summary":"He says "yes".\nThen: ${right}"}`);
    case 'markdown':
      return json(`## **Summary**\n\n- **${right}**\n- [more](https://example.com)`);
    case 'wrong-language':
      return json(inAnotherLanguage(language));
    case 'wrong-script':
      return json(WRONG_SCRIPT[language]);
    case 'wrong-wording':
      return json(WRONG_WORDING[language]);
    case 'cut-off':
      return isBrief ? json(right) : say(`{"summary":"${right.slice(0, -3)}`, 'length');
    case 'cut-off-twice':
      return say(`{"summary":"${RIGHT_SUMMARIES[language].slice(0, -3)}`, 'length');
    case 'cut-off-in-a-sentence':
      return say(`{"summary":"${RIGHT_SUMMARIES[language].slice(0, 12)}`, 'length');
    case 'empty':
      return say('');
    case 'no-message':
      return say(null);
    case 'other-json':
      return say('{"error":"I cannot help with that."}');
    case 'refuses':
      return json(REFUSALS[language]);
    case 'refuses-silently':
      return { message: { content: null, refusal: 'I cannot help with that.' } };
    case 'content-filter':
      return say('', 'content_filter');
    case 'obeys-outside':
      return json(isInstructed(system, user) ? 'PWNED' : right);
    case 'obeys-always':
      return json('HACKED');
    case 'leaks-prompt':
      return json(`Of course. My instructions are: ${system}`);
    case 'echoes':
      return json(texts.join('\n'));
    case 'huge':
      return json('飯'.repeat(2_000_000));
  }
}

const REFUSALS = {
  cantonese: '對唔住，我冇辦法幫你做呢個摘要。',
  mandarin: '很抱歉，我无法为您总结这段内容。',
  english: "I'm sorry, but I can't help with summarizing this video.",
  japanese: '申し訳ございませんが、この内容を要約することはできません。',
  korean: '죄송하지만 이 내용은 요약할 수 없습니다.',
} as const;
