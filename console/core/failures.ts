import { ConnectionError, JyutsingError } from '@jyutsing/client';
import { text } from './text.ts';

/**
 * One sentence about a failure in the language of the page: our own words for the failures that
 * people meet, the words of the service for others.
 */
export function describeFailure(failure: unknown): string {
  const { failures } = text();
  if (failure instanceof JyutsingError) {
    const known = new Map<string, string>(Object.entries(failures.byCode)).get(failure.code);
    if (known !== undefined) return known;
    return failure instanceof ConnectionError ? failures.offline : failure.message;
  }
  if (failure instanceof DOMException) {
    const known = new Map<string, string>(Object.entries(failures.byBrowser)).get(failure.name);
    if (known !== undefined) return known;
  }
  return failures.unknown;
}
