// The bare steps of a score behind a bare Fastify: `bare-server.ts <language>`. Answers the form of
// a scoring request, keeps its file on disk meanwhile, and prints its URL.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import { fastify } from 'fastify';
import type { Language } from '@jyutsing/contracts/transcript';
import { openBareScoring } from './bare-scoring.ts';

const [language = ''] = process.argv.slice(2);
const scoring = await openBareScoring(language as Language);
const server = fastify({ bodyLimit: 16 * 1_024 ** 2 });
await server.register(multipart);
server.post('/api/score-pronunciation', async (request) => {
  const form = await request.file();
  const field = form?.fields['text'];
  if (form === undefined || field === undefined || !('value' in field)) throw new Error('the form is incomplete');
  const path = join(tmpdir(), `bench-${randomUUID()}`);
  await pipeline(form.file, createWriteStream(path));
  try {
    const target = await scoring.readText(String(field.value));
    return scoring.assess(await scoring.analyze(await scoring.readSound(path)), target);
  } finally {
    await unlink(path);
  }
});
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
