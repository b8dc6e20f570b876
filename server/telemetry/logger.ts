import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/**
 * Writes JSON lines, by default to standard output. Removes fields with user content (text, keys),
 * in case a whole object is logged by mistake.
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
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact }, destination);
}
