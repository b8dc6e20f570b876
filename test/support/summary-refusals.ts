import { errorBody, type Refusal } from './openai/chat-protocol.ts';

/** Error responses of real servers to a question that is too long. */
export const LENGTH_REFUSALS: Readonly<Record<string, (promptTokens: number, maxTokens: number) => Refusal>> = {
  openai: (promptTokens, maxTokens) => ({
    status: 400,
    body: errorBody(
      `This model's maximum context length is ${maxTokens} tokens. However, your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`,
      'context_length_exceeded',
    ),
  }),
  vllm: (promptTokens, maxTokens) => ({
    status: 400,
    body: errorBody(
      `'max_tokens' or 'max_completion_tokens' is too large: 1024. This model's maximum context length is ${maxTokens} tokens and your request has ${promptTokens} input tokens.`,
    ),
  }),
  'vllm-prompt': (promptTokens, maxTokens) => ({
    status: 400,
    body: errorBody(
      `The decoder prompt (length ${promptTokens}) is longer than the maximum model length of ${maxTokens}.`,
    ),
  }),
  'llama.cpp': (promptTokens, maxTokens) => ({
    status: 400,
    body: `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":${promptTokens},"n_ctx":${maxTokens}}}`,
  }),
  'old-llama.cpp': () => ({
    status: 500,
    body: '{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"server_error"}}',
  }),
  'lm-studio': (promptTokens, maxTokens) => ({
    status: 400,
    body: `{"error":"Trying to keep the first ${promptTokens} tokens when context the overflows. However, the model is loaded with context length of only ${maxTokens} tokens, which is not enough."}`,
  }),
  sglang: (promptTokens, maxTokens) => ({
    status: 400,
    body: errorBody(
      `The input (${promptTokens} tokens) is longer than the model's context length (${maxTokens} tokens).`,
    ),
  }),
  tgi: (promptTokens, maxTokens) => ({
    status: 422,
    body: `{"error":"Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= ${maxTokens}. Given: ${promptTokens} \`inputs\` tokens and 1024 \`max_new_tokens\`","error_type":"validation"}`,
  }),
  gemini: (promptTokens, maxTokens) => ({
    status: 400,
    body: errorBody(
      `The input token count (${promptTokens}) exceeds the maximum number of tokens allowed (${maxTokens}).`,
    ),
  }),
  proxy: () => ({ status: 413, body: '<html>413 Request Entity Too Large</html>' }),
};

/** The refusal of a question that does not fit the window with its answer; null when it fits. */
export function refuseLength(
  { promptTokens, answerTokens }: { promptTokens: number; answerTokens: number | null },
  { most, refusedBy }: { most: number | null; refusedBy: string },
): Refusal | null {
  if (most === null || promptTokens + (answerTokens ?? 1) <= most) return null;
  return (LENGTH_REFUSALS[refusedBy] ?? LENGTH_REFUSALS['openai'])?.(promptTokens, most) ?? null;
}
