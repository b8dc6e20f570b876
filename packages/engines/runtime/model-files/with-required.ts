import type { ModelPackage } from '@jyutsing/contracts/model-package';

/** Returns the named packages and those that they require. */
export function withRequired<Pack extends Pick<ModelPackage, 'name' | 'requires'>>(
  names: readonly string[],
  packages: readonly Pack[],
): Pack[] {
  const requiredNames = new Set(names);
  // Iterating over a set includes names that are added meanwhile.
  for (const name of requiredNames) {
    for (const required of packages.find((pack) => pack.name === name)?.requires ?? []) requiredNames.add(required);
  }
  return packages.filter(({ name }) => requiredNames.has(name));
}
