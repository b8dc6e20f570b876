import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { readSamples } from '../../../eval/sound.ts';
import { makeSpokenSet, sentencesToSpeak } from '../../../eval/tts/spoken-set.ts';
import type { Example, Listener } from './examples.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MODEL = 'espeak';
const MANNER = { model: MODEL, temperature: 0.9 };

/** Sentences by the voices that ship, with the tones that they were told to say: connected speech at every register. */
export async function speakExamples(
  language: SyllabicLanguage,
  { count, modelsDir }: { count: number; modelsDir: string },
  listener: Listener,
): Promise<Example[]> {
  const voices = loadShippedVoices(join(ROOT, 'voices')).map(({ voice: { id, profile } }) => ({
    id,
    profile,
    reference: null,
  }));
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-tones-'));
  const env = { builtinModelsDir: modelsDir, modelsDir, settings: {} };
  const examples: Example[] = [];
  try {
    const sentences = await sentencesToSpeak(language, count);
    const place = { enginesDir: join(ROOT, 'packages/engines'), env };
    const set = await makeSpokenSet(language, { sentences, voices, style: MANNER, folder }, place, () => undefined);
    for (const { path, units, speaker, text } of set.items) {
      const heard = units === null ? null : await listener.listen(await readSamples(path), units);
      if (heard !== null) examples.push({ name: text ?? path, speaker: speaker ?? '', isHeldOut: true, ...heard });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return examples;
}
