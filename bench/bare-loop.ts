// Decodes and recognizes one file several times without the service: `bare-loop.ts <file> <count>`.
// Prints the seconds that this took.
import { decodeAudio } from '@jyutsing/audio/decode';
import { loadConfig } from '#server/config/config.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';

const [path = '', count = '1'] = process.argv.slice(2);
const env = loadConfig().engines;
const engines = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const recognizer = await engines.open(engines.select('recognizer', { language: 'cantonese' }));

async function recognizeOnce(): Promise<void> {
  const { signal } = new AbortController();
  const sound = decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, signal, maxDurationMs: 36e6 });
  const options = { language: 'cantonese', context: null, romanize: false } as const;
  for await (const event of recognizer.recognize(sound, options, signal)) void event;
}

// The model is loaded and warm, as it is in the service.
await recognizeOnce();
const startedMs = performance.now();
for (let left = Number(count); left > 0; left -= 1) await recognizeOnce();
console.log((performance.now() - startedMs) / 1_000);
await recognizer.close();
