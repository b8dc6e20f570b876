type Runtime = { process?: { env?: Record<string, string | undefined> }; location?: { origin?: string } };

/** Reads a variable of the process; undefined in browsers, and where reading it is not allowed. */
export function readVariable(name: string): string | undefined {
  try {
    const value = (globalThis as Runtime).process?.env?.[name]?.trim();
    return value === '' ? undefined : value;
  } catch {
    // Deno refuses to read it without --allow-env.
    return undefined;
  }
}
