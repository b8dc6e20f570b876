import type { JyutsingError } from '@jyutsing/client';

/** One sentence about what the service said, or that it did not answer. */
export function describeRefusal({ code, message, requestId, status }: JyutsingError): string {
  if (code === 'missing_api_key') return 'The service wants an API key: pass --key, or set JYUTSING_API_KEY.';
  return status !== null && status >= 500 && requestId !== null ? `${message} (request ${requestId})` : message;
}
