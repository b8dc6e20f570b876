// `npm run stress -- <command> [argument]`: faults and attacks against a service of its own, on
// this machine only. Each command prints what happened and ends with status 1 when a goal was missed.
import type { Measurement } from '../bench/report.ts';
import { printReport } from '../bench/report.ts';
import { measureFaults } from './faults.ts';
import { measureKills } from './kill.ts';
import { measureSoak } from './soak.ts';

type Command = { usage: string; run(argument: string | undefined): Promise<Measurement[]> };

const COMMANDS: Readonly<Record<string, Command>> = {
  faults: { usage: 'faults [seconds of each fault, 8]', run: (seconds) => measureFaults(Number(seconds ?? 8)) },
  kill: { usage: 'kill [number of kills for each database, 100]', run: (kills) => measureKills(Number(kills ?? 100)) },
  soak: { usage: 'soak [minutes, 20]', run: (minutes) => measureSoak(Number(minutes ?? 20)) },
};

const [name = '', argument] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined || (argument !== undefined && !(Number(argument) > 0))) {
  for (const { usage } of Object.values(COMMANDS)) console.error(`usage: npm run stress -- ${usage}`);
  process.exit(2);
}
const results = await command.run(argument);
printReport(results);
// The database server of the tests would keep the process alive; it ends with the process.
process.exit(results.every(({ met }) => met) ? 0 : 1);
