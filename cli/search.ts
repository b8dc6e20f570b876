import { Option, type Command } from 'commander';
import type { ListedTranscription } from '@jyutsing/client';
import { connect } from './connection.ts';
import { print } from './output.ts';
import { terminalText } from './terminal-text.ts';
import { wholeNumber } from './whole-number.ts';

type Flags = { in: 'any' | 'text' | 'jyutping'; tag: string[]; newest?: true; limit: number };

/** `search <words…>`. */
export function addSearchCommand(program: Command): void {
  program
    .command('search')
    .description('find words in the transcripts of the account')
    .argument('<words...>', 'words, characters of either script, or jyutping with or without tones')
    .addOption(
      new Option('--in <where>', 'texts, readings or both').choices(['any', 'text', 'jyutping']).default('any'),
    )
    .option('--tag <tag>', 'only transcripts with this tag; may be given several times', collect, [])
    .option('--newest', 'the newest first, not the best')
    .option('--limit <count>', 'transcripts at most', wholeNumber, 20)
    .addHelpText('after', '\nExamples:\n  jyutsing search 開會\n  jyutsing search hoi1 wui2 --newest')
    .action(async (words: string[], { in: where, tag, newest, limit }: Flags, command: Command) => {
      await using connection = await connect(command);
      const { client, signal } = connection;
      const options = { in: where, order: newest === true ? 'newest' : 'best', tags: tag, signal } as const;
      const found: ListedTranscription[] = [];
      let unindexed = 0;
      const page = {
        pageSize: Math.min(limit, 100),
        onFound: (counts: { unindexed: number }) => void ({ unindexed } = counts),
      };
      for await (const transcript of client.transcriptions.search(words.join(' '), { ...options, ...page })) {
        found.push(transcript);
        if (found.length === limit) break;
      }
      print(command, found, () => (found.length === 0 ? 'Nothing was found.' : found.map(describe).join('\n\n')));
      if (unindexed > 0) {
        process.stderr.write(`${unindexed} older transcripts are being prepared and cannot be found yet.\n`);
      }
    });
}

const collect = (tag: string, tags: string[]) => [...tags, tag];

/** The title or date of a transcript, its id, and the segments that match with their times. */
function describe({
  title,
  created_at: created,
  request_id: id,
  matches = [],
  matches_count: count = 0,
}: ListedTranscription) {
  const lines = matches.map(({ start, text }) => `  ${clock(start)}  ${terminalText(text)}`);
  const further = count - matches.length;
  if (further > 0) lines.push(`  and ${further} more`);
  return [`${terminalText(title ?? created)}  ${id}`, ...lines].join('\n');
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
