import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS } from './attacks.ts';
import { openHostileSocket } from './hostile-socket.ts';

// Runs as a process of its own, so that its work delays no measurement.

/** `only` null: all attacks in turn. */
export type AttackOrder = { port: number; connections: number; seconds: number; only: string | null };
/** Counts the answers of the server by attack. */
export type AttackCounts = Record<string, { connections: number; answers: Record<string, number> }>;

const { port, connections, seconds, only } = JSON.parse(process.argv[2] ?? '') as AttackOrder;
const endMs = performance.now() + seconds * 1_000;
const names = Object.keys(ATTACKS).filter((name) => only === null || name === only);
const counts: AttackCounts = Object.fromEntries(names.map((name) => [name, { connections: 0, answers: {} }]));

async function attack(first: number): Promise<void> {
  for (let turn = first; performance.now() < endMs; turn += 1) {
    const name = names[turn % names.length]!;
    using socket = openHostileSocket(port);
    const left = sleep(endMs - performance.now(), undefined, { ref: false });
    await Promise.race([ATTACKS[name]!(socket, turn), left]);
    const count = counts[name]!;
    count.connections += 1;
    const answer = /^HTTP\/1\.1 (\d+)/.exec(socket.received())?.[1] ?? (socket.isAnswered() ? 'closed' : 'open');
    count.answers[answer] = (count.answers[answer] ?? 0) + 1;
    // A server that refuses at once would otherwise measure only how fast connections are opened.
    await sleep(100);
  }
}

await Promise.all(Array.from({ length: connections }, (_, index) => attack(index)));
process.stdout.write(JSON.stringify(counts), () => process.exit(0));
