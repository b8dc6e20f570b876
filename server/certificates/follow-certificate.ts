import type { Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { HttpSettings } from '#config/http-variables.ts';
import { readCertificate, type Certificate } from './load-certificate.ts';
import type { Logger } from '#telemetry/logger.ts';

const LOOK_EVERY_MS = 60_000;

type Following = {
  tls: HttpSettings['tls'];
  /** The certificate that the server has used since its start. */
  current: Certificate | null;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** An aborted signal ends it. */
  signal: AbortSignal;
};

/**
 * Gives the server the certificate of an operator again when its files change, as they do when it
 * is renewed; open connections go on. While the files cannot be used, the earlier one stays.
 */
export function followCertificate(
  server: Server,
  { tls, current, logger, signal }: Following,
  lookEveryMs = LOOK_EVERY_MS,
): void {
  if (tls === null || tls === 'self-signed' || !(server instanceof TlsServer)) return;
  let used = JSON.stringify(current);
  let hasFailed = false;
  let isLooking = false;
  const look = async () => {
    // A slow look must not put an older certificate in the place of a newer one.
    if (isLooking) return;
    isLooking = true;
    try {
      const read = await readCertificate(tls);
      hasFailed = false;
      if (JSON.stringify(read) === used) return;
      server.setSecureContext(read);
      used = JSON.stringify(read);
      logger.info('the certificate has changed; new connections get the new one');
    } catch (cause) {
      // Once, not with every look.
      if (!hasFailed) logger.warn({ cause }, 'the changed certificate cannot be used; the earlier one stays');
      hasFailed = true;
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
