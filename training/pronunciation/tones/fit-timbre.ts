import { silu, TIMBRE_FEATURES, type TimbreModel } from '#engines/builtin/pronunciation/tones/voice-timbre.ts';
import { seededRandom } from '../../evaluate/score.ts';

/** One voiced frame of a speaker whose register is known. */
export type TimbreExample = { features: Float64Array; pitch: number; register: number; recording: number };

/** Limits between the classes of registers, semitones above 1 Hz, and what stands for each class. */
const LIMITS = [83, 85, 87, 89, 91, 93, 95, 97];
const CENTRES = [82, 84, 86, 88, 90, 92, 94, 96, 98.5];
const HIDDEN = 32;
const EPOCHS = 10;
const BATCH = 256;
const LEARNING_RATE = 3e-3;
const DECAY = 1e-3;
/** Each recording is heard through another smooth filter in each epoch: of the cepstra's own spread. */
const FILTER = [0.15, 0.125, 0.125, 0.1, 0.075];
const FILTER_REST = 0.05;
/** Middle and width of pitches, for the part of the classifier that knows the pitch. */
const PITCH = { middle: 90, width: 4 };

type Layer = { inputs: number; outputs: number; weights: Float64Array; biases: Float64Array };

/**
 * Fits what a voice's spectrum tells of its register as the part of a classifier that is left when the pitch of the frame itself has been
 * told: logits = network(spectrum) + quadratic(pitch). Without the second part the network would learn to hear the pitch, and a high tone
 * would make a high voice of its speaker. Multinomial logistic regression by Adam; classes weigh by the root of their size.
 */
export function fitTimbre(examples: readonly TimbreExample[], shift: number, weight: number): TimbreModel {
  const random = seededRandom(7);
  const layers = [
    layer(TIMBRE_FEATURES, HIDDEN, random),
    layer(HIDDEN, HIDDEN, random),
    layer(HIDDEN, CENTRES.length, random),
  ];
  const pitchLayer = layer(2, CENTRES.length, random);
  const classes = examples.map(({ register }) => LIMITS.filter((limit) => register >= limit).length);
  const counts = CENTRES.map((_, at) => classes.filter((each) => each === at).length);
  const weights = classes.map((each) => 1 / Math.sqrt(Math.max(1, counts[each]!)));
  const meanWeight = weights.reduce((sum, each) => sum + each, 0) / weights.length;
  const steps = [...layers, pitchLayer].flatMap((each) => [adam(each.weights, true), adam(each.biases, false)]);
  const order = examples.map((_, at) => at);
  const batches = Math.floor(examples.length / BATCH);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    const filters = new Map<number, Float64Array>();
    for (let batch = 0; batch < batches; batch++) {
      const rate = (LEARNING_RATE / 2) * (1 + Math.cos((Math.PI * (epoch * batches + batch)) / (EPOCHS * batches)));
      for (let at = batch * BATCH; at < (batch + 1) * BATCH; at++) {
        const index = order[at]!;
        const { features, pitch, recording } = examples[index]!;
        if (!filters.has(recording)) filters.set(recording, smoothFilter(random));
        const input = features.map((value, k) => value + filters.get(recording)![k]!);
        const above = (pitch - PITCH.middle) / PITCH.width;
        accumulate(
          layers,
          pitchLayer,
          input,
          Float64Array.of(above, above * above),
          classes[index]!,
          weights[index]! / meanWeight / BATCH,
          steps,
        );
      }
      for (const step of steps) step.apply(rate);
    }
  }
  return toModel(layers, examples, shift, weight);
}

/** Adds the gradient of one example's weighted cross-entropy. */
function accumulate(
  layers: readonly Layer[],
  pitchLayer: Layer,
  input: Float64Array,
  pitchInput: Float64Array,
  target: number,
  weight: number,
  steps: readonly Adam[],
): void {
  const sums: Float64Array[] = [];
  const inputs: Float64Array[] = [input];
  layers.forEach((each, at) => {
    const sum = forward(each, inputs[at]!);
    sums.push(sum);
    inputs.push(sum.map(silu));
  });
  const byPitch = forward(pitchLayer, pitchInput);
  const logits = sums.at(-1)!.map((value, at) => value + byPitch[at]!);
  const top = Math.max(...logits);
  const shares = logits.map((value) => Math.exp(value - top));
  const total = shares.reduce((sum, value) => sum + value, 0);
  let error: Float64Array = shares.map((value, at) => weight * (value / total - Number(at === target)));
  backward(pitchLayer, pitchInput, error, steps[2 * layers.length]!.gradient, steps[2 * layers.length + 1]!.gradient);
  for (let at = layers.length - 1; at >= 0; at--) {
    const before = backward(layers[at]!, inputs[at]!, error, steps[2 * at]!.gradient, steps[2 * at + 1]!.gradient);
    if (at === 0) break;
    const previous = sums[at - 1]!;
    error = before.map((value, k) => {
      const gate = 1 / (1 + Math.exp(-previous[k]!));
      return value * gate * (1 + previous[k]! * (1 - gate));
    });
  }
}

function layer(inputs: number, outputs: number, random: () => number): Layer {
  const bound = 1 / Math.sqrt(inputs);
  const draw = (): number => (2 * random() - 1) * bound;
  return {
    inputs,
    outputs,
    weights: Float64Array.from({ length: inputs * outputs }, draw),
    biases: Float64Array.from({ length: outputs }, draw),
  };
}

function forward({ inputs, outputs, weights, biases }: Layer, input: Float64Array): Float64Array {
  const result = new Float64Array(outputs);
  for (let output = 0; output < outputs; output++) {
    let sum = biases[output]!;
    for (let k = 0; k < inputs; k++) sum += weights[output * inputs + k]! * input[k]!;
    result[output] = sum;
  }
  return result;
}

/** Adds to the gradients, and gives the error of the inputs. */
function backward(
  { inputs, outputs, weights }: Layer,
  input: Float64Array,
  error: Float64Array,
  weightGradient: Float64Array,
  biasGradient: Float64Array,
): Float64Array {
  const before = new Float64Array(inputs);
  for (let output = 0; output < outputs; output++) {
    biasGradient[output]! += error[output]!;
    for (let k = 0; k < inputs; k++) {
      weightGradient[output * inputs + k]! += error[output]! * input[k]!;
      before[k]! += error[output]! * weights[output * inputs + k]!;
    }
  }
  return before;
}

type Adam = { gradient: Float64Array; apply(rate: number): void };

/** Adam with decoupled decay (Kingma & Ba 2015; Loshchilov & Hutter 2019). */
function adam(values: Float64Array, decays: boolean): Adam {
  const gradient = new Float64Array(values.length);
  const first = new Float64Array(values.length);
  const second = new Float64Array(values.length);
  let count = 0;
  return {
    gradient,
    apply(rate) {
      count += 1;
      for (let k = 0; k < values.length; k++) {
        first[k] = 0.9 * first[k]! + 0.1 * gradient[k]!;
        second[k] = 0.999 * second[k]! + 0.001 * gradient[k]! ** 2;
        const step = first[k]! / (1 - 0.9 ** count) / (Math.sqrt(second[k]! / (1 - 0.999 ** count)) + 1e-8);
        values[k] = values[k]! * (1 - (decays ? rate * DECAY : 0)) - rate * step;
      }
      gradient.fill(0);
    },
  };
}

function smoothFilter(random: () => number): Float64Array {
  return Float64Array.from({ length: TIMBRE_FEATURES }, (_, k) => (FILTER[k] ?? FILTER_REST) * gaussian(random));
}

const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function shuffle(values: number[], random: () => number): void {
  for (let at = values.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [values[at], values[other]] = [values[other]!, values[at]!];
  }
}

/** Over all examples no register is favoured. */
function toModel(
  layers: readonly Layer[],
  examples: readonly TimbreExample[],
  shift: number,
  weight: number,
): TimbreModel {
  const means = new Float64Array(CENTRES.length);
  for (const { features } of examples) {
    let values: Float64Array = features;
    layers.forEach((each, at) => {
      const sum = forward(each, values);
      values = at < layers.length - 1 ? sum.map(silu) : sum;
    });
    for (const [at, value] of values.entries()) means[at]! += value / examples.length;
  }
  const last = layers.at(-1)!;
  means.forEach((value, at) => (last.biases[at]! -= value));
  const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
  return {
    registers: CENTRES.map((centre) => rounded(centre + shift)),
    layers: layers.map(({ inputs, outputs, weights, biases }) => ({
      weights: Array.from({ length: outputs }, (_, row) =>
        Array.from(weights.subarray(row * inputs, (row + 1) * inputs), rounded),
      ),
      biases: Array.from(biases, rounded),
    })),
    weight,
  };
}
