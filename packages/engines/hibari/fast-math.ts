// Functions from tables with linear interpolation: a second of speech needs some three hundred
// thousand values, and the functions of the language take twice the time of all other work.

const CIRCLE_STEPS = 2_048;
/** Cosine and sine of each step of a turn, and of the first one again. */
const circle = new Float64Array(2 * CIRCLE_STEPS + 2);
for (let i = 0; i <= CIRCLE_STEPS; i += 1) {
  circle[2 * i] = Math.cos((2 * Math.PI * i) / CIRCLE_STEPS);
  circle[2 * i + 1] = Math.sin((2 * Math.PI * i) / CIRCLE_STEPS);
}

/** The sine of an angle in turns, 0 to 2^20; exact to 2e-6. */
export function sine(turns: number): number {
  const place = turns * CIRCLE_STEPS;
  const whole = place | 0;
  const at = 2 * (whole & (CIRCLE_STEPS - 1)) + 1;
  const from = circle[at]!;
  return from + (circle[at + 2]! - from) * (place - whole);
}

/** A complex number that a function writes instead of allocating one. */
export type Complex = { re: number; im: number };

/** Writes `size` in the direction of an angle in radians, −3,000 to 3,000; exact to 2e-6 of it. */
export function setPolar(size: number, radians: number, result: Complex): void {
  const place = radians * (CIRCLE_STEPS / (2 * Math.PI)) + 512 * CIRCLE_STEPS;
  const whole = place | 0;
  const share = place - whole;
  const at = 2 * (whole & (CIRCLE_STEPS - 1));
  const cosine = circle[at]!;
  const sineThere = circle[at + 1]!;
  result.re = size * (cosine + (circle[at + 2]! - cosine) * share);
  result.im = size * (sineThere + (circle[at + 3]! - sineThere) * share);
}

const BENT_STEPS = 512;
const BENT_MOST = 7.99;
/** Cosine and sine of π tanh(x) for x from −8 to 8. */
const bent = new Float64Array(2 * (16 * BENT_STEPS + 1));
for (let i = 0; i <= 16 * BENT_STEPS; i += 1) {
  const radians = Math.PI * Math.tanh(i / BENT_STEPS - 8);
  bent[2 * i] = Math.cos(radians);
  bent[2 * i + 1] = Math.sin(radians);
}

/** Writes `size` in the direction of the angle π tanh(x); exact to 2e-5 of it. */
export function setBent(size: number, x: number, result: Complex): void {
  const place = ((x > BENT_MOST ? BENT_MOST : x < -BENT_MOST ? -BENT_MOST : x) + 8) * BENT_STEPS;
  const whole = place | 0;
  const share = place - whole;
  const at = 2 * whole;
  const cosine = bent[at]!;
  const sineThere = bent[at + 1]!;
  result.re = size * (cosine + (bent[at + 2]! - cosine) * share);
  result.im = size * (sineThere + (bent[at + 3]! - sineThere) * share);
}

const POWER_STEPS = 256;
const POWER_BITS = 8;
const LEAST_EXPONENT = -64;
const powers = Float64Array.from({ length: POWER_STEPS + 1 }, (_, i) => 2 ** (i / POWER_STEPS));
const scales = Float64Array.from({ length: 128 }, (_, i) => 2 ** (i + LEAST_EXPONENT));
const PER_E = POWER_STEPS / Math.LN2;

/** Returns e to the power of a number between −44 and 44; exact to 1e-6 of it. */
export function exponential(x: number): number {
  const place = x * PER_E - LEAST_EXPONENT * POWER_STEPS;
  const whole = place | 0;
  const at = whole & (POWER_STEPS - 1);
  const from = powers[at]!;
  return scales[whole >> POWER_BITS]! * (from + (powers[at + 1]! - from) * (place - whole));
}
