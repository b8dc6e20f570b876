// A stand-in for a server with a language model that is asked about transcripts.
import { setTimeout as sleep } from 'node:timers/promises';
import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import { completionOf, send, startChatServer, type ReceivedChat, type RunningServer } from './openai/chat-protocol.ts';
import { refuseLength } from './summary-refusals.ts';
import { countTokens } from './summary-model.ts';

/** How the model answers. */
export type AfterMode =
  | 'right'
  | 'skips'
  | 'repeats'
  | 'merges'
  | 'invents'
  | 'untranslated'
  | 'shortens'
  | 'thinks'
  | 'fenced'
  | 'thinks-only'
  | 'refuses'
  | 'apologizes'
  | 'broken';

type Segment = { id: number; text: string };
type Data = { segments: Segment[]; question?: string };

type Behavior = AfterMode | ((index: number, data: Data) => AfterMode);

export type AfterServer = RunningServer & {
  /** The segments of each question. */
  questions: Data[];
  /** By the number of the question, from 0. */
  behave(mode: Behavior): void;
  /** Sets the window of the model; null: unlimited. */
  contextTokens(most: number | null): void;
  delayMs(delay: number): void;
};

/** The translation that the model gives: another text for every other text, in Latin letters. */
export function translated(text: string): string {
  const syllables = textToJyutping(text).map(({ char, jyutping }) => jyutping ?? char);
  return `It says ${syllables.join(' ')}`.replaceAll(/\s+/g, ' ').trim();
}

export async function startAfterServer(): Promise<AfterServer> {
  const questions: Data[] = [];
  let behavior: Behavior = 'right';
  let most: number | null = null;
  let delayMs = 0;
  const listening = await startChatServer(async (received, response) => {
    const { data, tokens } = read(received);
    const index = questions.push(data) - 1;
    if (delayMs > 0) await sleep(delayMs);
    const refusal = refuseLength(
      { promptTokens: tokens, answerTokens: Number(received.body['max_tokens'] ?? 0) } as never,
      { most, refusedBy: 'openai' } as never,
    );
    if (refusal !== null) return send(response, refusal.status, refusal.body);
    const mode = typeof behavior === 'function' ? behavior(index, data) : behavior;
    const { message, finishReason } = answerOf(mode, data);
    return send(response, 200, completionOf(message, { finishReason, promptTokens: tokens }));
  }, 0);
  return {
    ...listening,
    questions,
    behave: (mode) => void (behavior = mode),
    contextTokens: (tokens) => void (most = tokens),
    delayMs: (delay) => void (delayMs = delay),
  };
}

function read({ body }: ReceivedChat): { data: Data; tokens: number } {
  const messages = body['messages'] as { role: string; content: string }[];
  const tokens = messages.reduce((sum, { content }) => sum + countTokens(content) + 8, 8);
  return { data: JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '{}') as Data, tokens };
}

function answerOf(mode: AfterMode, data: Data): { message: Record<string, unknown>; finishReason?: string } {
  const isAbout = data.segments.some((segment) => 'speaker' in segment) || 'title' in data;
  const value = isAbout ? { statements: statementsOf(mode, data) } : { translations: translationsOf(mode, data) };
  const json = JSON.stringify(value);
  switch (mode) {
    case 'thinks':
      return { message: { content: `<think>Let me see. {"translations": []} is wrong.</think>\n${json}` } };
    case 'fenced':
      return { message: { content: `Sure! Here it is:\n\`\`\`json\n${json}\n\`\`\`\nAnything else?` } };
    case 'thinks-only':
      return { message: { content: '', reasoning: 'Okay, the user wants' }, finishReason: 'length' };
    case 'refuses':
      return { message: { content: '' }, finishReason: 'content_filter' };
    case 'apologizes':
      return { message: { content: "I'm sorry, but I cannot help with that." } };
    case 'broken':
      return { message: { content: json.slice(0, json.length / 2) }, finishReason: 'length' };
    default:
      return { message: { content: json } };
  }
}

function translationsOf(mode: AfterMode, { segments }: Data): { id: number; text: string }[] {
  const right = segments.map(({ id, text }) => ({ id, text: translated(text) }));
  switch (mode) {
    case 'skips':
      return right.length === 1 ? right : right.filter((_, index) => index % 3 !== 1);
    case 'repeats':
      return right.map(({ id }, index) => ({ id, text: right[index - (index % 3 === 1 ? 1 : 0)]!.text }));
    case 'merges':
      if (right.length === 1) return right;
      return right
        .map(({ id, text }, index) =>
          index % 3 === 0 ? { id, text: `${text} ${right[index + 1]?.text ?? ''}`.trim() } : { id, text },
        )
        .filter((_, index) => index % 3 !== 1);
    case 'invents':
      return [
        ...right.map(({ id, text }, index) =>
          right.length > 1 && index === 0
            ? { id, text: `${text}. ${'Moreover, experts agree with all of this. '.repeat(20)}` }
            : { id, text },
        ),
        { id: 9_999, text: 'An invented segment.' },
      ];
    case 'shortens':
      if (right.length === 1) return right;
      return segments.map(({ id, text }, index) => ({ id, text: ['…', 'Ok', translated(text)][index % 3]! }));
    case 'untranslated':
      return segments.map(({ id, text }) => ({ id, text }));
    default:
      return right;
  }
}

function statementsOf(mode: AfterMode, { segments, question }: Data) {
  if (question !== undefined) {
    const found = segments.filter(({ text }) => question.includes(text.slice(0, 2)));
    return found.map(({ id, text }) => ({ text, role: 'point', sources: [id] }));
  }
  const right = segments
    .filter((_, index) => index % 4 === 0)
    .map(({ id, text }) => ({ text: `佢哋講到${text}`, role: 'point', sources: [id] }));
  if (mode !== 'invents') return right;
  const id = segments[0]?.id ?? 1;
  return [
    { text: '會議決定賠償 4800 萬元。', role: 'decision', sources: [id] },
    { text: '外星人將會喺火星舉行記者招待會並且派發糖果。', role: 'point', sources: [id] },
    { text: '冇出處嘅句子。', role: 'point', sources: [] },
    { text: '出處唔存在。', role: 'point', sources: [99_999] },
    ...right,
  ];
}
