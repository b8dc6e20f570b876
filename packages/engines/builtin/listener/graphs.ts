import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { openOnnxModel, type FloatTensor, type OnnxModel } from '#engines/runtime/onnx.ts';
import { acousticLabels, symbolCount } from '#engines/builtin/decoder/labels.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';

/** Runs for each token. The others run once for a stretch of sound, and would keep its memory. */
const DECODER = 'decoder.onnx';

const columns = z.object({ onsets: z.array(z.string()), rimes: z.array(z.string()), tones: z.array(z.int()) });

/** Schema of listener.json, which describes the graphs beside it (training/listener/export.py). */
const description = z.object({
  sampleRateHz: z.literal(RECOGNIZER_SAMPLE_RATE_HZ),
  frameMs: z.number().positive(),
  columns: z.record(z.enum(LANGUAGES), columns),
  decoder: z.object({
    layers: z.int().positive(),
    heads: z.int().positive(),
    size: z.int().positive(),
    special: z.record(
      z.enum(['end', 'start', 'english', 'chinese', 'transcribe', 'previous', 'noTimestamps']),
      z.int(),
    ),
    suppressed: z.array(z.int()),
    prompts: z.partialRecord(z.enum(LANGUAGES), z.array(z.int())),
  }),
});
type Description = z.infer<typeof description>;
export type DecoderDescription = Description['decoder'];

/** Sound as the shared layers of the encoder know it; the input of all that follows. */
export type LowerLayers = FloatTensor;

/** Keys and values of the encoder for every layer of the decoder, by name. */
export type EncodedSound = Readonly<Record<string, FloatTensor>>;

/** The decoder's own keys and values of the tokens so far. */
export type DecoderMemory = { keys: FloatTensor; values: FloatTensor };

/** The networks of the listener. All methods throw `engine_failed`. */
export type ListenerGraphs = {
  labels: Readonly<Record<Language, AcousticLabels>>;
  decoder: DecoderDescription;
  /** Mono sound at 16 kHz of at most 30 s. */
  enter(samples: Float32Array): Promise<LowerLayers>;
  /** Posteriors of the heads of all languages, and scores of the languages, three in each frame. */
  hear(lower: LowerLayers): Promise<{ posteriors: Readonly<Record<Language, Posteriors>>; languageScore: FloatTensor }>;
  encode(lower: LowerLayers): Promise<EncodedSound>;
  /**
   * Reads the next token of several hypotheses: `tokens` holds the new ones of each, `rows` the
   * hypothesis of the step before that each continues. Returns log-probabilities, row by row.
   */
  step(
    encoded: EncodedSound,
    memory: DecoderMemory | null,
    hypotheses: readonly { row: number; tokens: readonly number[] }[],
  ): Promise<{ logp: FloatTensor; memory: DecoderMemory }>;
  close(): Promise<void>;
};

/**
 * Opens the listener of a folder. The decoder, half of its weights, is opened when it is first
 * used. Throws `engine_unavailable` when a file is missing or does not fit.
 */
export async function openListenerGraphs(folder: string): Promise<ListenerGraphs> {
  const described = await readDescription(join(folder, 'listener.json'));
  const labels = Object.fromEntries(
    LANGUAGES.map((language) => {
      const { onsets, rimes, tones } = described.columns[language];
      return [language, acousticLabels({ frameMs: described.frameMs, labels: { onsets, rimes }, tones })];
    }),
  ) as Record<Language, AcousticLabels>;
  const open = (file: string, inputs: string[], outputs: string[]) =>
    openOnnxModel(join(folder, file), { inputs, outputs, keepsMemory: file === DECODER });
  const heads = [...LANGUAGES.flatMap((language) => headNames(language, labels[language])), 'language_score'];
  const lower = await open('lower.onnx', ['pcm'], ['lower']);
  const tuned = await open('tuned.onnx', ['lower'], heads);
  const { layers, heads: headCount, size } = described.decoder;
  const sound = Array.from({ length: layers }, (_, layer) => [`keys_${layer}`, `values_${layer}`]).flat();
  let reading: Promise<{ upper: OnnxModel; decoder: OnnxModel }> | null = null;
  const openReading = () =>
    (reading ??= Promise.all([
      open('upper.onnx', ['lower'], sound),
      open(DECODER, ['tokens', 'rows', 'past_keys', 'past_values', ...sound], ['logp', 'new_keys', 'new_values']),
    ]).then(([upper, decoder]) => ({ upper, decoder })));
  return {
    labels,
    decoder: described.decoder,
    enter: async (samples) => (await lower.run({ pcm: { data: samples, dims: [1, samples.length] } }))['lower']!,
    async hear(input) {
      const outputs = await tuned.run({ lower: input });
      const frameCount = input.dims[1] ?? 0;
      const posteriors = Object.fromEntries(
        LANGUAGES.map((language) => [language, posteriorsOf(outputs, language, labels[language], frameCount)]),
      ) as Record<Language, Posteriors>;
      return { posteriors, languageScore: outputs['language_score']! };
    },
    async encode(input) {
      const { upper } = await openReading();
      return upper.run({ lower: input });
    },
    async step(encoded, memory, hypotheses) {
      const { decoder } = await openReading();
      const tokens = hypotheses.flatMap((hypothesis) => hypothesis.tokens);
      const data = new Float32Array(0);
      const { logp, new_keys, new_values } = await decoder.run({
        tokens: {
          data: BigInt64Array.from(tokens, BigInt),
          dims: [hypotheses.length, tokens.length / hypotheses.length],
        },
        rows: { data: BigInt64Array.from(hypotheses, ({ row }) => BigInt(row)), dims: [hypotheses.length] },
        past_keys: memory?.keys ?? { data, dims: [layers, 1, headCount, size, 0] },
        past_values: memory?.values ?? { data, dims: [layers, 1, headCount, 0, size] },
        ...encoded,
      });
      return { logp: logp!, memory: { keys: new_keys!, values: new_values! } };
    },
    async close() {
      await Promise.all([lower.close(), tuned.close()]);
      const opened = await reading?.catch(() => null);
      await opened?.upper.close();
      await opened?.decoder.close();
    },
  };
}

async function readDescription(path: string): Promise<Description> {
  try {
    return description.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The description of the listener is missing or damaged.', { cause });
  }
}

function headNames(language: Language, { tones }: AcousticLabels): string[] {
  return [`${language}_symbol_logp`, ...(tones > 0 ? [`${language}_tone_logp`] : [])];
}

function posteriorsOf(
  outputs: Readonly<Record<string, FloatTensor>>,
  language: Language,
  labels: AcousticLabels,
  frameCount: number,
): Posteriors {
  const symbols = outputs[`${language}_symbol_logp`];
  const tones = outputs[`${language}_tone_logp`];
  if (symbols?.dims[2] !== symbolCount(labels) || (tones?.dims[2] ?? 0) !== labels.tones) {
    throw new AppError('engine_failed', 'The listener does not fit its description.');
  }
  return { frameCount, symbolLogp: symbols.data, toneLogp: tones?.data ?? new Float32Array(0) };
}
