/** The part of `fft.js` that a real transform needs: complex numbers as re, im, re, im … */
export type ComplexFft = {
  transform(output: Float64Array, input: Float64Array): void;
  /** Inverts `transform`, including the scale. */
  inverseTransform(output: Float64Array, input: Float64Array): void;
};

/** A pass over the numbers; `turns` has cosine and sine of each part of each group. */
type Stage = { radix: number; groups: number; stride: number; turns: Float64Array };

const RADICES = [4, 2, 3, 5] as const;

/**
 * Creates a complex transform of a size whose prime factors are 2, 3 and 5, after the self-sorting
 * algorithm of Stockham (W. T. Cochran et al., "What is the fast Fourier transform?", Proceedings
 * of the IEEE 55(10), 1967). Input and output must be different arrays. Throws a RangeError for
 * other sizes.
 */
export function createMixedRadixFft(size: number): ComplexFft {
  const [forward, backward] = [stagesOf(size, -1), stagesOf(size, 1)];
  const buffers = [new Float64Array(2 * size), new Float64Array(2 * size)] as const;

  const run = (output: Float64Array, input: Float64Array, stages: readonly Stage[], sign: number) => {
    let from = input;
    for (const [index, stage] of stages.entries()) {
      const to = index === stages.length - 1 ? output : buffers[index % 2]!;
      BUTTERFLIES[stage.radix]!(from, to, stage, sign);
      from = to;
    }
  };

  return {
    transform: (output, input) => run(output, input, forward, -1),
    inverseTransform(output, input) {
      run(output, input, backward, 1);
      for (let i = 0; i < 2 * size; i += 1) output[i] = output[i]! / size;
    },
  };
}

function stagesOf(size: number, sign: number): Stage[] {
  const stages: Stage[] = [];
  let left = size;
  while (left > 1) {
    const radix = RADICES.find((factor) => left % factor === 0);
    if (radix === undefined) throw new RangeError(`The size ${size} has prime factors above 5.`);
    const groups = left / radix;
    const turns = new Float64Array(2 * left);
    for (let at = 0; at < left; at += 1) {
      const angle = (sign * 2 * Math.PI * Math.floor(at / radix) * (at % radix)) / left;
      turns[2 * at] = Math.cos(angle);
      turns[2 * at + 1] = Math.sin(angle);
    }
    stages.push({ radix, groups, stride: size / left, turns });
    left = groups;
  }
  return stages;
}

type Butterfly = (from: Float64Array, to: Float64Array, stage: Stage, sign: number) => void;

const BUTTERFLIES: Readonly<Record<number, Butterfly>> = { 2: radix2, 3: radix3, 4: radix4, 5: radix5 };

function radix2(from: Float64Array, to: Float64Array, { groups, stride, turns }: Stage): void {
  const [step, width] = [2 * stride * groups, 2 * stride];
  for (let group = 0; group < groups; group += 1) {
    const c = turns[4 * group + 2]!;
    const s = turns[4 * group + 3]!;
    for (let q = 0; q < width; q += 2) {
      const a = q + width * group;
      const b = a + step;
      const out = q + 2 * width * group;
      const re = from[a]! - from[b]!;
      const im = from[a + 1]! - from[b + 1]!;
      to[out] = from[a]! + from[b]!;
      to[out + 1] = from[a + 1]! + from[b + 1]!;
      to[out + width] = re * c - im * s;
      to[out + width + 1] = re * s + im * c;
    }
  }
}

const SIN_60 = Math.sqrt(3) / 2;

function radix3(from: Float64Array, to: Float64Array, { groups, stride, turns }: Stage, sign: number): void {
  const [step, width] = [2 * stride * groups, 2 * stride];
  const side = sign * SIN_60;
  for (let group = 0; group < groups; group += 1) {
    const c1 = turns[6 * group + 2]!;
    const s1 = turns[6 * group + 3]!;
    const c2 = turns[6 * group + 4]!;
    const s2 = turns[6 * group + 5]!;
    for (let q = 0; q < width; q += 2) {
      const a = q + width * group;
      const b = a + step;
      const c = a + 2 * step;
      const out = q + 3 * width * group;
      const sumRe = from[b]! + from[c]!;
      const sumIm = from[b + 1]! + from[c + 1]!;
      const sideRe = side * (from[c + 1]! - from[b + 1]!);
      const sideIm = side * (from[b]! - from[c]!);
      const midRe = from[a]! - sumRe / 2;
      const midIm = from[a + 1]! - sumIm / 2;
      to[out] = from[a]! + sumRe;
      to[out + 1] = from[a + 1]! + sumIm;
      to[out + width] = (midRe + sideRe) * c1 - (midIm + sideIm) * s1;
      to[out + width + 1] = (midRe + sideRe) * s1 + (midIm + sideIm) * c1;
      to[out + 2 * width] = (midRe - sideRe) * c2 - (midIm - sideIm) * s2;
      to[out + 2 * width + 1] = (midRe - sideRe) * s2 + (midIm - sideIm) * c2;
    }
  }
}

function radix4(from: Float64Array, to: Float64Array, { groups, stride, turns }: Stage, sign: number): void {
  const [step, width] = [2 * stride * groups, 2 * stride];
  for (let group = 0; group < groups; group += 1) {
    const at = 8 * group;
    const c1 = turns[at + 2]!;
    const s1 = turns[at + 3]!;
    const c2 = turns[at + 4]!;
    const s2 = turns[at + 5]!;
    const c3 = turns[at + 6]!;
    const s3 = turns[at + 7]!;
    for (let q = 0; q < width; q += 2) {
      const a = q + width * group;
      const b = a + step;
      const c = a + 2 * step;
      const d = a + 3 * step;
      const out = q + 4 * width * group;
      const evenRe = from[a]! + from[c]!;
      const evenIm = from[a + 1]! + from[c + 1]!;
      const oddRe = from[b]! + from[d]!;
      const oddIm = from[b + 1]! + from[d + 1]!;
      const apartRe = from[a]! - from[c]!;
      const apartIm = from[a + 1]! - from[c + 1]!;
      const turnRe = sign * (from[d + 1]! - from[b + 1]!);
      const turnIm = sign * (from[b]! - from[d]!);
      const differRe = evenRe - oddRe;
      const differIm = evenIm - oddIm;
      to[out] = evenRe + oddRe;
      to[out + 1] = evenIm + oddIm;
      to[out + width] = (apartRe + turnRe) * c1 - (apartIm + turnIm) * s1;
      to[out + width + 1] = (apartRe + turnRe) * s1 + (apartIm + turnIm) * c1;
      to[out + 2 * width] = differRe * c2 - differIm * s2;
      to[out + 2 * width + 1] = differRe * s2 + differIm * c2;
      to[out + 3 * width] = (apartRe - turnRe) * c3 - (apartIm - turnIm) * s3;
      to[out + 3 * width + 1] = (apartRe - turnRe) * s3 + (apartIm - turnIm) * c3;
    }
  }
}

const COS_72 = Math.cos((2 * Math.PI) / 5);
const COS_144 = Math.cos((4 * Math.PI) / 5);
const SIN_72 = Math.sin((2 * Math.PI) / 5);
const SIN_144 = Math.sin((4 * Math.PI) / 5);

function radix5(from: Float64Array, to: Float64Array, { groups, stride, turns }: Stage, sign: number): void {
  const [step, width] = [2 * stride * groups, 2 * stride];
  const [side1, side2] = [sign * SIN_72, sign * SIN_144];
  for (let group = 0; group < groups; group += 1) {
    const at = 10 * group;
    const c1 = turns[at + 2]!;
    const s1 = turns[at + 3]!;
    const c2 = turns[at + 4]!;
    const s2 = turns[at + 5]!;
    const c3 = turns[at + 6]!;
    const s3 = turns[at + 7]!;
    const c4 = turns[at + 8]!;
    const s4 = turns[at + 9]!;
    for (let q = 0; q < width; q += 2) {
      const a = q + width * group;
      const b = a + step;
      const c = a + 2 * step;
      const d = a + 3 * step;
      const e = a + 4 * step;
      const out = q + 5 * width * group;
      const re = from[a]!;
      const im = from[a + 1]!;
      const outerRe = from[b]! + from[e]!;
      const outerIm = from[b + 1]! + from[e + 1]!;
      const innerRe = from[c]! + from[d]!;
      const innerIm = from[c + 1]! + from[d + 1]!;
      const outerTurnRe = from[e + 1]! - from[b + 1]!;
      const outerTurnIm = from[b]! - from[e]!;
      const innerTurnRe = from[d + 1]! - from[c + 1]!;
      const innerTurnIm = from[c]! - from[d]!;
      const re1 = re + COS_72 * outerRe + COS_144 * innerRe;
      const im1 = im + COS_72 * outerIm + COS_144 * innerIm;
      const re2 = re + COS_144 * outerRe + COS_72 * innerRe;
      const im2 = im + COS_144 * outerIm + COS_72 * innerIm;
      const sideRe1 = side1 * outerTurnRe + side2 * innerTurnRe;
      const sideIm1 = side1 * outerTurnIm + side2 * innerTurnIm;
      const sideRe2 = side2 * outerTurnRe - side1 * innerTurnRe;
      const sideIm2 = side2 * outerTurnIm - side1 * innerTurnIm;
      to[out] = re + outerRe + innerRe;
      to[out + 1] = im + outerIm + innerIm;
      to[out + width] = (re1 + sideRe1) * c1 - (im1 + sideIm1) * s1;
      to[out + width + 1] = (re1 + sideRe1) * s1 + (im1 + sideIm1) * c1;
      to[out + 2 * width] = (re2 + sideRe2) * c2 - (im2 + sideIm2) * s2;
      to[out + 2 * width + 1] = (re2 + sideRe2) * s2 + (im2 + sideIm2) * c2;
      to[out + 3 * width] = (re2 - sideRe2) * c3 - (im2 - sideIm2) * s3;
      to[out + 3 * width + 1] = (re2 - sideRe2) * s3 + (im2 - sideIm2) * c3;
      to[out + 4 * width] = (re1 - sideRe1) * c4 - (im1 - sideIm1) * s4;
      to[out + 4 * width + 1] = (re1 - sideRe1) * s4 + (im1 - sideIm1) * c4;
    }
  }
}
