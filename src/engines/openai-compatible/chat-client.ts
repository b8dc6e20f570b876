import { z } from 'zod';
import { AppError } from '#contracts/errors.ts';
import type { ChatSettings } from './chat-settings.ts';
import { LANGUAGE_MODEL_SERVER, statusFailure } from './failures.ts';
import { post, type Reply } from './post.ts';

/** What is asked: instructions and data apart, and the JSON schema that the answer shall follow where the server can see to it. */
export type ChatQuestion = {
  system: string;
  user: string;
  schema: { name: string; schema: object };
  /** The most that the model may write, its thoughts included where it thinks aloud. */
  maxTokens: number;
};

export type ChatClient = {
  /**
   * What the model wrote, as it wrote it: the schema is a wish. Asked once: only a refusal of the way of asking is followed by another
   * way, which is remembered. Throws AppError (failures.ts), `engine_failed` when nothing was written, or the signal's reason at once.
   */
  ask(question: ChatQuestion, signal: AbortSignal): Promise<string>;
};

/** An answer of some hundred lines has 20 KB; thoughts may be ten times as long. */
const MAX_ANSWER_BYTES = 1_024 * 1_024;

const FORMATS = ['json_schema', 'json_object', 'none'] as const;
const LENGTHS = ['max_tokens', 'max_completion_tokens', 'none'] as const;

/** A way to ask; the numbers are places in the lists above. Servers and models refuse what they do not know, each something else. */
type Way = { format: number; length: number; hasTemperature: boolean };
const PLAINEST: Way = { format: FORMATS.length - 1, length: LENGTHS.length - 1, hasTemperature: false };

/** A client of one server. What the server refused is remembered as long as the client lives. */
export function createChatClient(settings: ChatSettings): ChatClient {
  let known: Way = { format: 0, length: 0, hasTemperature: true };
  return {
    async ask(question, signal) {
      let way: Way | null = known;
      while (way !== null) {
        const reply = await send(settings, question, way, signal);
        if (reply.status === 200) {
          const written = parseCompletion(reply.body);
          // Learnt only from what worked.
          known = way;
          return written;
        }
        const next = nextWay(reply, way);
        if (next === null) throw statusFailure(LANGUAGE_MODEL_SERVER, reply.status, reply.retryAfter);
        way = next;
      }
      throw new AppError('engine_failed', LANGUAGE_MODEL_SERVER.failed);
    },
  };
}

function send(settings: ChatSettings, question: ChatQuestion, way: Way, signal: AbortSignal): Promise<Reply> {
  const { baseUrl, apiKey, model } = settings;
  const format = FORMATS[way.format] ?? 'none';
  const length = LENGTHS[way.length] ?? 'none';
  const body = JSON.stringify({
    model,
    messages: [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ],
    stream: false,
    ...(way.hasTemperature ? { temperature: 0 } : {}),
    ...(length === 'none' ? {} : { [length]: question.maxTokens }),
    ...(format === 'json_schema'
      ? { response_format: { type: format, json_schema: { ...question.schema, strict: true } } }
      : {}),
    ...(format === 'json_object' ? { response_format: { type: format } } : {}),
  });
  const options = { role: LANGUAGE_MODEL_SERVER, apiKey, maxAnswerBytes: MAX_ANSWER_BYTES, timeoutMs: null };
  return post(`${baseUrl}/chat/completions`, { body, type: 'application/json' }, options, signal);
}

/** The way to ask after a refusal; null when the request is not what the server minds, or there is no other way. */
function nextWay({ status, body }: Reply, way: Way): Way | null {
  // Some servers tell what they do not know as a failure of their own.
  if (status !== 400 && status !== 422 && status !== 500) return null;
  if (/response_format|json_schema|json_object|grammar|guided/i.test(body) && way.format < PLAINEST.format) {
    return { ...way, format: way.format + 1 };
  }
  if (/max_(completion_)?tokens/i.test(body) && way.length < PLAINEST.length) return { ...way, length: way.length + 1 };
  if (/temperature/i.test(body) && way.hasTemperature) return { ...way, hasTemperature: false };
  const isPlainest = way.format === PLAINEST.format && way.length === PLAINEST.length && !way.hasTemperature;
  return status === 500 || isPlainest ? null : PLAINEST;
}

const Part = z.object({ text: z.string() });
const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.union([z.string(), z.array(z.unknown())]) }) })).min(1),
});

function parseCompletion(body: string): string {
  const parsed = Completion.safeParse(parseJson(body));
  const content = parsed.success ? parsed.data.choices[0]?.message.content : undefined;
  const written = Array.isArray(content)
    ? content.map((part) => Part.safeParse(part).data?.text ?? '').join('')
    : (content ?? '');
  if (written.trim() === '') {
    throw new AppError('engine_failed', LANGUAGE_MODEL_SERVER.wrongAnswer, {
      cause: `the body of ${body.length} characters holds no message`,
    });
  }
  return written;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
