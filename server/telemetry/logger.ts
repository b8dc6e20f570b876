import { pino, type Logger } from 'pino';

export type { Logger };

/**
 * JSON lines on standard output. What users send (audio, text, keys) stays out: these fields are struck even when
 * somebody logs a whole object by mistake.
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'api_key',
        '*.api_key',
        'headers.authorization',
        'headers["x-api-key"]',
        '*.text',
        '*.context',
        '*.segments',
        // The parser of forms logs the headers of each at the level trace.
        'busboyOptions',
      ],
      censor: '[struck]',
    },
  });
}
