import type { ModelPackage } from '@jyutsing/contracts/model-package';

/** Returns the named packages in that order, then those that they require. */
export function withRequired<Pack extends Pick<ModelPackage, 'name' | 'requires'>>(
  names: readonly string[],
  packages: readonly Pack[],
): Pack[] {
  const packOf = (packName: string) => packages.find(({ name }) => name === packName);
  const requiredNames = new Set(names);
  // Iterating over a set includes names that are added meanwhile.
  for (const name of requiredNames) {
    for (const required of packOf(name)?.requires ?? []) requiredNames.add(required);
  }
  return [...requiredNames].flatMap((name) => packOf(name) ?? []);
}
