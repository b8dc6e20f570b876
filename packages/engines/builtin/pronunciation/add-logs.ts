/** Difference of natural logarithms beyond which the smaller term is below the precision. */
const FAR_BELOW = 30;

/** Computes log(e^a + e^b). */
export function addLogs(a: number, b: number): number {
  const top = Math.max(a, b);
  const low = Math.min(a, b);
  return top - low > FAR_BELOW || top === -Infinity ? top : top + Math.log1p(Math.exp(low - top));
}
