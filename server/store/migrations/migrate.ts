import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import { AppError } from '@jyutsing/contracts/errors';
import { ConfigError } from '#config/config.ts';
import type { Connection, Database } from '#store/database-types.ts';
import { lockForMigration } from '#store/dialects.ts';
import { initial } from './0001-initial.ts';
import { jobs } from './0002-jobs.ts';
import { fusionAndDelivery } from './0003-fusion-and-delivery.ts';
import { turnsByJobName } from './0004-job-order-by-name.ts';
import { voices } from './0005-voices.ts';
import { accountPeriods } from './0006-account-periods.ts';
import { transcriptionPlan } from './0007-transcription-plan.ts';
import { joinedWork } from './0008-joined-work.ts';
import { jobDeaths } from './0009-job-deaths.ts';
import { batches } from './0010-batches.ts';
import { chargedRequests } from './0011-charged-requests.ts';
import { transcriptEdits } from './0012-transcript-edits.ts';
import { speakerRegisters } from './0013-speaker-registers.ts';
import { requestRates } from './0014-request-rates.ts';
import { concurrentUses } from './0015-concurrent-uses.ts';
import { queueClasses } from './0016-queue-classes.ts';
import { keptAudio } from './0017-kept-audio.ts';
import { deletedTranscriptions } from './0018-deleted-transcriptions.ts';
import { storedTexts } from './0019-stored-texts.ts';
import { storedTextTotals } from './0020-stored-text-totals.ts';
import { databaseIdentity } from './0021-database-identity.ts';
import { transcriptSearch } from './0022-transcript-search.ts';
import { transcriptTranslations } from './0023-transcript-translations.ts';
import { voiceEngine } from './0024-voice-engine.ts';

/**
 * In the order of their names. All of them stay, also in versions with a newer schema: databases of
 * users were made by any of them, and a released migration is never changed.
 */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-jobs': jobs,
  '0003-fusion-and-delivery': fusionAndDelivery,
  '0004-turns-by-job-name': turnsByJobName,
  '0005-voices': voices,
  '0006-account-periods': accountPeriods,
  '0007-transcription-plan': transcriptionPlan,
  '0008-joined-work': joinedWork,
  '0009-job-deaths': jobDeaths,
  '0010-batches': batches,
  '0011-charged-requests': chargedRequests,
  '0012-transcript-edits': transcriptEdits,
  '0013-speaker-registers': speakerRegisters,
  '0014-request-rates': requestRates,
  '0015-concurrent-uses': concurrentUses,
  '0016-queue-classes': queueClasses,
  '0017-kept-audio': keptAudio,
  '0018-deleted-transcriptions': deletedTranscriptions,
  '0019-stored-texts': storedTexts,
  '0020-stored-text-totals': storedTextTotals,
  '0021-database-identity': databaseIdentity,
  '0022-transcript-search': transcriptSearch,
  '0023-transcript-translations': transcriptTranslations,
  '0024-voice-engine': voiceEngine,
};

/** Kysely's message about a migration that the database has and MIGRATIONS lacks. */
const OF_LATER_VERSION = /previously executed migration (\S+) is missing/;

/**
 * Migrates the database, all or nothing. Processes that start together wait for one another.
 * Throws ConfigError for a database of a newer version, else `service_unavailable` when it fails.
 */
export async function migrate(connection: Connection): Promise<void> {
  await connection.writer.transaction().execute(async (transaction) => {
    await lockForMigration(connection.dialect, transaction);
    await migrateInside(transaction);
  });
}

async function migrateInside(transaction: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({ db: transaction, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const { message } = error instanceof Error ? error : { message: 'unknown' };
  const later = OF_LATER_VERSION.exec(message)?.[1];
  if (later !== undefined) {
    throw new ConfigError(
      `The database was made or upgraded by a newer version of this program: it has the migration ${later}, which this version does not know. Nothing in it was changed. Install the newer version again, or restore the backup that was taken before the upgrade.`,
      { cause: error },
    );
  }
  throw new AppError('service_unavailable', `The database could not be brought up to date: ${message}`, {
    cause: error,
  });
}
