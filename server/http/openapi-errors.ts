import { z } from 'zod';
import { ERROR_CATALOGUE, type ErrorCode } from '@jyutsing/contracts/errors';

/** The body of every answer with an error status. */
const ErrorAnswer = z
  .object({
    success: z.literal(false),
    message: z.string().describe('One sentence for the user.'),
    error: z.object({
      code: z.string().describe('A code of docs/errors.md; stable.'),
      type: z.string().describe('The family of the error.'),
      message: z.string(),
    }),
    request_id: z.string().describe('The same as the header X-Request-Id.'),
  })
  .meta({ id: 'Error' });

/** Errors of every route. */
const ANY_ERRORS = ['invalid_request', 'internal_error', 'service_unavailable'] as const satisfies ErrorCode[];

/** Errors of every route that requires a key. */
export const KEY_ERRORS = [
  'missing_api_key',
  'invalid_api_key',
  'account_blocked',
  'insufficient_scope',
  'plan_required',
  'rate_limit_exceeded',
] as const satisfies ErrorCode[];
/** Explained once for all operations; those with a reason of their own only name them. */
const COMMON_CODES: ReadonlySet<ErrorCode> = new Set([...ANY_ERRORS, ...KEY_ERRORS, 'unsupported_media_type']);

/** Error responses of a route: one entry per status, with the codes in its description. */
export function errorResponses(...codes: ErrorCode[]) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set<ErrorCode>([...codes, ...ANY_ERRORS])) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      status,
      {
        description: describeCodes(codesOfStatus.sort()),
        content: { 'application/json': { schema: ErrorAnswer } },
      },
    ]),
  );
}

function describeCodes(codes: readonly ErrorCode[]): string {
  const routeCodes = codes.filter((code) => !COMMON_CODES.has(code));
  const explained = routeCodes.length === 0 ? codes : routeCodes;
  const otherCodes = codes.filter((code) => !explained.includes(code)).map((code) => `\`${code}\``);
  const sentences = explained.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].message}`);
  return [...sentences, ...(otherCodes.length === 0 ? [] : [`Also ${otherCodes.join(', ')}.`])].join(' ');
}

/** The errors of a request with a key, whatever it asks for. */
const COMMON_RESPONSES = errorResponses(...KEY_ERRORS);
/** The errors of a request with a body. */
const BODY_RESPONSES = Object.fromEntries(
  Object.entries(errorResponses('payload_too_large', 'unsupported_media_type')).filter(
    ([status]) => !(status in COMMON_RESPONSES),
  ),
);

const COMMON = {
  description: `An error of any request: ${describe(COMMON_RESPONSES)} Of one with a body: ${describe(BODY_RESPONSES)}`,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

function describe(responses: ReturnType<typeof errorResponses>): string {
  return Object.values(responses)
    .map(({ description }) => description)
    .join(' ');
}

/**
 * Replaces the errors that every operation with a key has by one answer `default`; what remains are
 * the errors of this operation.
 */
export function joinCommonErrors(responses: Record<string, Record<string, unknown>>): void {
  const common = Object.entries(COMMON_RESPONSES);
  if (!common.every(([status]) => status in responses)) return;
  for (const [status, { description }] of [...common, ...Object.entries(BODY_RESPONSES)]) {
    if (responses[status]?.['description'] === description) delete responses[status];
  }
  responses['default'] = structuredClone(COMMON);
}
