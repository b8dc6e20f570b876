import { currentKey, SERVICE_URL } from '#console/core/session.ts';

/** The page of the interface looks under this name for a key. */
const STORED_AS = 'scalar-reference-auth-api-1';

/**
 * Opens the API reference with the key of this session filled in. Its tab gets a copy of what this
 * tab stores, and forgets it when it is closed.
 */
export function openDocs(): void {
  const secrets = { apiKeyHeader: { type: 'apiKey', 'x-scalar-secret-token': currentKey() } };
  sessionStorage.setItem(STORED_AS, JSON.stringify({ secrets, selected: {} }));
  open(`${SERVICE_URL}/docs/`, '_blank');
  sessionStorage.removeItem(STORED_AS);
}
