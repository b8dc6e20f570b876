import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** The lines that a process writes when its logger does this at a level. */
async function logged(level: string, calls: string): Promise<Record<string, unknown>[]> {
  const logger = JSON.stringify(new URL('logger.ts', import.meta.url).href);
  const script = `const { createLogger } = await import(${logger}); const logger = createLogger('${level}'); ${calls}`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it('has JSON lines with a level, a time of ISO 8601 and a message, from the level on', async () => {
    const lines = await logged(
      'warn',
      `logger.info('quiet'); logger.warn({ jobId: 7 }, 'loud'); logger.error('louder');`,
    );
    expect(lines.map(({ level, msg, jobId }) => [level, msg, jobId])).toEqual([
      [40, 'loud', 7],
      [50, 'louder', undefined],
    ]);
    for (const { time } of lines) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    for (const line of lines) expect(Object.keys(line)).not.toContain('hostname');
  });

  it.each(['cause', 'err'])('has the message, the code and the causes of an error that is its %s', async (field) => {
    const [line] = await logged(
      'warn',
      `const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', client: { host: 'db' } });
      logger.error({ ${field}: new TypeError('no answer', { cause: lost }) }, 'the queue');`,
    );
    expect(line?.[field]).toEqual({
      type: 'TypeError',
      message: 'no answer',
      stack: expect.stringContaining('TypeError: no answer\n'),
      cause: { type: 'Error', message: 'read ECONNRESET', code: 'ECONNRESET', stack: expect.any(String) },
    });
  });

  it('has no piece of what was sent in an error', async () => {
    const lines = await logged(
      'warn',
      `const parse = (text) => { try { JSON.parse(text); } catch (error) { return error; } };
      const detail = 'Key (name)=(secret-1) already exists.';
      logger.error({ cause: Object.assign(new Error('duplicate key', { cause: parse('{"a": secret-2') }), { detail }) }, '');
      logger.error({ cause: parse('{"text": "secret-3", ' + '"'.repeat(3) + 'secret-4 '.repeat(40)) }, '');`,
    );
    expect(lines.map(({ cause }) => (cause as Error).message)).toEqual([
      'duplicate key',
      expect.stringMatching(/JSON/),
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('has neither keys nor what people said, though a whole object is logged', async () => {
    const lines = await logged(
      'trace',
      `logger.info({
        api_key: 'secret-1',
        body: { api_key: 'secret-2', text: 'secret-3', context: 'secret-4' },
        headers: { authorization: 'secret-5', 'x-api-key': 'secret-6', 'xi-api-key': 'secret-9', 'api-key': 'secret-10', accept: 'json' },
        record: { segments: [{ text: 'secret-7' }], id: 'r1' },
        busboyOptions: { headers: { authorization: 'secret-8' } },
      }, 'by mistake');`,
    );
    expect(JSON.stringify(lines)).not.toContain('secret');
    expect(lines).toMatchObject([{ headers: { accept: 'json' }, record: { id: 'r1' }, body: { text: '[redacted]' } }]);
  });
});
