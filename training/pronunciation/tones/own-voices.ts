import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { readSamples } from '../../../eval/sound.ts';
import { makeSpokenSet, sentencesToSpeak } from '../../../eval/tts/spoken-set.ts';
import type { Example, ContourMeasurer } from './examples.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MODEL = 'espeak';
const STYLE = { model: MODEL, temperature: 0.9 };

/**
 * Synthesizes sentences in the shipped voices with their target tones: connected speech in every
 * register.
 */
export async function speakExamples(
  language: SyllabicLanguage,
  { count, modelsDir }: { count: number; modelsDir: string },
  measurer: ContourMeasurer,
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
    const set = await makeSpokenSet(language, { sentences, voices, style: STYLE, folder }, place, () => undefined);
    for (const { path, units, speaker, text } of set.items) {
      const measured = units === null ? null : await measurer.measure(await readSamples(path), units);
      if (measured !== null)
        examples.push({ name: text ?? path, speaker: speaker ?? '', isHeldOut: true, ...measured });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return examples;
}
