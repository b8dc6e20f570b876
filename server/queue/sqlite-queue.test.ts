import { databasesToTest } from '#testbed/servers/postgres.ts';
import { describeQueue } from '#test/queue/describe-queue.ts';

// One file per database, so that the tests run in parallel.
databasesToTest()
  .filter(({ name }) => name === 'sqlite')
  .forEach(describeQueue);
