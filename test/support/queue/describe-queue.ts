import { describe } from 'vitest';
import type { TestedDatabase } from '#testbed/servers/postgres.ts';
import { describeClasses } from './classes.ts';
import { describeDeath } from './death.ts';
import { describeDelivery } from './delivery.ts';
import { describeDraining } from './draining.ts';
import { describeFailure } from './failure.ts';
import { describeSharing } from './sharing.ts';
import { queueTest } from './test-queues.ts';

/** The contract of `Queue`, checked on one database; every driver passes the same tests. */
export function describeQueue(database: TestedDatabase): void {
  describe.concurrent(`the queue on ${database.name}`, () => {
    const test = queueTest(database);
    describeDelivery(test);
    describeSharing(test);
    describeFailure(test);
    describeClasses(test);
    describeDeath(test);
    describeDraining(test);
  });
}
