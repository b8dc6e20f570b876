import type { FloatTensor, Int32Tensor, OnnxModel, OnnxOutputs } from '#engines/runtime/onnx.ts';
import { AppError } from '@jyutsing/contracts/errors';
import type { Bundle, Codes } from './bundle.ts';
import { drawIndex, penalize, type Draw } from './sampling.ts';

/** The largest random number that the graph of fixed sampling takes: below 1 in 32 bits. */
const ALMOST_ONE = 0.999_999_94;

/** How frames are drawn: by the graph with its built-in settings, or by these. */
export type Sampling = { mode: 'fixed' } | { mode: 'full'; text: Draw; audio: Draw; penalty: number };

/** The graphs that make frames; `cachedStep` only where `full` sampling is used. */
export type SpeechGraphs = Record<'prefill' | 'decodeStep' | 'frame', OnnxModel>;

/** Yields the codes of one frame after another, up to a limit or until the model ends. */
type GenerateFrames = (
  prompt: Int32Tensor,
  limit: number,
  random: () => number,
  signal: AbortSignal,
) => AsyncGenerator<readonly number[]>;

/**
 * The prompt of a text in a voice: rows of a token and a code of each codebook, 1 × rows × (1 +
 * codebooks).
 */
export function promptOf(
  { tokens, prompts, codebooks }: Pick<Bundle, 'tokens' | 'prompts' | 'codebooks'>,
  voice: Codes,
  textTokens: readonly number[],
): Int32Tensor {
  const silent = Array<number>(codebooks).fill(tokens.audio_pad_token_id);
  const textRow = (token: number) => [token, ...silent];
  const rows = [
    ...prompts.user_prompt_prefix_token_ids.map(textRow),
    textRow(tokens.audio_start_token_id),
    ...voice.map((codes) => [tokens.audio_user_slot_token_id, ...codes]),
    textRow(tokens.audio_end_token_id),
    ...prompts.user_prompt_after_reference_token_ids.map(textRow),
    ...textTokens.map(textRow),
    ...prompts.assistant_prompt_prefix_token_ids.map(textRow),
    textRow(tokens.audio_start_token_id),
  ];
  return { data: Int32Array.from(rows.flat()), dims: [1, rows.length, codebooks + 1] };
}

/**
 * Returns the generator of frames (MOSS-TTS-Nano): the whole prompt is read once, then for each
 * frame its codes are drawn one after another and read as the next row. Its state grows with the
 * rows.
 */
export function createFrameGenerator(bundle: Bundle, graphs: SpeechGraphs, sampling: Sampling): GenerateFrames {
  const { tokens, codebooks, names } = bundle;
  const drawFrame =
    sampling.mode === 'fixed' ? fixedFrames(bundle, graphs.frame) : fullFrames(bundle, graphs.frame, sampling);
  return async function* (prompt, limit, random, signal) {
    const rows = prompt.dims[1] ?? 0;
    const ones = { data: new Int32Array(rows).fill(1), dims: [1, rows] };
    let outputs = await graphs.prefill.runMixed({ input_ids: prompt, attention_mask: ones });
    let past = renamed(outputs, names.prefill_output_names.slice(1), 'present_', 'past_');
    const drawn = Array.from({ length: codebooks }, () => new Set<number>());
    for (let frame = 0; frame < limit; frame += 1) {
      signal.throwIfAborted();
      const codes = await drawFrame(lastRow(outputs, bundle.hiddenSize), drawn, random);
      if (codes === null) return;
      for (const [channel, code] of codes.entries()) drawn[channel]!.add(code);
      yield codes;
      if (frame + 1 === limit) return;
      signal.throwIfAborted();
      const row = [tokens.audio_assistant_slot_token_id, ...codes];
      outputs = await graphs.decodeStep.runMixed({
        input_ids: { data: Int32Array.from(row), dims: [1, 1, row.length] },
        past_valid_lengths: { data: Int32Array.of(rows + frame), dims: [1] },
        ...past,
      });
      past = renamed(outputs, names.decode_output_names.slice(1), 'present_', 'past_');
    }
  };
}

/** The codes of a frame, or null where the model ends. */
type DrawFrame = (
  hidden: FloatTensor,
  drawn: readonly ReadonlySet<number>[],
  random: () => number,
) => Promise<readonly number[] | null>;

/** One run of the graph draws a frame from a number for the end and one for each codebook. */
function fixedFrames({ codebooks, codebookSize }: Bundle, graph: OnnxModel): DrawFrame {
  return async (hidden, drawn, random) => {
    const seen = new Int32Array(codebooks * codebookSize);
    for (const [channel, codes] of drawn.entries()) for (const code of codes) seen[channel * codebookSize + code] = 1;
    const number = () => Math.min(ALMOST_ONE, random());
    const end = number();
    const numbers = Float32Array.from({ length: codebooks }, number);
    const outputs = await graph.runMixed({
      global_hidden: hidden,
      repetition_seen_mask: { data: seen, dims: [1, codebooks, codebookSize] },
      assistant_random_u: { data: Float32Array.of(end), dims: [1] },
      audio_random_u: { data: numbers, dims: [1, codebooks] },
    });
    if (outputs['should_continue']?.data[0] === 0) return null;
    return checked([...(outputs['frame_token_ids']?.data ?? [])], codebooks, codebookSize);
  };
}

const scalar = (value: number) => ({ data: Int32Array.of(value), dims: [1] });

/** The graph's steps: the end is told from the frame's state, then a code follows another. */
const STEP = { state: 0, firstCode: 1, nextCode: 2 } as const;

/** Draws the end and each code here, from the scores of one run each. */
function fullFrames(
  { tokens, local, codebooks, codebookSize, names }: Bundle,
  graph: OnnxModel,
  { text, audio, penalty }: Extract<Sampling, { mode: 'full' }>,
): DrawFrame {
  const presentNames = names.local_cached_output_names.slice(2);
  const empty = { data: new Float32Array(0), dims: [1, 0, local.heads, local.headSize] };
  const noPast = Object.fromEntries(presentNames.map((name) => [name.replace('local_present_', 'local_past_'), empty]));
  return async (hidden, drawn, random) => {
    let past: OnnxOutputs = noPast;
    let steps = 0;
    const step = async (type: number, { token = 0, code = 0, channel = 0 }) => {
      const outputs = await graph.runMixed({
        global_hidden: hidden,
        text_token_id: scalar(token),
        audio_token_id: scalar(code),
        channel_index: scalar(channel),
        step_type: scalar(type),
        past_valid_lengths: scalar(steps),
        ...past,
      });
      steps += 1;
      past = renamed(outputs, presentNames, 'local_present_', 'local_past_');
      return outputs;
    };
    const goesOn = tokens.audio_assistant_slot_token_id;
    const { text_logits: scores } = await step(STEP.state, {});
    const candidates = [goesOn, tokens.audio_end_token_id].map((token) => scores?.data[token] ?? -Infinity);
    if (drawIndex(Float32Array.from(candidates), text, random) !== 0) return null;
    const codes: number[] = [];
    for (let channel = 0; channel < codebooks; channel += 1) {
      const outputs =
        channel === 0
          ? await step(STEP.firstCode, { token: goesOn })
          : await step(STEP.nextCode, { code: codes[channel - 1]!, channel: channel - 1 });
      const all = outputs['audio_logits']?.data ?? new Float32Array(0);
      const channelScores = Float32Array.from(all.subarray(channel * codebookSize, (channel + 1) * codebookSize));
      penalize(channelScores, drawn[channel]!, penalty);
      codes.push(drawIndex(channelScores, audio, random));
    }
    return checked(codes, codebooks, codebookSize);
  };
}

/** Throws `engine_failed` where a graph gives no frame: such codes would break the codec. */
function checked(codes: number[], codebooks: number, codebookSize: number): number[] {
  if (codes.length === codebooks && codes.every((code) => code >= 0 && code < codebookSize)) return codes;
  throw new AppError('engine_failed', undefined, { cause: 'the model drew no frame of its codebooks' });
}

/** The state of the last row, 1 × its size. */
function lastRow({ global_hidden: hidden }: OnnxOutputs, size: number): FloatTensor {
  if (!(hidden?.data instanceof Float32Array) || hidden.data.length < size) throw new AppError('engine_failed');
  return { data: hidden.data.slice(-size), dims: [1, size] };
}

/** Outputs under the names that the next run calls them by. */
function renamed(outputs: OnnxOutputs, names: readonly string[], from: string, to: string): OnnxOutputs {
  return Object.fromEntries(
    names.flatMap((name) => (outputs[name] === undefined ? [] : [[name.replace(from, to), outputs[name]]])),
  );
}
