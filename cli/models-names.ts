import { editDistance } from '@jyutsing/numeric/edit-distance';
import { AppError } from '@jyutsing/contracts/errors';

/** Throws `not_found` for the first unknown name, with suggestions. */
export function requireKnownNames(names: readonly string[], existing: readonly string[]): void {
  for (const name of names) {
    if (existing.includes(name)) continue;
    const near = nearNames(name, existing);
    const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '"models list" shows all names.';
    throw new AppError('not_found', `There is no model "${name}"; ${advice}`);
  }
}

/** A name with more edits than this share of its letters is another name, not a slip. */
const MAX_EDIT_SHARE = 0.4;
/** Fewer letters are part of many names by chance. */
const MIN_PART_LETTERS = 3;

/**
 * Finds up to three known names near to the typed one, ignoring hyphens, spaces and case: first
 * those that contain the typed text, as users type parts of long names, then those with few edits.
 */
export function nearNames(typed: string, existing: readonly string[]): string[] {
  return existing
    .map((name) => ({ name, editShare: editShareOf(typed, name) }))
    .filter(({ editShare }) => editShare <= MAX_EDIT_SHARE)
    .sort((a, b) => a.editShare - b.editShare || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function editShareOf(typed: string, name: string): number {
  const [typedLetters, nameLetters] = [plain(typed), plain(name)];
  if (typedLetters.length >= MIN_PART_LETTERS && nameLetters.includes(typedLetters)) return 0;
  const edits = Math.min(editDistance(typedLetters, nameLetters), editDistance(inOrder(typed), inOrder(name)));
  return edits / Math.max(1, typedLetters.length, nameLetters.length);
}

/** The parts of a name in alphabetical order: users exchange them. */
function inOrder(name: string): string {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .sort()
    .join('');
}
