// usage: node training/pronunciation/speech-check/measure.ts --sets RECORDINGS [--share 1]
// Counts the recordings of speech that the service would refuse, including those in the training
// data.
import { parseArgs } from 'node:util';
import { readSpeech } from '@jyutsing/audio/speech/read-speech';
import { toAppError } from '@jyutsing/contracts/errors';
import { listRecordings, voiceOf } from './collect.ts';

const { values } = parseArgs({ options: { sets: { type: 'string' }, share: { type: 'string', default: '1' } } });
const { sets, share } = values;
if (sets === undefined) {
  console.error('usage: measure.ts --sets RECORDINGS [--share 1]');
  process.exit(2);
}

const counts = new Map<string, { count: number; refused: string[] }>();
const { signal } = new AbortController();
for (const { path, set, part } of await listRecordings(sets, Number(share))) {
  const name = `${set} (${part === 'fit' ? 'partly fitted with' : 'held out'})`;
  const entry = counts.get(name) ?? { count: 0, refused: [] };
  counts.set(name, entry);
  entry.count += 1;
  await readSpeech(path, { voiceOf, maxDurationMs: 60_000, signal }).catch((thrown: unknown) => {
    entry.refused.push(`${path.slice(sets.length + 1)}: ${toAppError(thrown).code}`);
  });
}
for (const [name, { count, refused }] of counts) {
  console.log(`${name}: ${refused.length} of ${count} refused`);
  for (const line of refused) console.log(`  ${line}`);
}
