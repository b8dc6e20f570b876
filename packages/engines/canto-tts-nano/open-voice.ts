import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { openOnnxModel, type OnnxModel } from '#engines/runtime/onnx.ts';
import { readBundle, refused, type Bundle } from './bundle.ts';
import { createDecoder } from './codec.ts';
import { createFrameGenerator, promptOf, type Sampling } from './generate-frames.ts';
import { createTokenizer } from './phoneme-text.ts';
import { openSentencePiece } from './sentence-piece.ts';
import type { NanoVoice } from './speak.ts';
import type { NanoSettings } from './variables.ts';
import { createVoiceCodes } from './voice-codes.ts';

type GraphName = keyof Bundle['graphs'];

/** The publisher's settings of full sampling; a request decides the temperature and `topP`. */
const TEXT_DRAW = { temperature: 0.3, topK: 50, topP: 1 } as const;
const AUDIO_TOP_K = 25;
/** A temperature of 0 would divide by it. */
const LEAST_TEMPERATURE = 0.05;

/**
 * Opens the graphs of a bundle. Throws `engine_unavailable` with one sentence for a bundle that
 * lacks a file or is of another kind, and `engine_failed` for a damaged graph.
 */
export async function openVoice(folder: string, settings: Pick<NanoSettings, 'sampling' | 'threads'>) {
  const bundle = await readBundle(folder);
  const tokenizerFile = await readFile(bundle.tokenizer).catch(() => {
    throw new AppError('engine_unavailable', `The model file ${basename(bundle.tokenizer)} is missing on this server.`);
  });
  const tokenize = createTokenizer(openSentencePiece(tokenizerFile), bundle.addedTokens);
  const opened: OnnxModel[] = [];
  const close = async () => {
    await Promise.all(opened.map((graph) => graph.close()));
  };
  const open = async (name: GraphName) => {
    const graph = await openGraph(bundle, name, settings.threads);
    opened.push(graph);
    return graph;
  };
  try {
    const graphs = {
      prefill: await open('prefill'),
      decodeStep: await open('decodeStep'),
      frame: await open(settings.sampling === 'fixed' ? 'fixedFrame' : 'cachedStep'),
      codecDecode: await open('codecDecode'),
    };
    const codesOf = createVoiceCodes(bundle, () => openGraph(bundle, 'codecEncode', settings.threads));
    const samplingFor: NanoVoice['samplingFor'] = ({ temperature, topP }): Sampling => {
      if (settings.sampling === 'fixed') return { mode: 'fixed' };
      const audio = { temperature: Math.max(LEAST_TEMPERATURE, temperature), topK: AUDIO_TOP_K, topP };
      return { mode: 'full', text: TEXT_DRAW, audio, penalty: 1 };
    };
    const voice: NanoVoice = { bundle, graphs, tokenize, codesOf, samplingFor };
    await tryOut(voice);
    return { voice, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/**
 * Speaks two frames, so that graphs whose sizes or types differ from their description are refused
 * when they are opened, not in the middle of a text.
 */
async function tryOut({ bundle, graphs, tokenize, samplingFor }: NanoVoice): Promise<void> {
  try {
    const generate = createFrameGenerator(bundle, graphs, samplingFor({ temperature: 1, topP: 1 }));
    const prompt = promptOf(bundle, bundle.defaultVoice, tokenize('。'));
    // With the number 0 no draw is the end.
    const frames = await Array.fromAsync(generate(prompt, 2, () => 0, new AbortController().signal));
    const { samples } = await createDecoder(bundle, graphs.codecDecode)(frames);
    if (samples === frames.length * bundle.frameSamples && samples > 0) return;
  } catch (cause) {
    throw refused('its graphs are not as its description says', cause);
  }
  throw refused('its codec makes frames of another length than its description says');
}

async function openGraph(bundle: Bundle, name: GraphName, threads: number): Promise<OnnxModel> {
  const path = bundle.graphs[name];
  // ONNX Runtime would name the whole path of missing weights.
  for (const file of bundle.weights[basename(path)] ?? []) {
    await readable(join(dirname(path), file));
  }
  return openOnnxModel(path, { ...namesOf(bundle, name), threads });
}

async function readable(path: string): Promise<void> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > 0) return;
  throw new AppError('engine_unavailable', `The model file ${basename(path)} is missing on this server.`);
}

/** The names that a graph must have. */
function namesOf(
  { names, codecStates }: Bundle,
  name: GraphName,
): { inputs: readonly string[]; outputs: readonly string[] } {
  switch (name) {
    case 'prefill':
      return { inputs: ['input_ids', 'attention_mask'], outputs: names.prefill_output_names };
    case 'decodeStep':
      return { inputs: names.decode_input_names, outputs: names.decode_output_names };
    case 'fixedFrame':
      return {
        inputs: ['global_hidden', 'repetition_seen_mask', 'assistant_random_u', 'audio_random_u'],
        outputs: ['should_continue', 'frame_token_ids'],
      };
    case 'cachedStep': {
      const scalars = ['text_token_id', 'audio_token_id', 'channel_index', 'step_type', 'past_valid_lengths'];
      const past = names.local_cached_output_names.slice(2).map((output) => output.replace('_present_', '_past_'));
      return { inputs: ['global_hidden', ...scalars, ...past], outputs: names.local_cached_output_names };
    }
    case 'codecDecode':
      return {
        inputs: ['audio_codes', 'audio_code_lengths', ...codecStates.map(({ input }) => input)],
        outputs: ['audio', 'audio_lengths', ...codecStates.map(({ output }) => output)],
      };
    case 'codecEncode':
      return { inputs: ['waveform', 'input_lengths'], outputs: ['audio_codes', 'audio_code_lengths'] };
  }
}
