import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type * as Runtime from 'onnxruntime-node';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { AppError } from '@jyutsing/contracts/errors';

/** A tensor of 32-bit floats, row-major. */
export type FloatTensor = { data: Float32Array; dims: readonly number[] };
/** A tensor of 32-bit integers, row-major. */
export type Int32Tensor = { data: Int32Array; dims: readonly number[] };
/** A tensor of 64-bit integers. */
type IntegerTensor = { data: BigInt64Array; dims: readonly number[] };

export type OnnxInputs = Readonly<Record<string, FloatTensor | Int32Tensor | IntegerTensor>>;
/** Outputs by name; any of them may be an input of a later run. */
export type OnnxOutputs = Record<string, FloatTensor | Int32Tensor>;

export type OnnxModel = {
  /** Runs one inference on a thread, without blocking the event loop. Throws `engine_failed`. */
  run(inputs: OnnxInputs): Promise<Record<string, FloatTensor>>;
  /** The same for a model whose outputs are floats and 32-bit integers. */
  runMixed(inputs: OnnxInputs): Promise<OnnxOutputs>;
  close(): Promise<void>;
};

type OnnxModelOptions = {
  /**
   * Required names, so that a wrong model file fails when it is opened, not at the first request.
   */
  inputs: readonly string[];
  outputs: readonly string[];
  /**
   * Number of threads inside one operation. 1 by default: worker processes run in parallel already.
   */
  threads?: number;
  /**
   * Keeps the memory of a run for the next one, for a model whose inputs are bounded: twice as fast
   * where it runs for each token.
   */
  keepsMemory?: boolean;
};

/**
 * Opens an ONNX model. Throws `engine_unavailable` when the file is missing or has other inputs or
 * outputs, `engine_failed` when it is damaged. A damaged file may also abort the process in native
 * code, so only worker processes may call this.
 */
export async function openOnnxModel(path: string, options: OnnxModelOptions): Promise<OnnxModel> {
  const file = basename(path);
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size === 0) throw new AppError('engine_unavailable', `The model file ${file} is missing on this server.`);
  const ort = await loadRuntime();
  const threads = options.threads ?? 1;
  const session = await ort.InferenceSession.create(path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Recordings differ in length, and a memory plan would be kept for each.
    enableMemPattern: false,
    // An arena never shrinks: every process would keep the peak of its longest stretch of sound.
    enableCpuMemArena: options.keepsMemory ?? false,
    // Restores int8 weights once, when the model is opened, instead of in each run.
    extra: { session: { disable_quant_qdq: '1' } },
    logSeverityLevel: 4,
  }).catch((cause: unknown) => {
    throw new AppError('engine_failed', `The model file ${file} is damaged.`, { cause });
  });
  const missingNames = [
    ...options.inputs.filter((name) => !session.inputNames.includes(name)),
    ...options.outputs.filter((name) => !session.outputNames.includes(name)),
  ];
  if (missingNames.length > 0) {
    await session.release();
    throw new AppError('engine_unavailable', `The model file ${file} has no "${missingNames.join('", "')}".`);
  }
  const runMixed = async (inputs: OnnxInputs): Promise<OnnxOutputs> => {
    const feeds: Record<string, Tensor> = {};
    for (const [name, { data, dims }] of Object.entries(inputs)) feeds[name] = toTensor(ort, data, dims);
    const results = await runSession(session, feeds, options.outputs);
    const outputs: OnnxOutputs = {};
    for (const name of options.outputs) {
      const tensor = results[name];
      if (tensor?.data instanceof Float32Array) outputs[name] = { data: tensor.data, dims: tensor.dims };
      else if (tensor?.data instanceof Int32Array) outputs[name] = { data: tensor.data, dims: tensor.dims };
      else throw new AppError('engine_failed');
    }
    return outputs;
  };
  return {
    runMixed,
    async run(inputs) {
      const outputs = await runMixed(inputs);
      if (!Object.values(outputs).every(isFloatTensor)) throw new AppError('engine_failed');
      return outputs as Record<string, FloatTensor>;
    },
    close: () => session.release(),
  };
}

/**
 * Loads ONNX Runtime with its telemetry disabled: from 1.29 on, except on Windows, it would report
 * the names and digests of models to its makers, with a persistent number of the machine.
 */
async function loadRuntime(): Promise<typeof Runtime> {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  // The import is lazy: it takes tens of megabytes, and some processes only check for files.
  return import('onnxruntime-node');
}

const isFloatTensor = (tensor: FloatTensor | Int32Tensor) => tensor.data instanceof Float32Array;

function toTensor(ort: typeof Runtime, data: OnnxInputs[string]['data'], dims: readonly number[]): Tensor {
  if (data instanceof Float32Array) return new ort.Tensor('float32', data, dims);
  return data instanceof Int32Array ? new ort.Tensor('int32', data, dims) : new ort.Tensor('int64', data, dims);
}

async function runSession(session: InferenceSession, feeds: Record<string, Tensor>, outputs: readonly string[]) {
  try {
    return await session.run(feeds, outputs);
  } catch (cause) {
    throw new AppError('engine_failed', undefined, { cause });
  }
}
