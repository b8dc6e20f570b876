// `npm run stress -- <command> [argument]`: faults and attacks against a service of its own, on
// this machine only. Each command prints what happened; the exit status is 1 when a goal was
// missed.
import { parseArgs } from 'node:util';
import type { Measurement } from '../bench/report.ts';
import { printReport } from '../bench/report.ts';
import { ATTACKS } from './attacks.ts';
import { fuzzDoors } from './doors.ts';
import { measureFaults } from './faults.ts';
import { stressFrontDoor } from './front-door.ts';
import { fuzz } from './fuzz.ts';
import { measureKills } from './kill.ts';
import { judgeWithSchemathesis } from './schemathesis.ts';
import { measureSoak } from './soak.ts';
import { stressSpeech } from './speech.ts';
import { tryStorage } from './storage.ts';
import { searchWorst } from './worst.ts';

type Command = { usage: string; run(argument: string | undefined, choice: string | null): Promise<Measurement[]> };

/** Connections that attack at the same time. */
const CONNECTIONS = 50;

const COMMANDS: Readonly<Record<string, Command>> = {
  attacks: {
    usage: `attacks [seconds, 60] [one of: ${Object.keys(ATTACKS).join(', ')}]`,
    run: (seconds, only) => stressFrontDoor({ seconds: Number(seconds ?? 60), connections: CONNECTIONS, only }),
  },
  fuzz: {
    usage: 'fuzz [malformed requests, 50000; with 6 mutated files for each 100]',
    run: (count) =>
      fuzz({ requests: Number(count ?? 50_000), files: Math.ceil(Number(count ?? 50_000) * 0.06), seed: 1 }),
  },
  doors: {
    usage:
      'doors [messages of /mcp, alignment forms, requests of /asr, frames of Flux, /v1/speak and /v2/speak each, 5000]',
    run: (count) => fuzzDoors({ count: Number(count ?? 5_000), seed: 1 }),
  },
  speech: {
    usage: 'speech [speech requests to search for the worst one, 200]',
    run: (steps) => stressSpeech({ steps: Number(steps ?? 200), seed: 1 }),
  },
  worst: {
    usage: 'worst [requests to search for the one that holds the event loop longest, 500]',
    run: (steps) => searchWorst({ steps: Number(steps ?? 500), seed: 1 }),
  },
  schemathesis: {
    usage: 'schemathesis [--program schemathesis] [--phases examples,coverage,fuzzing,stateful]',
    run: () => judgeWithSchemathesis(options.program, options.phases),
  },
  storage: {
    usage: 'storage --program weed | rclone | moto_server, with their folder',
    run: () => tryStorage(options.program),
  },
  faults: { usage: 'faults [seconds of each fault, 8]', run: (seconds) => measureFaults(Number(seconds ?? 8)) },
  kill: {
    usage: 'kill [number of kills for each database, 100] [--database sqlite | postgres]',
    run: (kills) => measureKills(Number(kills ?? 100), options.database),
  },
  soak: {
    usage: 'soak [--minutes 20] [--clients 3] [--database sqlite | postgres, else one after the other]',
    run: (minutes) =>
      measureSoak({ minutes: Number(minutes ?? 20), only: options.database, clients: Number(options.clients) }),
  },
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    clients: { type: 'string', default: '3' },
    database: { type: 'string' },
    program: { type: 'string', default: 'schemathesis' },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
  },
});
const [name = 'attacks', argument = options.minutes, choice = null] = positionals;
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
const isCount = (value: string) => Number(value) > 0;
const isWrong =
  (argument !== undefined && !isCount(argument)) ||
  !isCount(options.clients) ||
  (choice !== null && !(choice in ATTACKS));
if (command === undefined || isWrong) {
  for (const { usage } of Object.values(COMMANDS)) console.error(`usage: npm run stress -- ${usage}`);
  process.exit(2);
}
const results = await command.run(argument, choice);
printReport(results);
// The database server of the tests would keep the process alive; it ends with the process.
process.exit(results.every(({ met }) => met) ? 0 : 1);
