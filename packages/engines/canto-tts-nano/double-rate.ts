/** Samples of the input on each side of the filter's middle. */
const REACH = 10;
const KAISER_BETA = 5;

/**
 * Doubles the rate of mono sound with the filter of `scipy.signal.resample_poly(x, 2, 1)`, with
 * which the publisher prepares recordings: a sinc of 41 taps in a Kaiser window.
 */
export function doubleRate(sound: Float32Array): Float32Array {
  const doubled = new Float32Array(2 * sound.length);
  for (let at = 0; at < doubled.length; at += 1) {
    const first = Math.max(0, Math.ceil((at - 2 * REACH) / 2));
    const last = Math.min(sound.length - 1, Math.floor((at + 2 * REACH) / 2));
    let sum = 0;
    for (let input = first; input <= last; input += 1) sum += sound[input]! * TAPS[at - 2 * input + 2 * REACH]!;
    doubled[at] = sum;
  }
  return doubled;
}

/** The taps for two samples of output for one of input, with a gain of 2 for the zeros between. */
const TAPS = (() => {
  const taps = Array.from({ length: 4 * REACH + 1 }, (_, index) => {
    const x = (index - 2 * REACH) / 2;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    return sinc * bessel(KAISER_BETA * Math.sqrt(1 - (x / REACH) ** 2));
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return Float32Array.from(taps, (tap) => Math.fround(2 * Math.fround(tap / sum)));
})();

/** The modified Bessel function of the first kind and order 0, by its power series. */
function bessel(x: number): number {
  let sum = 1;
  for (let k = 1, term = 1; term > 1e-17 * sum; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
