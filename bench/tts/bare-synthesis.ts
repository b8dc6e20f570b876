import { readFile } from 'node:fs/promises';
import { loadConfig } from '#server/config/config.ts';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { enginesIn, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { splitSpeechText } from '#server/features/synthesis/speech.ts';
import { createEngineCache } from '#server/workers/engine-cache.ts';
import { loadSynthesizer, synthesizeParts } from '#server/workers/synthesize-parts.ts';

/** Yields the sound of a Cantonese text as the model makes it, as samples from −1 to 1. */
export type Speak = (text: string) => AsyncGenerator<Float32Array>;

/** Loads the built-in model for Cantonese with the voice of a profile file. */
export async function openBareSynthesis(voicePath: string): Promise<Speak> {
  const engines = createEngineCache(enginesIn({ enginesDir: SHIPPED_ENGINES_DIR, env: loadConfig().engines }));
  const model = (await engines.registry()).select('synthesizer', { language: 'cantonese' });
  const voice = JSON.parse(await readFile(voicePath, 'utf8')) as SynthesisVoice;
  const { signal } = new AbortController();
  const style = { temperature: 0.9, topP: 0.95, speed: 1, pitchSemitones: 0 };
  await loadSynthesizer({ language: 'cantonese', model }, engines);
  return async function* speak(text) {
    const { parts, ...whole } = await splitSpeechText({
      text,
      jyutping: null,
      language: 'cantonese',
      fromSimplified: false,
    });
    for (const part of parts) {
      const speech = { model, voice, style, seed: 1, text: { ...whole, parts: [part] } };
      for await (const event of synthesizeParts(speech, engines, signal)) {
        if (event.type === 'audio') yield event.samples;
      }
    }
  };
}
