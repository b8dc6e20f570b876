import { types } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/** A chain of causes may be a circle. */
const MAX_CAUSES = 8;
/** PostgreSQL's details of an error, which have values of rows. */
const VALUES = 'detail';
/** The piece of a text that V8 quotes when it is no JSON. */
const QUOTED_JSON = /(?:\.{3})?"[^]*"(?:\.{3})? is not valid JSON/gu;

/**
 * Writes JSON lines, by default to standard output. Removes fields with user content (text, keys),
 * in case a whole object is logged by mistake. Errors have their message, stack and causes.
 */
export function createLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const redact = {
    paths: [
      'api_key',
      '*.api_key',
      'headers.authorization',
      'headers["x-api-key"]',
      'headers["xi-api-key"]',
      'headers["api-key"]',
      '*.text',
      '*.context',
      '*.segments',
      // The multipart parser logs the headers of every form at level trace.
      'busboyOptions',
    ],
    censor: '[redacted]',
  };
  const serializers = { err: describeError, cause: describeError };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact, serializers }, destination);
}

/**
 * Errors of libraries may hold whole objects, as those of PostgreSQL their connection, and pieces
 * of what users sent: left out.
 */
function describeError(error: unknown): unknown {
  return describeChain(error, MAX_CAUSES);
}

function describeChain(error: unknown, left: number): unknown {
  if (!types.isNativeError(error)) return error;
  const { name: type, message, stack, cause, ...others } = error;
  const details = Object.entries(others).filter(
    ([name, value]) => name !== VALUES && value !== null && typeof value !== 'object',
  );
  const hasOrigin = cause !== undefined && left > 1;
  const origin = hasOrigin ? { cause: describeChain(cause, left - 1) } : {};
  return { ...Object.fromEntries(details), type, message: unquoted(message), stack: unquoted(stack ?? ''), ...origin };
}

function unquoted(text: string): string {
  return text.replaceAll(QUOTED_JSON, 'the text is not valid JSON');
}
