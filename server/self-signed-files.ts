import { join } from 'node:path';

/** Where the service keeps the certificate that it makes for development (`TLS=self-signed`). */
export function selfSignedFiles(dataDir: string): { cert: string; key: string } {
  return { cert: join(dataDir, 'self-signed-cert.pem'), key: join(dataDir, 'self-signed-key.pem') };
}
