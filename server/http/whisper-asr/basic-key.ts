import type { FastifyRequest } from 'fastify';

/**
 * Takes the key out of `Authorization: Basic`, which is what programs that know no keys send for an
 * address such as `http://any:<key>@host`.
 */
export function acceptBasicKey({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const basic = /^Basic +([\w+/=-]+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (basic === undefined) return;
  const password = /:(\S+)$/.exec(Buffer.from(basic, 'base64').toString())?.[1];
  if (password !== undefined) headers.authorization = `Bearer ${password}`;
}
