// Recognizes short recordings without the service, one after the other:
// `bare-clips.ts <language, or auto> <count> <file> …`. Prints the seconds and the processor
// seconds that this took.
import { decodeAudio } from '@jyutsing/audio/decode';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { loadConfig } from '#server/config/config.ts';

const [language = 'cantonese', count = '1', ...paths] = process.argv.slice(2);
const engines = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env: loadConfig().engines });
const recognizer = await engines.open(engines.select('recognizer', { language: 'cantonese' }));
const identifier = await engines.open(engines.select('language-identifier'));
const { signal } = new AbortController();
const decode = (path: string) =>
  decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, signal, maxDurationMs: 36e6 });

async function recognize(path: string): Promise<void> {
  const named = LANGUAGES.find((name) => name === language);
  const spoken = named ?? (await identifier.identify(decode(path), LANGUAGES, signal))?.language ?? 'cantonese';
  const options = { language: spoken, context: null, romanize: spoken === 'cantonese' };
  for await (const event of recognizer.recognize(decode(path), options, signal)) void event;
}

// The models are loaded and warm, as they are in the service.
for (const path of paths) await recognize(path);
const startedMs = performance.now();
const before = process.cpuUsage();
for (let index = 0; index < Number(count); index += 1) await recognize(paths[index % paths.length]!);
const { user, system } = process.cpuUsage(before);
console.log((performance.now() - startedMs) / 1e3, (user + system) / 1e6);
process.exit(0);
