import { join } from 'node:path';

/**
 * Returns the paths of the certificate that the service makes for development (`TLS=self-signed`).
 */
export function selfSignedFiles(dataDir: string): { cert: string; key: string } {
  return { cert: join(dataDir, 'self-signed-cert.pem'), key: join(dataDir, 'self-signed-key.pem') };
}
