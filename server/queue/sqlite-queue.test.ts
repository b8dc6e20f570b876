import { databasesToTest } from '#test/postgres.ts';
import { describeQueue } from '#test/queue/describe-queue.ts';

// A file for each database, so that they run side by side.
databasesToTest()
  .filter(({ name }) => name === 'sqlite')
  .forEach(describeQueue);
