import { errorBody, type Refusal } from './openai/chat-protocol.ts';

/** How a question that is too long is refused, by whom. */
export const LENGTH_REFUSALS: Readonly<Record<string, (asked: number, most: number) => Refusal>> = {
  openai: (asked, most) => ({
    status: 400,
    body: errorBody(
      `This model's maximum context length is ${most} tokens. However, your messages resulted in ${asked} tokens. Please reduce the length of the messages.`,
      'context_length_exceeded',
    ),
  }),
  vllm: (asked, most) => ({
    status: 400,
    body: errorBody(
      `'max_tokens' or 'max_completion_tokens' is too large: 1024. This model's maximum context length is ${most} tokens and your request has ${asked} input tokens.`,
    ),
  }),
  'vllm-prompt': (asked, most) => ({
    status: 400,
    body: errorBody(`The decoder prompt (length ${asked}) is longer than the maximum model length of ${most}.`),
  }),
  'llama.cpp': (asked, most) => ({
    status: 400,
    body: `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":${asked},"n_ctx":${most}}}`,
  }),
  'old-llama.cpp': () => ({
    status: 500,
    body: '{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"server_error"}}',
  }),
  'lm-studio': (asked, most) => ({
    status: 400,
    body: `{"error":"Trying to keep the first ${asked} tokens when context the overflows. However, the model is loaded with context length of only ${most} tokens, which is not enough."}`,
  }),
  sglang: (asked, most) => ({
    status: 400,
    body: errorBody(`The input (${asked} tokens) is longer than the model's context length (${most} tokens).`),
  }),
  tgi: (asked, most) => ({
    status: 422,
    body: `{"error":"Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= ${most}. Given: ${asked} \`inputs\` tokens and 1024 \`max_new_tokens\`","error_type":"validation"}`,
  }),
  gemini: (asked, most) => ({
    status: 400,
    body: errorBody(`The input token count (${asked}) exceeds the maximum number of tokens allowed (${most}).`),
  }),
  proxy: () => ({ status: 413, body: '<html>413 Request Entity Too Large</html>' }),
};

/** The refusal of a question that does not fit with its answer; null where it fits, or there is no limit. */
export function refuseLength(
  { promptTokens, answerTokens }: { promptTokens: number; answerTokens: number | null },
  { most, refusedBy }: { most: number | null; refusedBy: string },
): Refusal | null {
  if (most === null || promptTokens + (answerTokens ?? 1) <= most) return null;
  return (LENGTH_REFUSALS[refusedBy] ?? LENGTH_REFUSALS['openai'])?.(promptTokens, most) ?? null;
}
