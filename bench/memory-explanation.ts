import { readFileSync } from 'node:fs';
import { descendants } from '#testbed/service/process-tree.ts';

const KIB_PER_MIB = 1_024;

/** The kinds of mapping that hold the memory of a process, in the order of the table. */
const HOLDERS = ['code', 'mapped files', 'C heap', 'other blocks'] as const;
type Holder = (typeof HOLDERS)[number];

/** The proportional set size of a process in MiB, by what holds it. */
export type ProcessMemory = { name: string; mib: Record<Holder, number> };

/**
 * Says what holds the memory of a process and its descendants. `other blocks` are V8's heap, sound
 * and models: memory that is no file's. Processes that have just ended are left out. Linux only.
 */
export function explainMemory(pid: number): ProcessMemory[] {
  return [pid, ...descendants(pid)].flatMap((member) => {
    try {
      const command = readFileSync(`/proc/${member}/cmdline`, 'utf8').split('\0');
      return [{ name: nameOf(command), mib: byHolder(readFileSync(`/proc/${member}/smaps`, 'utf8')) }];
    } catch {
      return [];
    }
  });
}

/** Prints a line for each process, and one for all. */
export function printMemory(title: string, processes: readonly ProcessMemory[]): void {
  const total = { name: `${processes.length} processes`, mib: noMemory() };
  for (const { mib } of processes) for (const holder of HOLDERS) total.mib[holder] += mib[holder];
  console.log(`\n${title}, MiB (proportional set size)`);
  console.log(['', ...HOLDERS, 'all'].map((text) => text.padStart(13)).join(''));
  for (const { name, mib } of [...processes, total]) {
    const figures = [...HOLDERS.map((holder) => mib[holder]), HOLDERS.reduce((sum, holder) => sum + mib[holder], 0)];
    console.log(`${' '.repeat(13)}${figures.map((figure) => figure.toFixed(1).padStart(13)).join('')}  ${name}`);
  }
}

const noMemory = (): Record<Holder, number> => ({ code: 0, 'mapped files': 0, 'C heap': 0, 'other blocks': 0 });

function byHolder(smaps: string): Record<Holder, number> {
  const mib = noMemory();
  let holder: Holder = 'other blocks';
  for (const line of smaps.split('\n')) {
    // "7f12…-7f34… r-xp 00000000 fe:00 1234   /path" or "Pss:      12 kB"
    const mapping = /^[\da-f]+-[\da-f]+ \S+ \S+ \S+ \d+\s*(.*)$/.exec(line);
    if (mapping !== null) holder = holderOf(mapping[1]!);
    const kib = /^Pss:\s+(\d+) kB$/.exec(line)?.[1];
    if (kib !== undefined) mib[holder] += Number(kib) / KIB_PER_MIB;
  }
  return mib;
}

function holderOf(path: string): Holder {
  if (path === '[heap]') return 'C heap';
  if (!path.startsWith('/')) return 'other blocks';
  return /\/node$|\.node$|\.so[.\d]*$/.test(path) ? 'code' : 'mapped files';
}

/** The last two parts of the path of the script, or the program. */
function nameOf(command: readonly string[]): string {
  const script = command.findLast((word) => /\.[cm]?[jt]s$/.test(word)) ?? command[0] ?? '';
  return script.split('/').slice(-2).join('/');
}
