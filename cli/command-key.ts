import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SCOPES } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { Config } from '#server/config/config.ts';
import { ProcessFile, readProcessFile, writeProcessFile } from '#server/process/process-file.ts';
import { ownerOf, withLocalAdministration } from './local-administration.ts';

/** Users must not choose this name, because keys with it and a number are deleted. */
const COMMAND_KEY = 'temporary key of one command';
const NAME = new RegExp(`^${COMMAND_KEY} (\\d+)$`);
/** Keys of processes that cannot be looked for from here are deleted when they are this old. */
const COMMAND_KEY_MS = 24 * 3_600_000;

/**
 * A key of the owner's account for this command, deleted at its end; only hashes of other keys are
 * stored. Also deletes what killed commands left.
 */
export async function issueOwnerKey({ dataDir }: Config, ending: AsyncDisposableStack): Promise<string> {
  /** Says on this machine which process has the key of that name. */
  const processFile = (number: string) => join(dataDir, `command-key-${number}.pid`);
  const ownNumber = String(randomInt(2 ** 47));
  const issued = Promise.withResolvers<string>();
  await withLocalAdministration(async (administration) => {
    const owner = await ownerOf(administration);
    for (const { id, name, revoked, createdAtMs } of await administration.listKeys(owner.id)) {
      const number = NAME.exec(name)?.[1];
      if (number === undefined) continue;
      const isOld = createdAtMs < Date.now() - COMMAND_KEY_MS;
      const hasEnded = (await readProcessFile(processFile(number), ProcessFile))?.hasEnded;
      if (!revoked && !(hasEnded ?? isOld)) continue;
      // Another command may have deleted it just now.
      await administration.deleteKey(id).catch(() => {});
      await rm(processFile(number), { force: true });
    }
    let making: ReturnType<typeof administration.createKey> | null = null;
    // All before the first wait, because a defect may end the command at any moment.
    ending.defer(() => rm(processFile(ownNumber), { force: true }));
    ending.defer(async () => {
      const made = await making?.catch(() => null);
      if (made == null) return;
      await withLocalAdministration(async ({ deleteKey }) => {
        // Another command deletes a key that is a day old.
        await deleteKey(made.key.id).catch(ignoreNotFound);
      });
    });
    making = (async () => {
      // Before the key, so that none is left without it; where it cannot be written, age decides.
      await writeProcessFile(processFile(ownNumber)).catch(() => {});
      if (ending.disposed) throw new AppError('client_closed_request');
      return administration.createKey(owner.id, { name: `${COMMAND_KEY} ${ownNumber}`, scopes: SCOPES });
    })();
    issued.resolve((await making).secret);
  });
  return issued.promise;
}

function ignoreNotFound(failure: unknown): void {
  if (!(failure instanceof AppError) || failure.code !== 'not_found') throw failure;
}
