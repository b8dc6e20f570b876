import type { TranscriptionSummary } from '@jyutsing/contracts/transcription';

/** The rows of the database after the kills. */
export type FoundRecords = {
  records: readonly TranscriptionSummary[];
  /** Seconds used of the quota of speech-to-text. */
  usedSeconds: number;
  reservations: number;
};

/** Name of a submission: the last part of the address that its record is delivered to. */
const nameOf = ({ callbackUrl }: Pick<TranscriptionSummary, 'callbackUrl'>) => callbackUrl?.split('/').at(-1) ?? '';

/**
 * Counts records, charges and deliveries that are too many or too few after all work has ended.
 * `delivered`: the names of the submissions whose record was delivered.
 */
export function countRecords(
  { records, usedSeconds, reservations }: FoundRecords,
  submissions: number,
  delivered: ReadonlySet<string>,
): [label: string, count: number][] {
  const byName = Map.groupBy(records, nameOf);
  const completed = records.filter((record) => record.status === 'completed');
  const charged = completed.filter(({ creditsUsed }) => creditsUsed > 0);
  // Records of the same work are charged once: the others joined it or came from the cache.
  const chargesOfWork = Map.groupBy(charged, ({ cacheKey }) => cacheKey);
  const chargedSeconds = charged.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0);
  return [
    [`failed of ${records.length} records`, records.length - completed.length],
    [`second records of ${submissions} submissions`, records.length - byName.size],
    [`second charges of ${chargesOfWork.size} different recordings`, charged.length - chargesOfWork.size],
    [`seconds of quota too many or too few, of ${chargedSeconds}`, Math.abs(usedSeconds - chargedSeconds)],
    ['reservations left', reservations],
    [`not delivered of ${byName.size} records`, [...byName.keys()].filter((name) => !delivered.has(name)).length],
  ];
}

/**
 * Counts deliveries of the same record. A process killed between the answer of the receiver and its
 * note must deliver again, so repeats are told apart by whether a kill lies between the two.
 * `deliveredAtKill`: how many deliveries had arrived at each kill.
 */
export function countRepeats(
  deliveries: readonly string[],
  deliveredAtKill: readonly number[],
): { afterKill: number; withoutKill: number } {
  const last = new Map<string, number>();
  const repeats = { afterKill: 0, withoutKill: 0 };
  for (const [index, name] of deliveries.entries()) {
    const before = last.get(name);
    last.set(name, index);
    if (before === undefined) continue;
    const isAfterKill = deliveredAtKill.some((count) => before < count && count <= index);
    repeats[isAfterKill ? 'afterKill' : 'withoutKill'] += 1;
  }
  return repeats;
}

/** Speech that a client asked for, and what it was told that this costs. */
export type SpokenRequest = { characters: number; isComplete: boolean; endedMs: number };

/** The charge follows the last sound: a kill between the two charges nothing. */
const CHARGED_WITHIN_MS = 250;

/**
 * Counts characters that are charged too few or too many when all reservations have ended.
 * `killedMs`: the times of the kills.
 */
export function countSpeech(
  requests: readonly SpokenRequest[],
  killedMs: readonly number[],
  usedCharacters: number,
): [label: string, count: number][] {
  const complete = requests.filter(({ isComplete }) => isComplete);
  const isDoubtful = ({ endedMs }: SpokenRequest) =>
    killedMs.some((atMs) => Math.abs(atMs - endedMs) <= CHARGED_WITHIN_MS);
  const costOf = (speeches: readonly SpokenRequest[]) => speeches.reduce((sum, { characters }) => sum + characters, 0);
  const most = costOf(complete);
  const least = most - costOf(complete.filter(isDoubtful));
  return [
    [
      `characters of ${complete.length} complete speeches not charged, of ${least}`,
      Math.max(0, least - usedCharacters),
    ],
    [
      `characters charged for ${requests.length - complete.length} interrupted speeches`,
      Math.max(0, usedCharacters - most),
    ],
  ];
}
