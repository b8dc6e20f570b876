import { errorOfFamily, type JyutsingError } from '#client/errors.ts';

/** The error body of the service; a proxy in front of it sends other content. */
export type ErrorBody = { message?: string; error?: { code?: string; type?: string; message?: string } };

/** Makes an error of an answer that is not 2xx. */
export async function readError(response: Response): Promise<JyutsingError> {
  // A connection that breaks here is no further failure, because the status suffices.
  const text = await response.text().catch(() => '');
  return errorFromBody(parseBody(text), response);
}

/** Makes an error of an error body. */
export function errorFromBody({ message, error }: ErrorBody, { status, headers }: Response): JyutsingError {
  return errorOfFamily(error?.type, error?.message ?? message ?? `The server answered with the status ${status}.`, {
    code: error?.code ?? `http_${status}`,
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
  });
}

function parseBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as ErrorBody) : {};
  } catch {
    return {};
  }
}

/** Returns seconds, also from the form with a date. */
function readRetryAfter(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const timeMs = Date.parse(header);
  return Number.isNaN(timeMs) ? null : Math.max(0, (timeMs - Date.now()) / 1_000);
}
