import { currentKey, SERVICE_URL } from '#console/core/session.ts';

/** The page of the interface keeps under this name the key that people enter there. */
const STORED_AS = 'scalar-reference-auth-api-1';

/** Opens the API reference with the key of this session filled in. */
export function openDocs(): void {
  const secrets = { apiKeyHeader: { type: 'apiKey', 'x-scalar-secret-token': currentKey() } };
  localStorage.setItem(STORED_AS, JSON.stringify({ secrets, selected: {} }));
  open(`${SERVICE_URL}/docs/`, '_blank', 'noopener');
}

export function forgetDocsKey(): void {
  localStorage.removeItem(STORED_AS);
}
