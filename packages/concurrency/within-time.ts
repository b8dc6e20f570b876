/**
 * The outcome of work, or that of `late`, which is called after `limitMs` without one. The work
 * itself goes on; a failure after that is ignored.
 */
export async function withinTime<Value, Late>(
  work: Promise<Value>,
  limitMs: number,
  late: () => Late | Promise<Late>,
): Promise<Value | Late> {
  const timeUp = Promise.withResolvers<void>();
  const timer = setTimeout(timeUp.resolve, limitMs);
  try {
    return await Promise.race([work, timeUp.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
