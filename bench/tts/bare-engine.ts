// Synthesizes texts in turn without the service: `bare-engine.ts <profile file> <seconds> <texts as
// JSON>`. Prints as JSON the times to the first audio of each text (ms) and the speed (seconds of
// audio per second).
import { readFile } from 'node:fs/promises';
import { loadConfig } from '#server/config/config.ts';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { createEngineCache } from '#server/workers/engine-cache.ts';
import { loadSynthesizer, synthesizeParts } from '#server/workers/synthesize-parts.ts';

const [voicePath = '', seconds = '5', list = '[]'] = process.argv.slice(2);
const texts = JSON.parse(list) as string[];
const engines = createEngineCache(() => loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env: loadConfig().engines }));
const model = (await engines.registry()).select('synthesizer', { language: 'cantonese' });
const voice = JSON.parse(await readFile(voicePath, 'utf8')) as SynthesisVoice;
const { signal } = new AbortController();
const spoken = { fromSimplified: false, language: 'cantonese', voice, temperature: 0.9, topP: 0.95, speed: 1 } as const;

/** Synthesizes a text; returns the seconds of audio and the milliseconds to the first audio. */
async function speakOnce(text: string): Promise<{ soundSeconds: number; firstMs: number }> {
  const startedMs = performance.now();
  let firstMs = Number.NaN;
  let samples = 0;
  for (const part of splitText(text, 'cantonese')) {
    const call = { ...spoken, model, parts: [part], pitchSemitones: 0, seed: 1 };
    for await (const event of synthesizeParts(call, engines, signal)) {
      if (event.type !== 'audio') continue;
      if (samples === 0) firstMs = performance.now() - startedMs;
      samples += event.samples.length;
    }
  }
  return { soundSeconds: samples / SYNTHESIS_SAMPLE_RATE_HZ, firstMs };
}

await loadSynthesizer({ language: 'cantonese', model }, engines);
// Warm-up: in the service the code is compiled and the models are loaded.
for (let round = 0; round < 3; round += 1) await speakOnce(texts[0]!);
const firstMs: number[] = [];
let soundSeconds = 0;
const startedMs = performance.now();
for (let turn = 0; performance.now() - startedMs < Number(seconds) * 1_000; turn += 1) {
  const round = await speakOnce(texts[turn % texts.length]!);
  firstMs.push(round.firstMs);
  soundSeconds += round.soundSeconds;
}
console.log(JSON.stringify({ firstMs, speed: soundSeconds / ((performance.now() - startedMs) / 1_000) }));
