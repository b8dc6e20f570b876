import { encodeTypedOnnx, floats, node } from './typed-onnx.ts';
import { float, type ModelFiles } from './recognizer-models.ts';

const WINDOW_SAMPLES = 160_000;
const RECEPTIVE_FIELD_SAMPLES = 991;
const FRAME_SAMPLES = 270;

/**
 * Segmentation: the first speaker wherever it is loud. Model type pyannote 3.0: ten seconds, seven
 * classes for three speakers.
 */
export function pyannoteFiles(): ModelFiles {
  const model = encodeTypedOnnx({
    nodes: [
      node('Mul', ['x', 'x'], 'power'),
      node('AveragePool', ['power'], 'frames', {
        kernel_shape: [RECEPTIVE_FIELD_SAMPLES],
        strides: [FRAME_SAMPLES],
      }),
      node('Transpose', ['frames'], 'column', { perm: [0, 2, 1] }),
      node('MatMul', ['column', 'weights'], 'energy'),
      node('Add', ['energy', 'bias'], 'y'),
    ],
    constants: [
      floats('weights', [1, 7], (_row, speakers) => (speakers === 1 ? 1_000 : 0)),
      floats('bias', [7], (speakers) => (speakers === 0 ? 1 : speakers === 1 ? 0 : -100)),
    ],
    inputs: [float('x', 'N', 1, 'T')],
    outputs: [float('y', 'N', 'frames', 7)],
    metadata: {
      model_type: 'pyannote-segmentation-3.0',
      sample_rate: 16_000,
      window_size: WINDOW_SAMPLES,
      receptive_field_size: RECEPTIVE_FIELD_SAMPLES,
      receptive_field_shift: FRAME_SAMPLES,
      num_speakers: 3,
      powerset_max_classes: 2,
      num_classes: 7,
    },
  });
  return { 'model.onnx': model };
}

/** Embedding: the mean spectrum in the first 80 of 192 dimensions. Model type 3D-Speaker. */
export function camPlusPlusFiles(file = '3dspeaker_speech_campplus_sv_zh-cn_16k-common.onnx'): ModelFiles {
  const model = encodeTypedOnnx({
    nodes: [
      node('ReduceMean', ['feature'], 'spectrum', { axes: [1], keepdims: 0 }),
      node('MatMul', ['spectrum', 'widen'], 'embedding'),
    ],
    constants: [floats('widen', [80, 192], (band, dimension) => (band === dimension ? 1 : 0))],
    inputs: [float('feature', 'N', 'T', 80)],
    outputs: [float('embedding', 'N', 192)],
    metadata: {
      framework: '3d-speaker',
      language: 'Chinese',
      output_dim: 192,
      sample_rate: 16_000,
      normalize_samples: 1,
      feature_normalize_type: '',
    },
  });
  return { [file]: model };
}
