import { join } from 'node:path';

/** What each program is told: its name, the address, the key, the folder of the sentence. */
export const [name, url, apiKey, folder] = process.argv.slice(2);
export const recording = join(folder, 'sentence.wav');
/** 16 kHz, 16 bit, mono. */
export const samples = join(folder, 'sentence.pcm');
export const TEXT = '早晨，今日好熱。';
/** A voice of ElevenLabs. */
export const VOICE = 'JBFqnCBsd6RMkjVDRZzb';
const PATIENCE_MS = 60_000;

/** Prints what a client received, or "FAILED" and why. */
export async function attempt(does, work) {
  const late = Promise.withResolvers();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), PATIENCE_MS);
  const got = await Promise.race([work(), late.promise]).catch(
    (thrown) => `FAILED ${thrown.name}: ${thrown.responseBody ?? JSON.stringify(thrown.body) ?? thrown.message}`,
  );
  clearTimeout(timer);
  console.log(JSON.stringify({ does, got: String(got).slice(0, 400) }));
}

/** How much sound a stream of parts has. */
export async function bytesOf(parts) {
  let total = 0;
  for await (const part of parts) total += part.length;
  return `${total} bytes`;
}
