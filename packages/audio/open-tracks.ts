import { openAudioInput, type AudioInput } from './av-input.ts';
import { silentMsOf } from './silent-track.ts';

/** The search for sound in the tracks of a file ends after so much of all of them together. */
const SEARCHED_MS = 120_000;

/**
 * Opens every track of a file that is decoded: one, or the microphones of several people in a track
 * each. One that begins with silence is mixed with another, as where a screen was recorded without
 * the sound of its programs. Throws the errors of `openAudioInput`; an aborted signal throws its
 * reason.
 */
export async function openAudioInputs(
  path: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<[AudioInput, ...AudioInput[]]> {
  const silent: number[] = [];
  for (let leftMs = SEARCHED_MS; ;) {
    const inputs = await openUsed(path, silent);
    const { tracks } = inputs[0];
    const used = [...tracks.keys()].filter((number) => tracks[number]!.isUsed && !silent.includes(number));
    if (tracks.length === 1 || used.length !== 1 || leftMs <= 0) return inputs;
    const close = () => inputs.forEach((input) => input.close());
    const silentMs = await silentMsOf(inputs[0], leftMs, signal).finally(close);
    signal.throwIfAborted();
    if (silentMs === null) return await openUsed(path, silent);
    leftMs -= silentMs;
    silent.push(used[0]!);
  }
}

async function openUsed(path: string, silent: readonly number[]): Promise<[AudioInput, ...AudioInput[]]> {
  const inputs: [AudioInput, ...AudioInput[]] = [await openAudioInput(path, { silent })];
  const count = inputs[0].tracks.filter(({ isUsed }) => isUsed).length;
  try {
    while (inputs.length < count) inputs.push(await openAudioInput(path, { silent, position: inputs.length }));
    return inputs;
  } catch (thrown) {
    for (const input of inputs) input.close();
    throw thrown;
  }
}
