import { AppError } from '@jyutsing/contracts/errors';

/** Throws `not_found` for the first unknown name, with suggestions. */
export function requireKnownNames(names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearNames(name, known);
    const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '"models list" shows all names.';
    throw new AppError('not_found', `There is no model "${name}"; ${advice}`);
  }
}

/**
 * Finds up to three known names similar to the typed one by letter pairs (Dice coefficient),
 * ignoring hyphens, spaces and case. Names that contain the typed text come first, as users type
 * parts of long names.
 */
export function nearNames(typed: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, similarity: similarity(plain(typed), plain(name)) }))
    .filter(({ similarity }) => similarity >= 0.4)
    .sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function similarity(a: string, b: string): number {
  if (a.length >= 3 && b.includes(a)) return 1;
  const left = pairs(a);
  const right = pairs(b);
  const shared = [...left].filter((pair) => right.has(pair)).length;
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
}

function pairs(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}
