import type { ModelFiles } from '../sherpa-onnx/recognizer-models.ts';
import {
  cachedStepGraph,
  codecDecodeGraph,
  codecEncodeGraph,
  decodeStepGraph,
  fixedFrameGraph,
  prefillGraph,
  SIZES,
} from './graphs.ts';
import { PIECE_COUNT, tokenizerFile } from './tokenizer-file.ts';

const SPEECH = 'MOSS-TTS-Nano-cantophon-ONNX';
const CODEC = 'MOSS-Audio-Tokenizer-Nano-ONNX';

const ONSETS = 'b p m f d t n l g k ng h gw kw w z c s j'.split(' ');
const RIMES = (
  'a aa aai aau aam aan aang aap aat aak ai au am an ang ap at ak e ei eu em en eng ep et ek i iu im in ing ip it ik ' +
  'o oi ou om on ong op ot ok u ui um un ung ut uk oe oeng oet oek eoi eon eot yu yun yut m ng'
).split(' ');
const TONES = ['1', '2', '3', '4', '5', '6'];
const ADDED = [
  ...ONSETS.toSorted().map((onset) => `<o-${onset}>`),
  ...RIMES.toSorted().map((rime) => `<r-${rime}>`),
  ...TONES.map((tone) => `<t${tone}>`),
];

/**
 * A bundle of the shape of canto-tts-nano with graphs of a few nodes and random weights: the same
 * files, names, types and states, in other sizes. The publisher's runtime speaks it too
 * (`make_golden.py`).
 */
export function nanoBundleFiles(): ModelFiles {
  const addedTokens = Object.fromEntries(ADDED.map((name, index) => [name, PIECE_COUNT + index]));
  return {
    'browser_poc_manifest.json': JSON.stringify(manifest()),
    'tokenizer.model': tokenizerFile(),
    'added_tokens.json': JSON.stringify(addedTokens),
    [`${SPEECH}/tts_browser_onnx_meta.json`]: JSON.stringify(speechMeta()),
    [`${SPEECH}/prefill.onnx`]: prefillGraph(),
    [`${SPEECH}/decode_step.onnx`]: decodeStepGraph(),
    [`${SPEECH}/fixed_frame.onnx`]: fixedFrameGraph(),
    [`${SPEECH}/cached_step.onnx`]: cachedStepGraph(),
    [`${CODEC}/codec_browser_onnx_meta.json`]: JSON.stringify(codecMeta()),
    [`${CODEC}/decode_step.onnx`]: codecDecodeGraph(),
    [`${CODEC}/encode.onnx`]: codecEncodeGraph(),
  };
}

function manifest() {
  return {
    format_version: 1,
    model_files: {
      tts_meta: `${SPEECH}/tts_browser_onnx_meta.json`,
      codec_meta: `${CODEC}/codec_browser_onnx_meta.json`,
      tokenizer_model: 'tokenizer.model',
      added_tokens: 'added_tokens.json',
    },
    tts_config: {
      n_vq: SIZES.codebooks,
      audio_pad_token_id: SIZES.padCode,
      audio_start_token_id: 6,
      audio_end_token_id: 7,
      audio_user_slot_token_id: 8,
      audio_assistant_slot_token_id: 9,
    },
    prompt_templates: {
      user_prompt_prefix_token_ids: [4, 260, 261],
      user_prompt_after_reference_token_ids: [262, 263, 300],
      assistant_prompt_prefix_token_ids: [264, 5],
    },
    generation_defaults: {
      max_new_frames: 375,
      do_sample: true,
      sample_mode: 'fixed',
      text_temperature: 0.9,
      text_top_p: 1,
      text_top_k: 50,
      audio_temperature: 0.9,
      audio_top_p: 0.9,
      audio_top_k: 25,
      audio_repetition_penalty: 1,
    },
    default_voice: {
      voice: 'test',
      prompt_audio_codes: [
        [1, 2, 3, 4],
        [63, 0, 10, 20],
        [5, 50, 40, 30],
      ],
    },
  };
}

function speechMeta() {
  const layer = ['key_0', 'value_0'];
  const present = ['global_hidden', ...layer.map((name) => `present_${name}`)];
  return {
    files: {
      prefill: 'prefill.onnx',
      decode_step: 'decode_step.onnx',
      // The publisher's runtime opens this graph too, and never runs it.
      local_decoder: 'cached_step.onnx',
      local_cached_step: 'cached_step.onnx',
      local_fixed_sampled_frame: 'fixed_frame.onnx',
    },
    external_data_files: {},
    model_config: {
      n_vq: SIZES.codebooks,
      row_width: SIZES.codebooks + 1,
      hidden_size: SIZES.hidden,
      local_layers: 1,
      local_heads: SIZES.heads,
      local_head_dim: SIZES.headSize,
      vocab_size: SIZES.vocabulary,
      audio_codebook_sizes: Array<number>(SIZES.codebooks).fill(SIZES.codebookSize),
    },
    onnx: {
      prefill_output_names: present,
      decode_input_names: ['input_ids', 'past_valid_lengths', ...layer.map((name) => `past_${name}`)],
      decode_output_names: present,
      local_cached_output_names: ['text_logits', 'audio_logits', ...layer.map((name) => `local_present_${name}`)],
    },
  };
}

function codecMeta() {
  const window = [1, 1, SIZES.codecContext, SIZES.codebooks];
  return {
    files: { encode: 'encode.onnx', decode_full: 'decode_step.onnx', decode_step: 'decode_step.onnx' },
    external_data_files: {},
    codec_config: {
      sample_rate: 48_000,
      channels: 2,
      downsample_rate: SIZES.frameSamples,
      num_quantizers: SIZES.codebooks,
    },
    streaming_decode: {
      transformer_offsets: [
        { input_name: 'transformer_offset_0', output_name: 'transformer_offset_out_0', shape: [1] },
      ],
      attention_caches: [
        {
          offset_input_name: 'attn_offset_0',
          offset_output_name: 'attn_offset_out_0',
          offset_shape: [1],
          cached_keys_input_name: 'attn_cached_keys_0',
          cached_keys_output_name: 'attn_cached_keys_out_0',
          cached_values_input_name: 'attn_cached_values_0',
          cached_values_output_name: 'attn_cached_values_out_0',
          cache_shape: window,
          cached_positions_input_name: 'attn_cached_positions_0',
          cached_positions_output_name: 'attn_cached_positions_out_0',
          positions_shape: [1, SIZES.codecContext],
        },
      ],
    },
  };
}
