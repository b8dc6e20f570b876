import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-files.ts';

type Package = { version?: string; license?: string; link?: boolean };

/** Licences that anyone who passes the service on can satisfy by keeping the notices. */
const ACCEPTED = new Set(
  ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '0BSD', 'Unlicense', 'CC0-1.0'].concat([
    'MIT AND Apache-2.0',
    '(MIT OR CC0-1.0)',
    '(Apache-2.0 AND BSD-3-Clause)',
  ]),
);

/** Packages under another licence, or that do not state theirs; docs/licences.md explains those. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '@echogarden/espeak-ng-emscripten': 'GPL-3.0',
  // Reads recordings in the console.
  mediabunny: 'MPL-2.0',
  // This package builds the console; no part of it is served.
  'lightningcss(-.+)?': 'MPL-2.0',
  // This package is used in development only.
  'axe-core': 'MPL-2.0',
  argparse: 'Python-2.0',
  // MIT according to their texts.
  '@shinyoshiaki/jspack|humanize-number|only|busboy|dicer|streamsearch': 'not stated',
};

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Package>;
};
const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
  .map(([path, { license }]) => ({ name: path.replace(/^.*node_modules\//, ''), licence: license ?? 'not stated' }));

const exceptionOf = (name: string) =>
  Object.entries(EXCEPTIONS).find(([pattern]) => new RegExp(`^(?:${pattern})$`).test(name))?.[1];

it('every dependency has an accepted licence, or is a named exception', () => {
  expect(installed.length).toBeGreaterThan(400);
  const unaccepted = installed.filter(({ name, licence }) => !ACCEPTED.has(licence) && exceptionOf(name) !== licence);
  expect(unaccepted).toEqual([]);
});

it('no exception is out of date', () => {
  const unused = Object.entries(EXCEPTIONS).filter(
    ([pattern, licence]) =>
      !installed.some(
        (candidate) => candidate.licence === licence && new RegExp(`^(?:${pattern})$`).test(candidate.name),
      ),
  );
  expect(unused).toEqual([]);
});

it('NOTICE and docs/licences.md name the parts under the GPL with their installed versions', () => {
  const notice = readFileSync(join(ROOT, 'NOTICE'), 'utf8');
  const page = readFileSync(join(ROOT, 'docs/licences.md'), 'utf8');
  for (const name of ['@echogarden/espeak-ng-emscripten', 'node-av']) {
    const version = packages[`node_modules/${name}`]?.version ?? 'absent';
    expect(page).toMatch(new RegExp(`${name}\\S*\` ${version.replaceAll('.', '\\.')}`));
    expect(notice).toContain(name);
  }
});
