import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '#server/config/config.ts';
import type { CorpusEntry, CorpusSummary } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { formatCorpusTsv, readCorpusFile } from '#server/features/corpora/corpus-file.ts';
import { createCorpusLibrary } from '#server/features/corpora/library.ts';
import { language } from './argument-parsers.ts';
import { fileRefusal } from './file-refusal.ts';
import { openConfiguredStore } from './open-store.ts';
import { formatTable, print } from './output.ts';
import { connect, hasAddress } from './connection.ts';
import { terminalText } from './terminal-text.ts';
import { accountIdOf } from './local-administration.ts';
import { createRemoteCorpora, type CommandCorpora } from './remote-library.ts';

const SHIPPED_CORPORA_DIR = join(import.meta.dirname, '../corpora');
/** Same limit as over HTTP, as the file is read into memory. */
const MAX_FILE_BYTES = 5 * 1024 ** 2;

const ACCOUNT = 'id or name of the account; otherwise the owner, with --url the account of the key';

type ImportOptions = {
  account?: string;
  name?: string;
  description?: string;
  language?: string;
  replace?: string;
};

/** `corpora list | show | import | deck | delete`. */
export function addCorpusCommands(program: Command): void {
  const corpora = program.command('corpora').description('Manage words and phrases that bias text correction');

  corpora
    .command('list')
    .description('list the public corpora, and those of an account, as the database of the service has them')
    .option('--account <account>', ACCOUNT)
    .action(async ({ account }: { account?: string }, command: Command) => {
      await withLibrary(command, account, async (library, accountId) => {
        const all = await library.list(accountId);
        print(command, all.map(view), () => table(all));
      });
    });

  corpora
    .command('show')
    .description('print a corpus as a file that can be imported')
    .argument('<corpus>', 'id of the corpus')
    .option('--account <account>', ACCOUNT)
    .action(async (id: string, { account }: { account?: string }, command: Command) => {
      await withLibrary(command, account, async (library, accountId) => {
        const corpus = await library.find(accountId, id);
        if (corpus === null) throw new AppError('not_found', 'There is no corpus with this id.');
        const { entries } = corpus;
        const shown = { ...view({ ...corpus, entriesCount: entries.length }), entries };
        print(command, shown, () => formatCorpusTsv(corpus).trimEnd());
      });
    });

  addImportCommand(corpora);

  corpora
    .command('delete')
    .description('delete a corpus of an account')
    .argument('<corpus>', 'id of the corpus')
    .option('--account <account>', ACCOUNT)
    .action(async (id: string, { account }: { account?: string }, command: Command) => {
      await withLibrary(command, account, async (library, accountId) => {
        await library.delete(accountId, id);
        print(command, { id, deleted: true }, () => `Deleted ${id}.`);
      });
    });
  addDeckCommand(corpora);
}

type DeckOptions = { out?: string; voice?: string; sound: boolean };

function addDeckCommand(corpora: Command): void {
  corpora
    .command('deck')
    .description('make an Anki deck of a corpus: a card for each word with jyutping and sound')
    .argument('<corpus>', 'id of the corpus, of at most 1,000 words')
    .option('--out <file>', 'the deck; by default the id of the corpus with .apkg')
    .option('--voice <voice>', 'id of the voice')
    .option('--no-sound', 'cards without sound, which are free')
    .action(async (id: string, { out = `${id}.apkg`, voice, sound }: DeckOptions, command: Command) => {
      await using connection = await connect(command);
      const deck = await connection.client.corpora.deck(id, { voice, sound });
      await writeFile(out, deck.stream());
      print(command, { id, file: out }, () => `Wrote ${out}.`);
    });
}

function addImportCommand(corpora: Command): void {
  corpora
    .command('import')
    .description('create a corpus from a file (tab-separated or JSON), or replace its entries')
    .argument('<file>', 'lines with text, jyutping and weight, separated by tabs')
    .option('--account <account>', ACCOUNT)
    .option('--name <name>', 'display name; required for a new corpus')
    .option('--description <description>', 'display description')
    .option('--language <language>', 'cantonese (default), mandarin or english', language)
    .option('--replace <corpus>', 'id of the corpus whose entries are replaced')
    .action(async (file: string, { account, replace, ...texts }: ImportOptions, command: Command) => {
      const { name, description = '', language = null } = texts;
      if (replace === undefined && name === undefined) command.error('A new corpus needs a name: add --name.');
      const entries = await readCorpusFile(await readBytes(file));
      await withLibrary(command, account, async (library, accountId) => {
        const corpus =
          replace === undefined
            ? await library.create(accountId, { name: name ?? '', description, language, entries })
            : await library.replace(accountId, replace, { ...texts, entries }, null);
        const summary = { ...corpus, entriesCount: corpus.entries.length };
        print(command, view(summary), () => table([summary]));
        await reportNotes(entries);
      });
    });
}

const MAX_NOTES = 5;

/** Says on stderr which words do not help transcripts, and why. */
async function reportNotes(entries: readonly CorpusEntry[]): Promise<void> {
  // Loaded on demand: other commands need no Chinese dictionaries.
  const { describeNote, noteOf } = await import('@jyutsing/text/corpora/entry-note');
  const lines = entries.flatMap((entry) => {
    const note = noteOf(entry);
    return note === null ? [] : `  ${terminalText(entry.text)}: ${describeNote(note)}\n`;
  });
  if (lines.length === 0) return;
  const further = lines.length > MAX_NOTES ? `  and ${lines.length - MAX_NOTES} more\n` : '';
  const head = `Words that hardly help transcripts: ${lines.length}.\n`;
  process.stderr.write(`${head}${lines.slice(0, MAX_NOTES).join('')}${further}`);
}

/**
 * Runs `use` with the corpora of the service of `--url`, or with those of the configured store and
 * the id of the account, by default the owner's.
 */
async function withLibrary(
  command: Command,
  account: string | undefined,
  use: (library: CommandCorpora, accountId: string) => Promise<void>,
): Promise<void> {
  if (hasAddress(command)) {
    await using connection = await connect(command);
    return await use(createRemoteCorpora(connection.client), '');
  }
  // Load on demand: other commands need no Chinese dictionaries.
  const { loadShippedCorpora } = await import('@jyutsing/text/corpora/load-shipped-corpora');
  const store = await openConfiguredStore(loadConfig());
  try {
    const accountId = await accountIdOf(store.accounts, account);
    await use(createCorpusLibrary(loadShippedCorpora(SHIPPED_CORPORA_DIR), store.corpora), accountId);
  } finally {
    await store.close();
  }
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size <= MAX_FILE_BYTES) return await readFile(file);
  } catch (cause) {
    throw fileRefusal(file, 'read', cause);
  }
  throw new AppError('payload_too_large', `${file} is larger than 5 MiB.`);
}

function view({ id, name, description, language, accountId, version, entriesCount }: CorpusSummary) {
  return { id, name, description, language, public: accountId === null, version, entries_count: entriesCount };
}

function table(corpora: readonly CorpusSummary[]): string {
  return formatTable(
    ['id', 'name', 'language', 'public', 'version', 'entries'],
    corpora
      .map(view)
      .map((corpus) => [
        corpus.id,
        corpus.name,
        corpus.language,
        corpus.public ? 'yes' : 'no',
        corpus.version,
        corpus.entries_count,
      ]),
  );
}
