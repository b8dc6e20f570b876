import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { connect } from './connection.ts';
import { noticeFallback } from './fallback-notice.ts';
import { fileRefusal } from './file-refusal.ts';
import { showJobs } from './jobs-progress.ts';
import { requireModel } from './require-model.ts';
import { addTranscriptOptions, settingsOf, transcribeOne, type Flags } from './transcribe.ts';
import { openTranscriptFolder } from './transcript-folder.ts';
import { wholeNumber } from './whole-number.ts';

/** Names of files with sound; others in the folder are left alone. */
const SOUND =
  /^\.(?:wav|w64|mp3|mp2|m4a|m4b|aac|ac3|flac|ogg|oga|opus|amr|aiff?|au|caf|wma|webm|mp4|m4v|mov|mkv|avi|ts|mpe?g|3gp|wv|tta)$/i;

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
      const place = await openTranscriptFolder(flags.out ?? folder, settingsOf({ ...flags, isFile: false }));
      await using connection = await connect(command);
      const { client, signal } = connection;
      await requireModel(client, flags.model, 'recognizer', signal);
      /** Size and time of each file at the last look, and of those that are done with. */
      const seen = new Map<string, string>();
      const ended = new Map<string, string>();
      for (;;) {
        signal.throwIfAborted();
        const states = await statesIn(folder);
        // A file that still grows is not whole. With --once there is no second look.
        const isWhole = (path: string, state: string) => flags.once === true || seen.get(path) === state;
        const fresh = [...states].filter(([path, state]) => isWhole(path, state) && ended.get(path) !== state);
        seen.clear();
        for (const [path, state] of states) seen.set(path, state);
        if (fresh.length > 0) {
          const progress = showJobs(fresh.length, process.stderr);
          const work = {
            ...connection,
            command,
            flags: { ...flags, out: flags.out ?? folder, isFile: false },
            progress,
          };
          const outcomes = await inParallel(fresh, flags.jobs, ([path]) =>
            transcribeOne(path, { ...work, folder: place }),
          ).finally(() => progress.stop());
          signal.throwIfAborted();
          for (const [path, state] of fresh) ended.set(path, state);
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
    if (name.startsWith('.') || !SOUND.test(extname(name))) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() === true && found.size > 0) states.set(path, `${found.size} ${found.mtimeMs}`);
  }
  return states;
}
