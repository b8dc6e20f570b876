// A process of its own: recognizes WAV files of a language with the built-in recognizer, and prints
// the processor time of that in seconds, the peak memory of the process in bytes and the texts as
// JSON: `hear-entry.ts <language> <file> …`. Opening the models is not part of it.
import { decodeAudio } from '@jyutsing/audio/decode';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { engine } from '#packages/engines/builtin/recognizer.ts';
import { loadConfig } from '#server/config/config.ts';

const [language, ...files] = process.argv.slice(2) as [Language, ...string[]];
const recognizer = await engine.open(loadConfig().engines, 'builtin');
const { signal } = new AbortController();

async function recognize(path: string): Promise<string> {
  const audio = decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: Infinity, signal });
  const texts: string[] = [];
  for await (const event of recognizer.recognize(audio, { language, context: null, romanize: false }, signal)) {
    if (event.type === 'segment-end') texts.push(event.segment.text);
  }
  return texts.join(' ');
}

await recognize(files[0] ?? '');
const before = process.cpuUsage();
const texts: string[] = [];
for (const file of files) texts.push(await recognize(file));
const { user, system } = process.cpuUsage(before);
const peakBytes = process.resourceUsage().maxRSS * 1_024;
console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6, peakBytes, texts }));
await recognizer.close();
