// `npm run bench -- stt [measure …]`: what the service costs, as ratios of two things measured in this same run.
import { measureColdStart } from './cold-start.ts';
import { measureMemory } from './memory.ts';
import { measurePolling } from './polling.ts';
import { measureQueueLatency } from './queue-latency.ts';
import type { Measurement } from './report.ts';
import { printReport } from './report.ts';
import { measureThroughput } from './throughput.ts';

const MEASURES: Record<string, () => Promise<Measurement[]>> = {
  'cold-start': measureColdStart,
  polling: measurePolling,
  'queue-latency': measureQueueLatency,
  throughput: measureThroughput,
  memory: measureMemory,
};

const [ability, ...chosen] = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in MEASURES));
if (ability !== 'stt' || unknown.length > 0) {
  console.error(`usage: npm run bench -- stt [${Object.keys(MEASURES).join(' | ')}] …`);
  process.exit(2);
}

const results: Measurement[] = [];
for (const [name, measure] of Object.entries(MEASURES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.error(`measuring ${name} …`);
  results.push(...(await measure()));
}
printReport(results);
// A database server of ours would keep the process alive; it ends with it.
process.exit(0);
