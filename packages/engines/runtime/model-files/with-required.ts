import type { ModelPackage } from '@jyutsing/contracts/model-package';

/** The named packages and those that they cannot run without. */
export function withRequired<Pack extends Pick<ModelPackage, 'name' | 'requires'>>(
  names: readonly string[],
  packages: readonly Pack[],
): Pack[] {
  const wanted = new Set(names);
  // A set also visits what is added on the way.
  for (const name of wanted) {
    for (const required of packages.find((pack) => pack.name === name)?.requires ?? []) wanted.add(required);
  }
  return packages.filter(({ name }) => wanted.has(name));
}
