import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { wavBytes, type Sound } from '#testbed/sound/audio.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { startProgress } from '../progress.ts';
import { asTable, type TableFormat } from '../report.ts';
import { decodeByProduct, RATE_HZ } from './decode.ts';
import { judge, type Verdict } from './judge.ts';
import { requirePrograms } from './programs.ts';
import { originalSound, type Kit, type Row } from './row.ts';
import { ROWS } from './rows.ts';
import { startTranscriber, type Transcriber } from './transcribe.ts';

/** Options of `eval media`. `filter` is a part of the kind or of the description. */
type MediaOptions = {
  filter: string;
  /** Whether some files are also sent to the service, which recognizes their text. */
  withText: boolean;
  keepDir: string | null;
  jsonPath: string | null;
  format: TableFormat;
};

const LONGEST_SEEN = 80;

type Result = { kind: string; file: string } & Pick<Verdict, 'expected' | 'seen' | 'problems'>;

/**
 * Makes files as the devices of people write them, decodes each, and compares sentences, times,
 * length and charge with how it was made and with another program. Returns 1 when a row fails.
 */
export async function runMedia({ filter, withText, keepDir, jsonPath, format }: MediaOptions): Promise<number> {
  requirePrograms();
  const rows = ROWS.filter(({ kind, what }) => `${kind}: ${what}`.includes(filter));
  if (rows.length === 0) throw new AppError('invalid_request', `No file of the matrix is called "${filter}".`);
  await using temporary = await temporaryFolder();
  const folder = keepDir ?? temporary.path;
  await mkdir(folder, { recursive: true });
  const master = join(folder, 'master.wav');
  await writeFile(master, wavBytes(await originalSound(48_000)));
  const original = await originalSound(RATE_HZ);
  const isAnyTranscribed = withText && rows.some(isTranscribed);
  await using transcriber = isAnyTranscribed ? await startTranscriber(master) : null;
  const results: Result[] = [];
  const progress = startProgress('media', rows.length);
  for (const [index, row] of rows.entries()) {
    const path = join(folder, `${String(index).padStart(3, '0')}-${fileName(row)}`);
    const { expected, seen, problems } = await verdictOn(row, { folder, master, path, original, transcriber });
    results.push({ kind: row.kind, file: row.what, expected, seen, problems });
    progress.done(index + 1);
  }
  const right = results.filter(({ problems }) => problems.length === 0).length;
  progress.finish(`${right} of ${results.length} files are right`);
  if (jsonPath !== null) await writeFile(jsonPath, JSON.stringify(results, null, 2));
  const header = ['kind', 'file', 'expected', 'seen', 'ok'];
  console.log(asTable(header, results.map(cellsOf), format));
  console.log(`${right} of ${results.length} files are right.`);
  return right === results.length ? 0 : 1;
}

function isTranscribed({ expected }: Row): boolean {
  return 'isTranscribed' in expected;
}

type Place = Kit & { path: string; original: Sound; transcriber: Transcriber | null };

async function verdictOn(row: Row, { path, original, transcriber, ...kit }: Place): Promise<Verdict> {
  try {
    await row.make(kit, path);
    const verdict = await judge(path, row.expected, await decodeByProduct(path), original);
    if (transcriber === null || verdict.right === null || !isTranscribed(row)) return verdict;
    const { right, other } = verdict;
    return { ...verdict, problems: [...verdict.problems, ...(await transcriber.compare(path, right, other))] };
  } catch (thrown) {
    return { expected: '', seen: '', problems: [toAppError(thrown).message], right: null, other: null };
  }
}

function cellsOf({ kind, file, expected, seen, problems }: Result): string[] {
  return [kind, file, expected, shortened(seen), problems.length === 0 ? 'yes' : problems.join('; ')];
}

function fileName({ what, ending }: Row): string {
  return `${what.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 60)}.${ending}`;
}

/** Messages of refusals end with all that is accepted. */
function shortened(text: string): string {
  return text.length > LONGEST_SEEN ? `${text.slice(0, LONGEST_SEEN)}…` : text;
}
