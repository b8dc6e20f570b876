import { expect, it } from 'vitest';
import { VARIABLES } from './config.ts';

it('docs/configuration.md lists every variable with its default and meaning', async () => {
  const rows = Object.entries(VARIABLES).map(([name, schema]) => {
    // Depends on the machine of the reader, not on the one that generated the page.
    const fallback = name === 'WORKERS' ? 'number of processors' : (schema.parse(undefined) ?? 'absent');
    return `| \`${name}\` | ${String(fallback) || 'nothing'} | ${schema.description ?? ''} |`;
  });
  const page = [
    '# Configuration',
    '',
    'Every setting is an environment variable with a default. The process exits with the name of a variable that has a bad value.',
    'This page is generated from `server/config/config.ts` by `npm test -- server/config -u`.',
    '',
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/configuration.md');
});
