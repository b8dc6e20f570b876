/** Durand–Kerner iterations; polynomials of speech converge in fewer than twenty. */
const ITERATIONS = 40;

/**
 * Computes the all-pole model of an autocorrelation: 1, a1 … a(order), by the Levinson–Durbin
 * recursion (J. Makhoul, "Linear prediction: a tutorial review", 1975). Silence gives no poles.
 */
export function predictor(autocorrelation: Float64Array, order: number): Float64Array {
  const coefficients = new Float64Array(order + 1);
  coefficients[0] = 1;
  let error = autocorrelation[0]!;
  const before = new Float64Array(order + 1);
  for (let i = 1; i <= order && error > 1e-20; i += 1) {
    let sum = 0;
    for (let j = 0; j < i; j += 1) sum += coefficients[j]! * autocorrelation[i - j]!;
    const reflection = -sum / error;
    before.set(coefficients);
    for (let j = 1; j <= i; j += 1) coefficients[j] = before[j]! + reflection * before[i - j]!;
    error *= 1 - reflection * reflection;
  }
  return coefficients;
}

/**
 * Finds the roots of 1 + a1·z⁻¹ + … simultaneously, as real and imaginary parts (Durand–Kerner).
 */
export function rootsOf(coefficients: Float64Array): Float64Array {
  const order = coefficients.length - 1;
  const roots = new Float64Array(2 * order);
  for (let i = 0; i < order; i += 1) {
    roots[2 * i] = 0.9 * Math.cos((2 * Math.PI * i) / order + 0.4);
    roots[2 * i + 1] = 0.9 * Math.sin((2 * Math.PI * i) / order + 0.4);
  }
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    let moved = 0;
    for (let i = 0; i < order; i += 1) moved = Math.max(moved, improve(coefficients, roots, i));
    if (moved < 1e-8) break;
  }
  return roots;
}

/** Updates one root; returns the size of its step. */
function improve(coefficients: Float64Array, roots: Float64Array, i: number): number {
  const order = coefficients.length - 1;
  const x = roots[2 * i]!;
  const y = roots[2 * i + 1]!;
  let re = 1;
  let im = 0;
  for (let n = 1; n <= order; n += 1) {
    const next = re * x - im * y + coefficients[n]!;
    im = re * y + im * x;
    re = next;
  }
  let productRe = 1;
  let productIm = 0;
  for (let j = 0; j < order; j += 1) {
    if (j === i) continue;
    const dx = x - roots[2 * j]!;
    const dy = y - roots[2 * j + 1]!;
    const next = productRe * dx - productIm * dy;
    productIm = productRe * dy + productIm * dx;
    productRe = next;
  }
  const power = productRe * productRe + productIm * productIm + 1e-300;
  const stepRe = (re * productRe + im * productIm) / power;
  const stepIm = (im * productRe - re * productIm) / power;
  roots[2 * i] = x - stepRe;
  roots[2 * i + 1] = y - stepIm;
  return Math.abs(stepRe) + Math.abs(stepIm);
}
