// A process of its own: decodes a file several times as recognizers take it, and prints the
// processor time of that in seconds, and the peak memory of the process in bytes, as JSON.
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { decodeAudio } from '@jyutsing/audio/decode';

const [path = '', times = '1'] = process.argv.slice(2);
const options = { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: Infinity };
const { signal } = new AbortController();
const before = process.cpuUsage();
for (let time = 0; time < Number(times); time += 1) {
  for await (const chunk of decodeAudio(path, { ...options, signal })) void chunk;
}
const { user, system } = process.cpuUsage(before);
const peakBytes = process.resourceUsage().maxRSS * 1_024;
console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6, peakBytes }));
