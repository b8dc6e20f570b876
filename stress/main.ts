// `npm run stress -- <command> [argument]`: faults and attacks against a service of its own, on
// this machine only. Each command prints what happened; the exit status is 1 when a goal was
// missed. `--help` lists the commands.
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
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

/** Connections that attack at the same time. */
const CONNECTIONS = 50;
const DATABASES = ['sqlite', 'postgres'] as const;

const count = (text: string) => {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('A number above 0 is needed.');
  return number;
};
const numbered = (name: string, meaning: string, usual: number) =>
  new Argument(`[${name}]`, meaning).argParser(count).default(usual);
const databaseOption = () => new Option('--database <name>', 'the only database').choices(DATABASES);

const program = new Command('stress').description('Faults and attacks against a service of its own, on this machine');

/** Adds a command, which ends the process with status 1 when a goal was missed. */
function add(name: string, description: string, parts: readonly (Argument | Option)[], run: Run): void {
  const command = program.command(name).description(description);
  for (const part of parts) {
    if (part instanceof Argument) command.addArgument(part);
    else command.addOption(part);
  }
  command.action(async (...values: unknown[]) => {
    const results = await run(values as Parameters<Run>[0], command.opts());
    printReport(results);
    // The database server of the tests would keep the process alive; it ends with the process.
    process.exit(results.every(({ met }) => met) ? 0 : 1);
  });
}

type Database = (typeof DATABASES)[number];
type Options = { minutes: number; clients: number; database?: Database; program: string; phases: string };
type Run = (values: [number, string | undefined], options: Options) => Promise<Measurement[]>;

add(
  'attacks',
  'connections without a key that flood, dawdle and guess',
  [numbered('seconds', 'of each attack', 60), new Argument('[attack]', 'the only one').choices(Object.keys(ATTACKS))],
  ([seconds, only = null]) => stressFrontDoor({ seconds, connections: CONNECTIONS, only }),
);
add(
  'fuzz',
  'malformed requests, and 6 mutated files for each 100 of them',
  [numbered('requests', 'malformed requests', 50_000)],
  ([requests]) => fuzz({ requests, files: Math.ceil(requests * 0.06), seed: 1 }),
);
add(
  'doors',
  'made-up messages of /mcp, alignment forms, requests of /asr, frames of Flux, /v1/speak and /v2/speak',
  [numbered('messages', 'of each', 5_000)],
  ([messages]) => fuzzDoors({ count: messages, seed: 1 }),
);
add('speech', 'searches for the worst speech request', [numbered('requests', 'of the search', 200)], ([steps]) =>
  stressSpeech({ steps, seed: 1 }),
);
add(
  'worst',
  'searches for the request that holds the event loop longest',
  [numbered('requests', 'of the search', 500)],
  ([steps]) => searchWorst({ steps, seed: 1 }),
);
add(
  'schemathesis',
  'compares the service with its /openapi.json',
  [
    new Option('--program <path>', 'of schemathesis').default('schemathesis'),
    new Option('--phases <names>', 'of schemathesis').default('examples,coverage,fuzzing,stateful'),
  ],
  (_, { program: path, phases }) => judgeWithSchemathesis(path, phases),
);
add(
  'storage',
  'a real S3 server that is killed, with a wrong clock',
  [new Option('--program <path>', 'weed, rclone or moto_server, with its folder').makeOptionMandatory()],
  (_, { program: path }) => tryStorage(path),
);
add(
  'faults',
  'databases and disks that fail under a running service',
  [numbered('seconds', 'of each fault', 8)],
  ([seconds]) => measureFaults(seconds),
);
add(
  'kill',
  'kills the service at any moment and counts what was lost',
  [numbered('kills', 'for each database', 100), databaseOption()],
  ([kills], { database }) => measureKills(kills, database),
);
add(
  'soak',
  'mixed load for a long time',
  [
    new Option('--minutes <number>', 'on each database').argParser(count).default(20),
    new Option('--clients <number>', 'at a time').argParser(count).default(3),
    databaseOption(),
  ],
  (_, { minutes, database, clients }) => measureSoak({ minutes, only: database, clients }),
);

await program.parseAsync();
