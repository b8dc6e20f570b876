// `npm run bench -- ABILITY [measure …] …`: speed and memory of the service, mostly as ratios of
// two measurements of one run. `--help` lists abilities, measures and options.
import { Command, Option } from 'commander';
import { wholeNumber } from '../eval/numbers.ts';
import { measureAgainst } from './against.ts';
import { measureClient } from './client.ts';
import { measureConsole } from './console.ts';
import { measureColdStart } from './cold-start.ts';
import { measureFirstLiveText } from './first-live-text.ts';
import { measureDecoding } from './decode.ts';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { chooseMeasures, UnknownMeasureError } from './choose-measures.ts';
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

type Options = {
  sessions: number;
  sentences: number;
  idle: number;
  set: string;
  language: Language;
  python: string;
  whisper: string;
  commit: string;
  explain?: true;
};

type Measures = Record<string, (options: Options) => Promise<Measurement[]>>;

const ABILITIES: Record<string, Measures> = {
  stt: {
    'cold-start': measureColdStart,
    polling: measurePolling,
    'queue-latency': measureQueueLatency,
    throughput: measureThroughput,
    memory: measureMemory,
  },
  short: { clips: measureShortClips },
  against: { clips: ({ commit }) => measureAgainst(commit) },
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
    latency: ({ sentences }) => measureLatency(sentences),
    sessions: ({ sessions }) => measureSessions(sessions),
    correction: ({ sentences }) => measureCorrection(sentences),
    speakers: ({ sessions }) => measureSpeakers(sessions),
    idle: ({ idle }) => measureIdleSessions(idle),
  },
  client: { overhead: measureClient },
  console: { screens: measureConsole },
  memory: { service: ({ explain = false }) => measureServiceMemory(explain) },
  decode: { files: measureDecoding },
  peers: { 'faster-whisper': measurePeers },
};

const listed = Object.entries(ABILITIES)
  .map(([ability, measures]) => `  ${ability.padEnd(14)} ${Object.keys(measures).join(', ')}`)
  .join('\n');
const command = new Command('bench')
  .description('Speed and memory of the service, mostly as ratios of two measurements of one run')
  .argument('<ability...>', 'abilities, and after one its measures; without any all of it')
  .option('--sessions <number>', 'live sessions of realtime', wholeNumber, 30)
  .option('--sentences <number>', 'sentences of realtime', wholeNumber, 60)
  .option('--idle <number>', 'idle sessions of realtime', wholeNumber, 200)
  .option('--commit <commit>', 'the other build of against', 'HEAD~1')
  .option('--explain', 'say of memory what holds it, by process')
  .option('--set <file>', 'recordings of peers, a TSV file', '')
  .addOption(new Option('--language <name>', 'language of peers').choices(LANGUAGES).default('cantonese'))
  .option('--python <interpreter>', 'of peers, with faster-whisper', 'python3')
  .option('--whisper <folder>', 'model of peers', '')
  .addHelpText('after', `\nAbilities and their measures:\n${listed}`)
  .parse();

const results: Measurement[] = [];
try {
  for (const { name, measure } of chooseMeasures(command.args, ABILITIES)) {
    console.error(`measuring ${name} …`);
    results.push(...(await measure(command.opts<Options>())));
  }
} catch (error) {
  if (error instanceof UnknownMeasureError) command.error(error.message);
  throw error;
}
printReport(results);
// The database server of the tests would keep the process alive; it ends with the process.
process.exit(0);
