const PATIENCE_MS = 5_000;

/** Seconds of a file, as far as the browser can tell; null when it cannot. */
export function durationOf(file: Blob): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const url = URL.createObjectURL(file);
  const sound = new Audio();
  const end = (seconds: number | null) => {
    URL.revokeObjectURL(url);
    resolve(seconds);
  };
  sound.preload = 'metadata';
  sound.addEventListener('loadedmetadata', () => end(Number.isFinite(sound.duration) ? sound.duration : null));
  sound.addEventListener('error', () => end(null));
  setTimeout(() => end(null), PATIENCE_MS);
  sound.src = url;
  return promise;
}
