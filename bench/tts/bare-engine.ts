// Synthesizes texts in turn without the service: `bare-engine.ts <profile file> <seconds> <texts as
// JSON>`. Prints as JSON the times to the first audio of each text (ms) and the speed (seconds of
// audio per second).
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { openBareSynthesis } from './bare-synthesis.ts';

const [voicePath = '', seconds = '5', list = '[]'] = process.argv.slice(2);
const texts = JSON.parse(list) as string[];
const speak = await openBareSynthesis(voicePath);

/** Synthesizes a text; returns the seconds of audio and the milliseconds to the first audio. */
async function speakOnce(text: string): Promise<{ soundSeconds: number; firstMs: number }> {
  const startedMs = performance.now();
  let firstMs = Number.NaN;
  let count = 0;
  for await (const samples of speak(text)) {
    if (count === 0) firstMs = performance.now() - startedMs;
    count += samples.length;
  }
  return { soundSeconds: count / SYNTHESIS_SAMPLE_RATE_HZ, firstMs };
}

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
