import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { connect } from './connection.ts';
import { noticeFallback } from './fallback-notice.ts';
import { fileRefusal } from './file-refusal.ts';
import { showJobs } from './jobs-progress.ts';
import { isRecordingName } from './recordings-of.ts';
import { requireModel } from './require-model.ts';
import { addTranscriptOptions, settingsOf, transcribeOne, type Flags } from './transcribe.ts';
import { openTranscriptFolder } from './transcript-folder.ts';
import { WatchedFiles } from './watched-files.ts';
import { wholeNumber } from './whole-number.ts';

type WatchFlags = Omit<Flags, 'isFile'> & { every: number; once?: true };

/** `watch <folder>`. */
export function addWatchCommand(program: Command): void {
  addTranscriptOptions(program.command('watch'))
    .description('transcribe every new recording in a folder, once')
    .argument('<folder>', 'the folder; its subfolders are not looked at')
    .option('--every <seconds>', 'how often the folder is looked at', wholeNumber, 5)
    .option('--once', 'end when everything that is there is done')
    .addHelpText('after', '\nExample:\n  jyutsing watch ~/Recordings --format srt --out ~/Subtitles')
    .action(async (folder: string, flags: WatchFlags, command: Command) => {
      // A wrong name would be made as a folder for the results.
      await statesIn(folder);
      const place = await openTranscriptFolder(flags.out ?? folder, settingsOf({ ...flags, isFile: false }));
      await using connection = await connect(command);
      const { client, signal } = connection;
      await requireModel(client, flags.model, 'recognizer', signal);
      const files = new WatchedFiles();
      for (;;) {
        signal.throwIfAborted();
        const fresh = files.due(await statesIn(folder), flags.once === true);
        if (fresh.length > 0) {
          const progress = showJobs(fresh.length, process.stderr);
          const work = {
            ...connection,
            command,
            flags: { ...flags, out: flags.out ?? folder, isFile: false },
            progress,
          };
          const outcomes = await inParallel(fresh, flags.jobs, (path) =>
            transcribeOne(path, { ...work, folder: place }),
          ).finally(() => progress.stop());
          signal.throwIfAborted();
          for (const { source, mayWorkLater } of outcomes) {
            if (mayWorkLater) files.tryLater(source);
            else files.end(source);
          }
          if (outcomes.some(({ isFallback }) => isFallback)) noticeFallback();
          progress.sayFailures();
          if (outcomes.some(({ hasFailed }) => hasFailed)) process.exitCode = 1;
        }
        if (flags.once === true) return;
        await sleep(flags.every * 1_000, undefined, { signal }).catch(() => {});
      }
    });
}

/** Size and time of every recording. Throws `invalid_parameter` when the folder cannot be read. */
async function statesIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((failure: unknown) => {
    throw fileRefusal(folder, 'read', failure);
  });
  const states = new Map<string, string>();
  for (const name of names.toSorted()) {
    if (!isRecordingName(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() === true && found.size > 0) states.set(path, `${found.size} ${found.mtimeMs}`);
  }
  return states;
}
