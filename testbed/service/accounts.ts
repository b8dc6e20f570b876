import { expect } from 'vitest';
import { OWNER_KEY, request } from './service.ts';

export type TestAccount = { id: string; key: string; keyId: string };

/** Creates an account with one key over HTTP as the owner. */
export async function createAccount(baseUrl: string, plan: string, scopes: string[] = ['tts']): Promise<TestAccount> {
  const made = await administer(baseUrl, 'POST', 'accounts', { name: 'a test', plan });
  const { id } = made['account'] as { id: string };
  const { api_key: key, key: shown } = await administer(baseUrl, 'POST', `accounts/${id}/keys`, { scopes });
  return { id, key: String(key), keyId: (shown as { id: string }).id };
}

/** Sends an administration request as the owner; throws unless it succeeds. */
export async function administer(
  baseUrl: string,
  method: string,
  path: string,
  body: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { status, body: answer } = await request(`${baseUrl}/api/admin/${path}`, {
    method,
    headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([path, status]).toEqual([path, 200]);
  return answer;
}

/** Characters of speech the account has used this month, according to the API. */
export async function charactersUsed(baseUrl: string, { key }: Pick<TestAccount, 'key'>): Promise<number> {
  const { body } = await request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
  return (body['quotas'] as { tts_characters: { used: number } }).tts_characters.used;
}

/** Internals that errors must not reveal: file paths, stacks, SQL, module names. */
const INTERNALS =
  /\/(?:work|tmp|home|usr|node_modules|src)\/|\.[jt]s\b|\bat \w+ \(|sqlite|kysely|select |insert into|ENO[A-Z]+/i;

/**
 * Status and code of an error response, whose body must have the common form and reveal no
 * internals.
 */
export async function errorOf(response: Response): Promise<[status: number, code: string]> {
  const text = await response.text();
  if (response.status === 200) return [200, 'none'];
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body = JSON.parse(text) as { message: string; error: { code: string } };
  expect(body).toEqual({
    success: false,
    message: expect.stringMatching(/^["A-Z].*\.$/su),
    error: { code: expect.stringMatching(/^[a-z_]+$/), type: expect.stringMatching(/_error$/), message: body.message },
    request_id: response.headers.get('x-request-id'),
  });
  expect(body.message).not.toMatch(INTERNALS);
  expect(body.message.length).toBeLessThan(300);
  return [response.status, body.error.code];
}

/** The cases with an unexpected answer, together with that answer. */
export async function mismatches<Case>(
  cases: readonly Case[],
  expected: (testCase: Case) => [number, string],
  ask: (testCase: Case) => Promise<Response>,
): Promise<unknown[]> {
  const wrong: unknown[] = [];
  await Promise.all(
    cases.map(async (testCase) => {
      const response = await ask(testCase);
      const got = await errorOf(response);
      if (JSON.stringify(got) !== JSON.stringify(expected(testCase)))
        wrong.push([JSON.stringify(testCase)?.slice(0, 120), ...got]);
    }),
  );
  return wrong;
}
