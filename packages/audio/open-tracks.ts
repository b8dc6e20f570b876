import { openAudioInput, type AudioInput } from './av-input.ts';
import { isSilent } from './silent-track.ts';

/**
 * Opens every track of a file that is decoded: one, or the microphones of several people in a track
 * each. A silent track gives way to another, as where a screen was recorded without the sound of
 * its programs. Throws the errors of `openAudioInput`.
 */
export async function openAudioInputs(path: string): Promise<[AudioInput, ...AudioInput[]]> {
  const silent: number[] = [];
  for (;;) {
    const inputs = await openUsed(path, silent);
    const { tracks } = inputs[0];
    const used = tracks.findIndex(({ isUsed }) => isUsed);
    if (tracks.length === 1 || inputs.length > 1 || silent.includes(used)) return inputs;
    const isChosen = await isSilent(inputs[0]).finally(() => inputs[0].close());
    if (!isChosen) return await openUsed(path, silent);
    silent.push(used);
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
