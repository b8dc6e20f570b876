/** Kinds of real servers by what they reject, with their error messages. */
export type SpeechProduct =
  | 'vllm-omni'
  | 'vllm-omni-custom'
  | 'qwen3-tts'
  | 'vllm-omni-old'
  | 'openai'
  | 'speaches'
  | 'localai'
  | 'no-pcm'
  | 'no-speed';

const OPENAI_FIELDS = ['model', 'input', 'voice', 'instructions', 'response_format', 'speed', 'stream_format'];

/** Error response of a server of this product; null if it accepts the request. */
export function refuseSpeech(
  body: Record<string, unknown>,
  product: SpeechProduct,
): { status: number; body: string } | null {
  const has = (field: string) => field in body;
  switch (product) {
    case 'vllm-omni':
      if (!has('ref_audio') && !has('voice')) {
        return vllm("Base task requires 'ref_audio' or 'speaker_embedding' for voice cloning");
      }
      if (has('ref_audio') && !has('ref_text') && body['x_vector_only_mode'] !== true) {
        return vllm(
          "Base task requires non-empty 'ref_text' (transcript of the reference audio) unless 'x_vector_only_mode' is enabled",
        );
      }
      return null;
    case 'vllm-omni-custom':
      if (has('ref_audio')) {
        return vllm(
          "Qwen3-TTS CustomVoice checkpoint does not support task_type='Base'. Use task_type='CustomVoice' or load the matching Base checkpoint.",
        );
      }
      if (has('voice') && body['voice'] !== 'vivian') {
        return vllm(`Invalid voice '${String(body['voice'])}'. Supported: ryan, vivian`);
      }
      return null;
    case 'qwen3-tts':
      if (!has('language') || ['Chinese', 'English', 'Auto'].includes(String(body['language']))) return null;
      return vllm(`Invalid language '${String(body['language'])}'. Supported: Auto, Chinese, English`);
    case 'vllm-omni-old':
      if (has('stream_format') && has('speed')) return vllm('Speed adjustment is not supported when streaming.');
      return null;
    case 'openai': {
      const unknown = Object.keys(body).filter((field) => !OPENAI_FIELDS.includes(field));
      if (!has('model')) return openai('you must provide a model parameter');
      if (unknown.length > 0) return openai(`Unrecognized request argument supplied: ${unknown[0]}`);
      return has('voice') ? null : openai("Missing required parameter: 'voice'.");
    }
    case 'speaches':
      if (has('voice')) return null;
      return {
        status: 422,
        body: JSON.stringify({
          // Speaches repeats the whole request.
          detail: [{ type: 'missing', loc: ['body', 'voice'], msg: 'Field required', input: body }],
        }),
      };
    case 'no-pcm':
      if (body['response_format'] !== 'pcm') return null;
      return openai("Invalid value: 'pcm'. Supported values for response_format are: 'mp3', 'wav'.");
    case 'no-speed':
      return has('speed') ? vllm('This model does not support speed.') : null;
    case 'localai':
      return null;
  }
}

function vllm(message: string): { status: number; body: string } {
  return {
    status: 400,
    body: JSON.stringify({ error: { message, type: 'BadRequestError', param: null, code: 400 } }),
  };
}

function openai(message: string): { status: number; body: string } {
  return { status: 400, body: JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }) };
}
