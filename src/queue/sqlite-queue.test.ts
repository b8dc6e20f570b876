import { databasesToTest } from '../../test/support/postgres.ts';
import { describeQueue } from './conformance/describe-queue.ts';

// A file for each database, so that they run side by side.
databasesToTest()
  .filter(({ name }) => name === 'sqlite')
  .forEach(describeQueue);
