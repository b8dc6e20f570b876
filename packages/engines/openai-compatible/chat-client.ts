import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { ChatSettings } from './chat-settings.ts';
import { statusFailure, type ServerRole } from './failures.ts';
import { parseJson, post, type Reply } from './post.ts';
import { estimateTokens } from './summary-tokens.ts';

/**
 * A question with instructions separate from data, and the JSON schema of the answer for servers
 * that enforce one.
 */
export type ChatQuestion = {
  system: string;
  user: string;
  schema: { name: string; schema: object };
  /** Token limit of the answer, including reasoning. */
  maxTokens: number;
};

/**
 * The text of the model as returned, possibly empty; the schema is not guaranteed. Endings:
 * `cut-off` when the token limit was reached, `withheld` when the answer was refused or filtered,
 * `too-long` when the question exceeds the model's window, so there is no text, or one about a part
 * of the question.
 */
type ChatAnswer = { written: string; ending: 'whole' | 'cut-off' | 'withheld' | 'too-long' };

export type ChatClient = {
  /**
   * Sends a question once, but again in another form after the server refused a field, which is
   * remembered. Throws as described in `failures.ts`, `engine_failed` for an invalid completion, or
   * the signal's reason at once.
   */
  ask(question: ChatQuestion, signal: AbortSignal): Promise<ChatAnswer>;
};

/** The wording of failures, and the timeout of an answer; null to wait until the signal aborts. */
type ChatPurpose = { role: ServerRole; timeoutMs: number | null };

/**
 * Limit of the response body in bytes: an answer of some hundred lines has 20 KB, reasoning may be
 * ten times as long.
 */
const MAX_ANSWER_BYTES = 1_024 * 1_024;

const FORMATS = ['json_schema', 'json_object', 'none'] as const;
/** How much the model may think, the least first; the last one does not ask for anything. */
const EFFORTS = ['none', 'minimal', 'low', null] as const;
const LENGTHS = ['max_tokens', 'max_completion_tokens', 'none'] as const;

/**
 * The optional fields of a request, each of which some server or model refuses; `format`, `length`
 * and `effort` are indices into the lists above.
 */
type RequestForm = {
  format: number;
  length: number;
  hasTemperature: boolean;
  /** `reasoning_effort`, which Ollama, OpenAI and others know. */
  effort: number;
  /** True to send `chat_template_kwargs`, which vLLM, SGLang and llama.cpp know. */
  hasTemplate: boolean;
};
const SIMPLEST: RequestForm = {
  format: FORMATS.length - 1,
  length: LENGTHS.length - 1,
  hasTemperature: false,
  effort: EFFORTS.length - 1,
  hasTemplate: false,
};

/** Creates a client of one server. Refusals are remembered as long as the client lives. */
export function createChatClient(settings: ChatSettings, purpose: ChatPurpose): ChatClient {
  const asksNotToReason = !settings.mayReason;
  let knownForm: RequestForm = {
    format: 0,
    length: 0,
    hasTemperature: true,
    effort: asksNotToReason ? 0 : SIMPLEST.effort,
    hasTemplate: asksNotToReason,
  };
  return {
    async ask(question, signal) {
      let form: RequestForm | null = knownForm;
      while (form !== null) {
        const reply = await send({ settings, purpose, question, form }, signal);
        if (reply.status === 200) {
          const answer = parseCompletion(reply.body, question, purpose.role);
          // Learn only from successes. Questions run concurrently, and a step is never undone.
          knownForm = simpler(knownForm, form);
          return answer;
        }
        if (isTooLong(reply)) return { written: '', ending: 'too-long' };
        const next = nextForm(reply, form);
        if (next === null) throw statusFailure(purpose.role, reply.status, reply.retryAfter);
        form = next;
      }
      throw new AppError('engine_failed', purpose.role.failed);
    },
  };
}

type ChatCall = { settings: ChatSettings; purpose: ChatPurpose; question: ChatQuestion; form: RequestForm };

function send({ settings, purpose, question, form }: ChatCall, signal: AbortSignal): Promise<Reply> {
  const { baseUrl, apiKey, model } = settings;
  const format = FORMATS[form.format] ?? 'none';
  const length = LENGTHS[form.length] ?? 'none';
  const effort = EFFORTS[form.effort] ?? null;
  const body = JSON.stringify({
    model,
    messages: [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ],
    stream: false,
    ...(form.hasTemperature ? { temperature: 0 } : {}),
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...(form.hasTemplate ? { chat_template_kwargs: { enable_thinking: false } } : {}),
    ...(length === 'none' ? {} : { [length]: question.maxTokens }),
    ...(format === 'json_schema'
      ? { response_format: { type: format, json_schema: { ...question.schema, strict: true } } }
      : {}),
    ...(format === 'json_object' ? { response_format: { type: format } } : {}),
  });
  const options = { ...purpose, apiKey, maxAnswerBytes: MAX_ANSWER_BYTES };
  return post(`${baseUrl}/chat/completions`, body, options, signal);
}

function simpler(first: RequestForm, second: RequestForm): RequestForm {
  return {
    format: Math.max(first.format, second.format),
    length: Math.max(first.length, second.length),
    hasTemperature: first.hasTemperature && second.hasTemperature,
    effort: Math.max(first.effort, second.effort),
    hasTemplate: first.hasTemplate && second.hasTemplate,
  };
}

/**
 * Matches messages for a question longer than the model's window, of OpenAI and compatible servers,
 * vLLM, llama.cpp, LM Studio, SGLang, TGI, Mistral, Gemini and Anthropic. Many mention max_tokens,
 * which is not the cause.
 */
const TOO_LONG = new RegExp(
  [
    'context_length_exceeded|exceed_context_size',
    "(?:maximum|max|model'?s|available|loaded with) (?:context|model|sequence) (?:length|size|window)",
    'exceeds? (?:the )?(?:available |maximum )?context|context (?:length|size|window) exceeded',
    'reduce the length of the (?:messages|prompt|input)|(?:prompt|input)(?: is| are)? too (?:long|large)',
    'inputs?` tokens \\+ `max_new_tokens|input token count',
  ].join('|'),
  'i',
);

function isTooLong({ status, body }: Reply): boolean {
  // With 413, a proxy has its own limit. Some servers report the error as 500.
  if (status === 413) return true;
  return (status === 400 || status === 422 || status === 500) && TOO_LONG.test(body);
}

/**
 * Returns the next form after a refusal; null when the request is not the cause, or no other form
 * is left.
 */
function nextForm({ status, body }: Reply, form: RequestForm): RequestForm | null {
  // Some servers report unknown fields as 500.
  if (status !== 400 && status !== 422 && status !== 500) return null;
  if (/chat_template|enable_thinking/i.test(body) && form.hasTemplate) return { ...form, hasTemplate: false };
  if (/reasoning|thinking/i.test(body) && form.effort < SIMPLEST.effort) {
    return { ...form, effort: nextEffort(body, form.effort) };
  }
  if (/response_format|json_schema|json_object|grammar|guided/i.test(body) && form.format < SIMPLEST.format) {
    return { ...form, format: form.format + 1 };
  }
  if (/max_(completion_)?tokens/i.test(body) && form.length < SIMPLEST.length)
    return { ...form, length: form.length + 1 };
  if (/temperature/i.test(body) && form.hasTemperature) return { ...form, hasTemperature: false };
  if (status === 500) return null;
  // The message names no field, so the newest fields are dropped first, which most servers do not
  // know.
  if (form.effort < SIMPLEST.effort || form.hasTemplate) {
    return { ...form, effort: SIMPLEST.effort, hasTemplate: false };
  }
  const isSimplest = form.format === SIMPLEST.format && form.length === SIMPLEST.length && !form.hasTemperature;
  return isSimplest ? null : SIMPLEST;
}

/** Matches a refusal of the whole field, not of its value. */
const UNKNOWN_FIELD = /unknown|unrecogni[sz]ed|unexpected|extra|not (?:permitted|allowed|supported with)|no such/i;

/**
 * The next smaller wish that a model may accept: newer ones refuse `none` and take `minimal` or
 * `low`. A refusal that lists values decides; one of the field itself ends the wishes.
 */
function nextEffort(body: string, effort: number): number {
  const rest = EFFORTS.slice(effort + 1, -1);
  const listed = rest.findIndex((value) => value !== null && new RegExp(`\\b${value}\\b`, 'i').test(body));
  if (listed >= 0) return effort + 1 + listed;
  return UNKNOWN_FIELD.test(body) || rest.length === 0 ? SIMPLEST.effort : effort + 1;
}

const Part = z.object({ text: z.string() });
const Message = z.object({ content: z.union([z.string(), z.array(z.unknown())]).nullish() });
const Completion = z.object({
  choices: z.array(z.object({ message: Message, finish_reason: z.string().nullish().catch(null) })).min(1),
  usage: z
    .object({ prompt_tokens: z.number().catch(0) })
    .nullish()
    .catch(null),
});

const ENDINGS: Readonly<Record<string, ChatAnswer['ending']>> = {
  length: 'cut-off',
  max_tokens: 'cut-off',
  content_filter: 'withheld',
};

function parseCompletion(body: string, question: ChatQuestion, role: ServerRole): ChatAnswer {
  const completion = Completion.safeParse(parseJson(body)).data;
  if (isCutByServer(question, completion?.usage?.prompt_tokens ?? 0)) return { written: '', ending: 'too-long' };
  const choice = completion?.choices[0];
  if (choice === undefined) {
    throw new AppError('engine_failed', role.wrongAnswer, {
      cause: `the body of ${body.length} characters holds no message`,
    });
  }
  const { content } = choice.message;
  const written = Array.isArray(content)
    ? content.map((part) => Part.safeParse(part).data?.text ?? '').join('')
    : (content ?? '');
  const ending = ENDINGS[choice.finish_reason ?? ''] ?? 'whole';
  // An empty answer below the token limit is a refusal, or a call of a tool that was not offered.
  return { written, ending: ending === 'whole' && written.trim() === '' ? 'withheld' : ending };
}

/** Windows of models, and those that servers use by default, are multiples of this. */
const WINDOW_STEP_TOKENS = 1_024;
/** Largest number of characters per token of any tokenizer in the text of a question. */
const MOST_CHARACTERS_PER_TOKEN = 8;

/**
 * Returns true if the server read only a part of the question, by the tokens that it counted (0
 * when it does not say). Ollama cuts a question that is longer than its window to exactly the
 * window, without an error: 4,096 tokens unless its memory allows more.
 */
function isCutByServer({ system, user }: ChatQuestion, promptTokens: number): boolean {
  if (promptTokens <= 0) return false;
  if (system.length + user.length > MOST_CHARACTERS_PER_TOKEN * promptTokens) return true;
  const isWholeWindow = promptTokens % WINDOW_STEP_TOKENS === 0;
  return isWholeWindow && estimateTokens(system) + estimateTokens(user) > promptTokens;
}
