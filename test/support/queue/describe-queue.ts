import { describe } from 'vitest';
import type { TestedDatabase } from '#testbed/servers/postgres.ts';
import { describeClasses } from './classes.ts';
import { describeDeath } from './death.ts';
import { describeDelivery } from './delivery.ts';
import { describeDraining } from './draining.ts';
import { describeFailure } from './failure.ts';
import { describeSharing } from './sharing.ts';
import { useTestQueues } from './test-queues.ts';

/** The contract of `Queue`, checked on one database; every driver passes the same tests. */
export function describeQueue(database: TestedDatabase): void {
  describe(`the queue on ${database.name}`, () => {
    const queues = useTestQueues(database);
    describeDelivery(queues);
    describeSharing(queues);
    describeFailure(queues);
    describeClasses(queues);
    describeDeath(queues);
    describeDraining(queues);
  });
}
