import { AppError } from '@jyutsing/contracts/errors';

/** Throws `not_found` for the first name that is not among the known ones, with those that come near it. */
export function requireKnownNames(names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearNames(name, known);
    const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '"models list" shows all there are.';
    throw new AppError('not_found', `There is no model "${name}"; ${advice}`);
  }
}

/**
 * Up to three names that share enough pairs of letters with what was typed (Dice's coefficient); hyphens, spaces and case do not
 * count. Names are long and people type a part of them, so a name that holds what was typed comes first.
 */
export function nearNames(typed: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, likeness: likeness(plain(typed), plain(name)) }))
    .filter(({ likeness }) => likeness >= 0.4)
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function likeness(a: string, b: string): number {
  if (a.length >= 3 && b.includes(a)) return 1;
  const left = pairs(a);
  const right = pairs(b);
  const shared = [...left].filter((pair) => right.has(pair)).length;
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
}

function pairs(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}
