import { expect, it } from 'vitest';
import { VARIABLES } from './config.ts';

it('docs/configuration.md lists every variable with its default and meaning', async () => {
  const rows = Object.entries(VARIABLES).map(([name, schema]) => {
    // The number of processors is the reader's, not that of the machine that wrote the page.
    const fallback = name === 'WORKERS' ? 'number of processors' : (schema.parse(undefined) ?? 'absent');
    return `| \`${name}\` | ${String(fallback)} | ${schema.description ?? ''} |`;
  });
  const page = [
    '# Configuration',
    '',
    'Everything is set by environment variables and has a default. A bad value stops the process with the name of the variable.',
    'This page is written from `src/config/config.ts` by `npm test -- src/config -u`.',
    '',
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/configuration.md');
});
