import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { MANIFEST, MODEL_NAME } from './packages.ts';

/** The sound of the codec: any other would need another resampling. */
const CODEC_RATE_HZ = 48_000;
const CODEC_CHANNELS = 2;

const Id = z.int().min(0);
const Ids = z.array(Id);
const Names = z.array(z.string().min(1)).min(1);
const Dims = z.array(z.int().min(0)).min(1);

const Manifest = z.object({
  model_files: z.object({
    tts_meta: z.string(),
    codec_meta: z.string(),
    tokenizer_model: z.string(),
    added_tokens: z.string(),
  }),
  tts_config: z.object({
    n_vq: z.int().min(1),
    audio_pad_token_id: Id,
    audio_start_token_id: Id,
    audio_end_token_id: Id,
    audio_user_slot_token_id: Id,
    audio_assistant_slot_token_id: Id,
  }),
  prompt_templates: z.object({
    user_prompt_prefix_token_ids: Ids,
    user_prompt_after_reference_token_ids: Ids,
    assistant_prompt_prefix_token_ids: Ids,
  }),
  default_voice: z.object({ prompt_audio_codes: z.array(Ids).min(1) }),
});

const SpeechMeta = z.object({
  files: z.object({
    prefill: z.string(),
    decode_step: z.string(),
    local_cached_step: z.string(),
    local_fixed_sampled_frame: z.string(),
  }),
  external_data_files: z.record(z.string(), z.array(z.string())).default({}),
  model_config: z.object({
    n_vq: z.int(),
    row_width: z.int(),
    hidden_size: z.int().min(1),
    local_layers: z.int().min(1),
    local_heads: z.int().min(1),
    local_head_dim: z.int().min(1),
    vocab_size: z.int().min(1),
    audio_codebook_sizes: z.array(z.int().min(1)),
  }),
  onnx: z.object({
    prefill_output_names: Names,
    decode_input_names: Names,
    decode_output_names: Names,
    local_cached_output_names: Names,
  }),
});

const CodecMeta = z.object({
  files: z.object({ encode: z.string(), decode_step: z.string() }),
  external_data_files: z.record(z.string(), z.array(z.string())).default({}),
  codec_config: z.object({
    sample_rate: z.int(),
    channels: z.int(),
    downsample_rate: z.int().min(1),
    num_quantizers: z.int(),
  }),
  streaming_decode: z.object({
    transformer_offsets: z.array(z.object({ input_name: z.string(), output_name: z.string(), shape: Dims })),
    attention_caches: z.array(
      z.object({
        offset_input_name: z.string(),
        offset_output_name: z.string(),
        offset_shape: Dims,
        cached_keys_input_name: z.string(),
        cached_keys_output_name: z.string(),
        cached_values_input_name: z.string(),
        cached_values_output_name: z.string(),
        cache_shape: Dims,
        cached_positions_input_name: z.string(),
        cached_positions_output_name: z.string(),
        positions_shape: Dims,
      }),
    ),
  }),
});
type CodecMeta = z.infer<typeof CodecMeta>;

/** A state that the codec carries from one run to the next: `fill` at the start. */
export type CodecState = {
  input: string;
  output: string;
  dims: readonly number[];
  type: 'float' | 'int';
  fill: 0 | -1;
};

/** A row of the codebooks for each frame of sound. */
export type Codes = readonly (readonly number[])[];

/** The facts of a bundle; graphs are absolute paths. */
export type Bundle = Awaited<ReturnType<typeof readBundle>>;

/**
 * Reads the manifest and both metas of a bundle. Names, numbers and sizes come from them alone.
 * Throws `engine_unavailable` with one sentence for a missing or unreadable file, and for facts
 * that contradict one another or that this engine cannot serve.
 */
export async function readBundle(folder: string) {
  const manifest = await readJson(folder, MANIFEST, Manifest);
  const { tts_meta: speechPath, codec_meta: codecPath } = manifest.model_files;
  const speech = await readJson(folder, speechPath, SpeechMeta);
  const codec = await readJson(folder, codecPath, CodecMeta);
  const addedTokens = await readJson(folder, manifest.model_files.added_tokens, z.record(z.string().min(1), Id));
  const { tts_config: config, prompt_templates: prompts } = manifest;
  const { model_config: model } = speech;

  const codebooks = config.n_vq;
  const codebookSize = model.audio_codebook_sizes[0] ?? 0;
  require([
    [model.n_vq === codebooks && model.row_width === codebooks + 1, `${codebooks} codebooks in one file`],
    [codec.codec_config.num_quantizers === codebooks, `${codec.codec_config.num_quantizers} codebooks in the codec`],
    [
      model.audio_codebook_sizes.length === codebooks &&
        model.audio_codebook_sizes.every((size) => size === codebookSize),
      'codebooks of different sizes',
    ],
    [codec.codec_config.sample_rate === CODEC_RATE_HZ, `sound of ${codec.codec_config.sample_rate} Hz`],
    [codec.codec_config.channels === CODEC_CHANNELS, `${codec.codec_config.channels} channels`],
    [
      manifest.default_voice.prompt_audio_codes.every(
        (row) => row.length === codebooks && row.every((code) => code < codebookSize),
      ),
      'a default voice of another shape',
    ],
    [
      [...Object.values(addedTokens), ...Object.values(prompts).flat()].every((id) => id < model.vocab_size),
      'a token beyond its vocabulary',
    ],
    [
      speech.onnx.prefill_output_names.length === speech.onnx.decode_output_names.length,
      'other states after the prompt than after a frame',
    ],
  ]);
  const graph = (metaPath: string, file: string) => inside(folder, join(dirname(metaPath), file));
  return {
    graphs: {
      prefill: graph(speechPath, speech.files.prefill),
      decodeStep: graph(speechPath, speech.files.decode_step),
      cachedStep: graph(speechPath, speech.files.local_cached_step),
      fixedFrame: graph(speechPath, speech.files.local_fixed_sampled_frame),
      codecDecode: graph(codecPath, codec.files.decode_step),
      codecEncode: graph(codecPath, codec.files.encode),
    },
    /** Weights beside each graph, by the name of its file. */
    weights: { ...speech.external_data_files, ...codec.external_data_files },
    names: speech.onnx,
    tokens: config,
    prompts,
    codebooks,
    codebookSize,
    hiddenSize: model.hidden_size,
    local: { layers: model.local_layers, heads: model.local_heads, headSize: model.local_head_dim },
    /** Samples of each channel in a frame. */
    frameSamples: codec.codec_config.downsample_rate,
    rateHz: CODEC_RATE_HZ,
    codecStates: statesOf(codec),
    defaultVoice: manifest.default_voice.prompt_audio_codes as Codes,
    tokenizer: inside(folder, manifest.model_files.tokenizer_model),
    addedTokens,
  };
}

function statesOf({
  streaming_decode: { transformer_offsets: offsets, attention_caches: caches },
}: CodecMeta): CodecState[] {
  return [
    ...offsets.map(({ input_name: input, output_name: output, shape }) => int(input, output, shape)),
    ...caches.flatMap((cache) => [
      int(cache.offset_input_name, cache.offset_output_name, cache.offset_shape),
      float(cache.cached_keys_input_name, cache.cached_keys_output_name, cache.cache_shape),
      float(cache.cached_values_input_name, cache.cached_values_output_name, cache.cache_shape),
      // A position of −1 is empty.
      int(cache.cached_positions_input_name, cache.cached_positions_output_name, cache.positions_shape, -1),
    ]),
  ];
}

const int = (input: string, output: string, dims: readonly number[], fill: 0 | -1 = 0): CodecState => ({
  input,
  output,
  dims,
  type: 'int',
  fill,
});
const float = (input: string, output: string, dims: readonly number[]): CodecState => ({
  input,
  output,
  dims,
  type: 'float',
  fill: 0,
});

async function readJson<Schema extends z.ZodType>(
  folder: string,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await readFile(inside(folder, path), 'utf8').catch(() => null);
  if (text === null) throw refused(`its file ${basename(path)} is missing`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refused(`its file ${basename(path)} is damaged`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refused(`its file ${basename(path)} has no usable "${issue?.path.join('.') ?? ''}"`);
}

/** Throws for the first condition that does not hold; each says what the bundle has instead. */
function require(conditions: readonly (readonly [holds: boolean, found: string])[]): void {
  const broken = conditions.find(([holds]) => !holds);
  if (broken !== undefined) throw refused(`it has ${broken[1]}, which this version cannot speak with`);
}

/** The absolute path of a file that a bundle names; none may lie outside of its folder. */
function inside(folder: string, path: string): string {
  const clean = normalize(path);
  if (isAbsolute(clean) || clean.split(/[/\\]/).includes('..')) throw refused('it names a file outside its folder');
  return join(folder, clean);
}

/** The error for a bundle that this engine cannot speak with; `reason` is one clause. */
export function refused(reason: string, cause?: unknown): AppError {
  return new AppError('engine_unavailable', `The model ${MODEL_NAME} cannot be used: ${reason}.`, { cause });
}
