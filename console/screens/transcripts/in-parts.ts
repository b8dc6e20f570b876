/** The service takes so many transcripts at a time. */
const MOST_AT_A_TIME = 100;

/** Cuts a list of ids into parts that the service takes. */
export function inParts(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / MOST_AT_A_TIME);
  return Array.from({ length: count }, (_, index) => ids.slice(index * MOST_AT_A_TIME, (index + 1) * MOST_AT_A_TIME));
}

/** Deletes part after part until one fails; tells which are gone, and why it stopped, or null. */
export async function deleteInParts(
  ids: readonly string[],
  deletePart: (part: readonly string[]) => Promise<unknown>,
): Promise<{ deleted: readonly string[]; failure: unknown }> {
  const deleted: string[] = [];
  try {
    for (const part of inParts(ids)) {
      await deletePart(part);
      deleted.push(...part);
    }
  } catch (failure) {
    return { deleted, failure };
  }
  return { deleted, failure: null };
}
