// A test process: opens the store, waits for a signal to start together with others, and tries to
// create the first account.
import { once } from 'node:events';
import { openStore } from './open-store.ts';

const [databaseUrl, dataDir, name] = process.argv.slice(2) as [string, string, string];
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
const store = await openStore({ databaseUrl: databaseUrl === '' ? null : databaseUrl, dataDir });
const key = { name: 'first', scopes: ['admin' as const], prefix: name, sha256: name };
const owner = await store.accounts.createFirst({ name, plan: 'pro', key });
await store.close();
process.stdout.write(`${JSON.stringify(owner)}\n`);
