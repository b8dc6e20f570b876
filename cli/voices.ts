import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { loadConfig } from '#server/config/config.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { VOICE_GENDERS } from '@jyutsing/contracts/voice';
import { createVoiceLibrary } from '#server/features/voices/library.ts';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { language } from './argument-parsers.ts';
import { fileRefusal } from './file-refusal.ts';
import { openConfiguredStore } from './open-store.ts';
import { formatTable, print } from './output.ts';
import { connect, hasAddress } from './connection.ts';
import { accountIdOf } from './local-administration.ts';
import { createRemoteVoices, type CommandVoices, type ListedVoice } from './remote-library.ts';

const SHIPPED_VOICES_DIR = join(import.meta.dirname, '../voices');

const ACCOUNT = 'id or name of the account; otherwise the owner, with --url the account of the key';

type CreateOptions = {
  account?: string;
  name: string;
  consent?: true;
  language?: string;
  gender?: string;
  description?: string;
  transcript?: string;
  engine?: string;
};

/** `voices list | create | delete`. */
export function addVoiceCommands(program: Command): void {
  const voices = program.command('voices').description('Manage voices for speech synthesis');

  voices
    .command('list')
    .description('list the public voices, and those of an account, as the database of the service has them')
    .option('--account <account>', ACCOUNT)
    .action(async ({ account }: { account?: string }, command: Command) => {
      await withLibrary(command, account, async (library, accountId) => {
        const all = await library.list(accountId);
        print(command, all.map(view), () => table(all));
      });
    });

  voices
    .command('create')
    .description('create a voice from a recording of 3 to 30 seconds')
    .argument('<file>', 'recording of one speaker: wav, mp3, m4a, flac, ogg, webm or others')
    .option('--account <account>', ACCOUNT)
    .requiredOption('--name <name>', 'display name, also used for search')
    .option('--consent', 'confirms that the speaker consents to the voice; required')
    .option('--language <language>', 'cantonese (default), mandarin or english', language)
    .addOption(new Option('--gender <gender>', 'of the voice').choices(VOICE_GENDERS))
    .option('--description <description>', 'display description')
    .option('--transcript <text>', 'text of the recording')
    .option('--engine <model>', 'synthesis model for this voice; by default the best one')
    .action(async (samplePath: string, { account, name, consent, ...texts }: CreateOptions, command: Command) => {
      await access(samplePath, constants.R_OK).catch((cause: unknown) => {
        throw fileRefusal(samplePath, 'read', cause);
      });
      await withLibrary(command, account, async (library, accountId) => {
        const { language = null, gender = null, description = null, transcript = null, engine = null } = texts;
        const described = { name, language, gender, description, transcript, engine };
        const voice = await library.create(accountId, { ...described, consent: consent === true, samplePath });
        print(command, view(voice), () => table([voice]));
      });
    });

  voices
    .command('delete')
    .description('delete a voice of an account and its sample')
    .argument('<voice>', 'id of the voice')
    .option('--account <account>', ACCOUNT)
    .action(async (id: string, { account }: { account?: string }, command: Command) => {
      await withLibrary(command, account, async (library, accountId) => {
        await library.delete(accountId, id);
        print(command, { voice_id: id, deleted: true }, () => `Deleted ${id}.`);
      });
    });
}

/**
 * Runs `use` with the voices of the service of `--url`, or with those of the configured store and
 * the id of the account, by default the owner's.
 */
async function withLibrary(
  command: Command,
  account: string | undefined,
  use: (library: CommandVoices, accountId: string) => Promise<void>,
): Promise<void> {
  if (hasAddress(command)) {
    await using connection = await connect(command);
    return await use(createRemoteVoices(connection.client), '');
  }
  const config = loadConfig();
  // Load on demand: other commands need no audio analysis.
  const { openBlobs } = await import('#server/store/blobs.ts');
  const { VOICE_PROFILE_VERSION } = await import('@jyutsing/audio/voice/measure-voice');
  const { enginesIn, SHIPPED_ENGINES_DIR } = await import('@jyutsing/engines/registry');
  const { createEngineCache } = await import('#server/workers/engine-cache.ts');
  const { measureSample } = await import('#server/workers/measure-sample.ts');
  const engines = createEngineCache(enginesIn({ enginesDir: SHIPPED_ENGINES_DIR, env: config.engines }));
  const registry = await engines.registry();
  const store = await openConfiguredStore(config);
  const temporaryDir = await mkdtemp(join(tmpdir(), 'jyutsing-voice-'));
  try {
    const accountId = await accountIdOf(store.accounts, account);
    const library = createVoiceLibrary({
      shipped: loadShippedVoices(SHIPPED_VOICES_DIR),
      voices: store.voices,
      samples: await openBlobs(config),
      measureSample: (path) => measureSample(path, engines, new AbortController().signal),
      // Commands of the library recognize nothing.
      recognizeSample: () => Promise.reject(new AppError('engine_unavailable')),
      requireModel: (name) => void registry.languages('synthesizer', name),
      profileVersion: VOICE_PROFILE_VERSION,
      temporaryDir,
    });
    await use(library, accountId);
  } finally {
    await rm(temporaryDir, { recursive: true, force: true });
    await store.close();
  }
}

function view({ id, name, language, gender, description, accountId }: ListedVoice) {
  return {
    voice_id: id,
    name,
    language,
    ...(gender === null ? {} : { gender }),
    ...(description === null ? {} : { description }),
    public: accountId === null,
  };
}

function table(voices: readonly ListedVoice[]): string {
  return formatTable(
    ['id', 'name', 'language', 'gender', 'public'],
    voices.map(({ id, name, language, gender, accountId }) => [
      id,
      name,
      language,
      gender ?? '',
      accountId === null ? 'yes' : 'no',
    ]),
  );
}
