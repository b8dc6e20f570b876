import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  ProgressNotification,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { JyutsingError } from '@jyutsing/client';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** One call of a tool, as the tool sees it. */
export type ToolCall = {
  /** Aborts when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Aborts only when the client cancels: what it began is then ended, not just left alone. */
  cancelled: AbortSignal;
  /** Tells a client that asked for it how far the work is; what does not grow is left out. */
  report(progress: { progress: number; total?: number; message: string }): Promise<void>;
};

/** Clients give up after a minute without a sign, unless they are told that the work goes on. */
const SIGN_OF_LIFE_MS = 10_000;

export function openToolCall({ signal, _meta, sendNotification }: Extra): ToolCall {
  const cancelled = new AbortController();
  // A cancellation comes with its reason in words; a connection that closes has none.
  const forward = () => void (typeof signal.reason === 'string' && cancelled.abort(signal.reason));
  if (signal.aborted) forward();
  signal.addEventListener('abort', forward, { once: true });
  let last = -1;
  return {
    signal,
    cancelled: cancelled.signal,
    async report(progress) {
      const progressToken = _meta?.progressToken;
      if (progressToken === undefined || signal.aborted || progress.progress <= last) return;
      last = progress.progress;
      const params: ProgressNotification['params'] = { progressToken, ...progress };
      // A client that has left meanwhile needs none.
      await sendNotification({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}

/** Reports the seconds of work that has no measurable progress, until it ends. */
export async function withSignsOfLife<Result>(
  { report }: ToolCall,
  message: string,
  work: Promise<Result>,
): Promise<Result> {
  const seconds = SIGN_OF_LIFE_MS / 1_000;
  let passed = 0;
  void report({ progress: 0, message });
  const timer = setInterval(() => void report({ progress: (passed += seconds), message }), SIGN_OF_LIFE_MS);
  return work.finally(() => clearInterval(timer));
}

/** Text for the model, and the same as data for programs. */
export function textResult(text: string, structuredContent?: Record<string, unknown>): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  return structuredContent === undefined ? { content } : { content, structuredContent };
}

/**
 * A refusal or failure of the service as a result, so that the model reads the sentence and can act
 * on it. All other errors are thrown on.
 */
export function refusalResult(failure: unknown): CallToolResult {
  if (!(failure instanceof JyutsingError)) throw failure;
  const { code, message, requestId } = failure;
  const id = requestId === null ? '' : `, request ${requestId}`;
  const text = message.replaceAll(/"(\w+)"/g, (quoted, name: string) => {
    const argument = ARGUMENTS.get(name);
    return argument === undefined ? quoted : `"${argument}"`;
  });
  return { content: [{ type: 'text', text: `${text} (${code}${id})` }], isError: true };
}

/** The arguments of tools by the fields of the requests that they become. */
const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['data_url', 'url'],
  ['data', 'file'],
  ['audio', 'file'],
  ['lang', 'language'],
  ['with_diarization', 'speakers'],
  ['voice_id', 'voice'],
  ['output_extension', 'format'],
  ['videoUrl', 'url'],
]);
