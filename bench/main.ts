// `npm run bench -- ABILITY [measure …]`: speed and memory of the service, mostly as ratios of
// two measurements of one run; without a known ability it lists all. Options: `--sessions N`,
// `--sentences N` and `--idle N` of realtime; `--set FILE.tsv [--language NAME]
// --python INTERPRETER --whisper FOLDER` of peers (measure-peers.ts); `--commit COMMIT` of
// against, which compares two builds.
import { parseArgs } from 'node:util';
import { measureAgainst } from './against.ts';
import { measureClient } from './client.ts';
import { measureConsole } from './console.ts';
import { measureColdStart } from './cold-start.ts';
import { measureFirstLiveText } from './first-live-text.ts';
import { measureDecoding } from './decode.ts';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { z } from 'zod';
import { measurePeers } from './peers/measure-peers.ts';
import { measureMemory } from './memory.ts';
import { measurePolling } from './polling.ts';
import { measureQueueLatency } from './queue-latency.ts';
import type { Measurement } from './report.ts';
import { printReport } from './report.ts';
import { measureServiceMemory } from './service-memory.ts';
import { measureIdleSessions } from './realtime/idle-sessions.ts';
import { measureCorrection, measureLatency, measureSessions, measureSpeakers } from './realtime/measure.ts';
import { measureScoringLatency } from './pronunciation/latency.ts';
import { measureScoringMemory } from './pronunciation/memory.ts';
import { measureShortClips } from './short-clips.ts';
import { measureThroughput } from './throughput.ts';
import { measureFairness } from './tts/fairness.ts';
import { measureFirstByte } from './tts/first-byte.ts';
import { measureSpeechMemory } from './tts/memory.ts';
import { measureStreams } from './tts/streams.ts';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    sessions: { type: 'string', default: '30' },
    sentences: { type: 'string', default: '60' },
    idle: { type: 'string', default: '200' },
    set: { type: 'string', default: '' },
    language: { type: 'string', default: 'cantonese' },
    python: { type: 'string', default: 'python3' },
    whisper: { type: 'string', default: '' },
    commit: { type: 'string', default: 'HEAD~1' },
  },
});

type Measures = Record<string, () => Promise<Measurement[]>>;

const ABILITIES: Record<string, Measures> = {
  stt: {
    'cold-start': measureColdStart,
    polling: measurePolling,
    'queue-latency': measureQueueLatency,
    throughput: measureThroughput,
    memory: measureMemory,
  },
  short: { clips: measureShortClips },
  against: { clips: () => measureAgainst(options.commit) },
  pronunciation: {
    latency: measureScoringLatency,
    memory: measureScoringMemory,
  },
  tts: {
    'first-byte': measureFirstByte,
    fairness: measureFairness,
    streams: measureStreams,
    memory: measureSpeechMemory,
  },
  realtime: {
    cold: measureFirstLiveText,
    latency: () => measureLatency(Number(options.sentences)),
    sessions: () => measureSessions(Number(options.sessions)),
    correction: () => measureCorrection(Number(options.sentences)),
    speakers: () => measureSpeakers(Number(options.sessions)),
    idle: () => measureIdleSessions(Number(options.idle)),
  },
  client: { overhead: measureClient },
  console: { screens: measureConsole },
  memory: { service: measureServiceMemory },
  decode: { files: measureDecoding },
  peers: {
    'faster-whisper': () => measurePeers({ ...options, language: z.enum(LANGUAGES).parse(options.language) }),
  },
};

const [ability = '', ...chosen] = positionals;
const measures = Object.hasOwn(ABILITIES, ability) ? ABILITIES[ability] : undefined;
if (measures === undefined || chosen.some((name) => !(name in measures))) {
  for (const [name, abilityMeasures] of Object.entries(ABILITIES)) {
    console.error(`usage: npm run bench -- ${name} [${Object.keys(abilityMeasures).join(' | ')}] …`);
  }
  process.exit(2);
}

const results: Measurement[] = [];
for (const [name, measure] of Object.entries(measures)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.error(`measuring ${name} …`);
  results.push(...(await measure()));
}
printReport(results);
// The database server of the tests would keep the process alive; it ends with the process.
process.exit(0);
