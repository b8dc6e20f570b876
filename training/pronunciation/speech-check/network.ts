import { createRandom } from '#packages/numeric/random.ts';
import type { SpeechNetwork } from '#packages/audio/speech/speech-network.ts';

export type Example = { features: readonly number[]; isSpeech: boolean; weight: number };

const HIDDEN = 24;
const EPOCHS = 40;
const BATCH = 256;
const RATE = 0.003;
const DECAY = 3e-4;
/** Noise added to scaled features against overfitting. */
const NOISE = 0.15;
const MAX_DEVIATIONS = 4;

/**
 * Logistic regression over one tanh layer, by Adam (D. Kingma, J. Ba, 2015) with weight decay;
 * deterministic for a seed.
 */
export function fitNetwork(examples: readonly Example[], seed: number): SpeechNetwork {
  const random = createRandom(seed);
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const size = examples[0]?.features.length ?? 0;
  const means = columns(size, (i) => meanOf(examples.map(({ features }) => features[i]!)));
  const deviations = columns(
    size,
    (i) => Math.sqrt(meanOf(examples.map(({ features }) => (features[i]! - means[i]!) ** 2))) + 1e-3,
  );
  const scaled = examples.map(({ features }) =>
    Float64Array.from(features, (value, i) =>
      Math.max(-MAX_DEVIATIONS, Math.min(MAX_DEVIATIONS, (value - means[i]!) / deviations[i]!)),
    ),
  );
  const weights = examples.map(({ weight }) => weight);
  const meanWeight = meanOf(weights);
  const row = size + 1;
  // Hidden units with their biases, then the output weights with theirs.
  const parameters = Float64Array.from({ length: HIDDEN * row + HIDDEN + 1 }, (_, i) => {
    if (i < HIDDEN * row) return i % row === size ? 0 : gauss() / Math.sqrt(size);
    return i === HIDDEN * row + HIDDEN ? 0 : gauss() / Math.sqrt(HIDDEN);
  });
  const step = createAdam(parameters);
  const gradient = new Float64Array(parameters.length);
  const input = new Float64Array(size);
  const order = examples.map((_, i) => i);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, random);
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH);
      gradient.fill(0);
      for (const index of batch) {
        for (let i = 0; i < size; i += 1) input[i] = scaled[index]![i]! + NOISE * gauss();
        const weight = weights[index]! / meanWeight / batch.length;
        addGradient(parameters, gradient, input, examples[index]!.isSpeech ? 1 : 0, weight);
      }
      for (let i = 0; i < parameters.length; i += 1) gradient[i]! += DECAY * parameters[i]!;
      step(gradient, RATE * (1 - epoch / EPOCHS) + RATE / 30);
    }
  }
  const hidden = Array.from({ length: HIDDEN }, (_, unit) => [...parameters.subarray(unit * row, (unit + 1) * row)]);
  return { means, deviations, hidden, output: [...parameters.subarray(HIDDEN * row)] };
}

const activations = new Float64Array(HIDDEN);

function addGradient(
  parameters: Float64Array,
  gradient: Float64Array,
  input: Float64Array,
  target: number,
  weight: number,
): void {
  const size = input.length;
  const row = size + 1;
  const outputs = HIDDEN * row;
  let sum = parameters[outputs + HIDDEN]!;
  for (let unit = 0; unit < HIDDEN; unit += 1) {
    let drive = parameters[unit * row + size]!;
    for (let i = 0; i < size; i += 1) drive += parameters[unit * row + i]! * input[i]!;
    activations[unit] = Math.tanh(drive);
    sum += parameters[outputs + unit]! * activations[unit]!;
  }
  const error = weight * (1 / (1 + Math.exp(-sum)) - target);
  gradient[outputs + HIDDEN]! += error;
  for (let unit = 0; unit < HIDDEN; unit += 1) {
    const activation = activations[unit]!;
    gradient[outputs + unit]! += error * activation;
    const back = error * parameters[outputs + unit]! * (1 - activation * activation);
    gradient[unit * row + size]! += back;
    for (let i = 0; i < size; i += 1) gradient[unit * row + i]! += back * input[i]!;
  }
}

function createAdam(parameters: Float64Array): (gradient: Float64Array, rate: number) => void {
  const mean = new Float64Array(parameters.length);
  const square = new Float64Array(parameters.length);
  let steps = 0;
  return (gradient, rate) => {
    steps += 1;
    for (let i = 0; i < parameters.length; i += 1) {
      mean[i] = 0.9 * mean[i]! + 0.1 * gradient[i]!;
      square[i] = 0.999 * square[i]! + 0.001 * gradient[i]! ** 2;
      const corrected = mean[i]! / (1 - 0.9 ** steps);
      parameters[i]! -= (rate * corrected) / (Math.sqrt(square[i]! / (1 - 0.999 ** steps)) + 1e-8);
    }
  };
}

function shuffle(order: number[], random: () => number): void {
  for (let i = order.length - 1; i > 0; i -= 1) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
}

const columns = (size: number, make: (i: number) => number) => Array.from({ length: size }, (_, i) => make(i));
const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
