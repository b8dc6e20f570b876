import { InvalidArgumentError, type Command } from 'commander';
import { ConfigError, loadConfig } from '#server/config/config.ts';
import { describeStartFailure } from '#server/process/start-failure.ts';
import { print } from './output.ts';

/** `migrate --to <url>`. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('move the database of a stopped service from SQLite (DATA_DIR) to PostgreSQL')
    .requiredOption('--to <url>', 'an empty database: postgres://user:password@host/name', postgresUrl)
    .option('--dry-run', 'copy and compare everything, then leave the target empty')
    .action(async ({ to, dryRun = false }: { to: string; dryRun?: boolean }, command: Command) => {
      const { moveDatabase } = await import('#server/move-database.ts');
      const { openBlobs } = await import('#server/store/blobs.ts');
      const config = loadConfig();
      const { dataDir } = config;
      const moved = await moveDatabase({
        dataDir,
        databaseUrl: to,
        classes: config.queueClasses,
        blobs: await openBlobs(config),
        isTrial: dryRun,
        onProgress(table, copied, total) {
          if (copied === total) process.stderr.write(`${table}: ${total}\n`);
          else if (process.stderr.isTTY) process.stderr.write(`${table}: ${copied} of ${total}\r`);
        },
        onUncertain() {
          process.stderr.write('The target was lost while it saved the last step; asking whether it was done.\n');
        },
        onBlobsLeft() {
          process.stderr.write(
            'The blob "database" names another database than the one that was moved, or cannot be read or written: the new one deletes no recordings without a record until you delete that blob. See "Whose blobs" in docs/operations.md.\n',
          );
        },
      }).catch((thrown: unknown) => {
        const sentence = describeStartFailure(thrown, undefined, '--to');
        throw sentence === null ? thrown : new ConfigError(sentence);
      });
      print(command, { ...moved, dry_run: dryRun }, () => {
        const what = describeMoved(moved);
        if (dryRun) return `${what} can be moved; the target was left empty.`;
        return `Moved ${what}. Start the service with DATABASE_URL set to the new database.\nRecordings and voice samples stay in ${dataDir}/blobs, or in the S3 storage.`;
      });
    });
}

export function describeMoved({ rows, jobs }: { rows: Readonly<Record<string, number>>; jobs: number }): string {
  const sum = Object.values(rows).reduce((total, count) => total + count, 0);
  return `${counted(sum, 'row')} and ${counted(jobs, 'waiting job')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function postgresUrl(text: string): string {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new InvalidArgumentError('It must begin with postgres:// or postgresql://.');
  }
  return text;
}
