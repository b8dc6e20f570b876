import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findAdvisories, linesOfAudit, lockedPackages } from '../../scripts/advisories.ts';
import { ROOT } from '../../scripts/source-files.ts';

type Package = { version?: string; license?: string; link?: boolean; dev?: boolean };

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

it.each([
  ['models/hibari', 'hibari-tts', 'Apache-2.0'],
  ['models/speakers', 'Resemblyzer', 'Apache-2.0'],
  ['models/speakers', 'pyannote/segmentation', 'MIT'],
])('%s names the publisher of its weights, and NOTICE their licence', (folder, publisher, licence) => {
  expect(readFileSync(join(ROOT, folder, 'README.md'), 'utf8')).toContain(publisher);
  const notice = readFileSync(join(ROOT, 'NOTICE'), 'utf8');
  const row = notice.slice(notice.indexOf(`  ${folder}/`)).split(/\n {2}(?=\S)/)[0];
  expect(row).toContain(publisher);
  expect(row).toContain(licence);
});

const named = (path: string) => path.replace(/^.*node_modules\//, '').replace(/^lightningcss-.*/, 'lightningcss');

it('every package of an image without a permissive licence has a row in docs/licences.md', () => {
  const page = readFileSync(join(ROOT, 'docs/licences.md'), 'utf8');
  const inImage = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
  );
  const missing = inImage.filter(([path, { license = '' }]) => !ACCEPTED.has(license) && !page.includes(named(path)));
  expect(missing).toEqual([]);
  expect(inImage.length).toBeGreaterThan(300);
});

it('parts of compiled packages under another licence than theirs are named', () => {
  const library = join(ROOT, 'node_modules/sherpa-onnx-linux-x64/libsherpa-onnx-c-api.so');
  const holdsEspeak = existsSync(library) && readFileSync(library).includes('espeak');
  for (const page of ['NOTICE', 'docs/licences.md']) {
    expect(readFileSync(join(ROOT, page), 'utf8').includes('sherpa-onnx') || !holdsEspeak).toBe(true);
  }
});

it('no locked package has an advisory of the stored list that is not accepted with a reason', () => {
  const found = findAdvisories(lockedPackages());
  expect(found.filter(({ accepted }) => accepted === undefined)).toEqual([]);
  // An accepted one is in no image.
  const inImage = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  const isInImage = ({ package: name, version }: { package: string; version: string }) =>
    inImage.some(([path, installed]) => path.endsWith(`node_modules/${name}`) && installed.version === version);
  expect(found.filter(isInImage)).toEqual([]);
  const old = findAdvisories([
    { name: 'ws', version: '8.17.0' },
    { name: 'ws', version: '8.17.1' },
  ]);
  expect(old.map(({ version }) => version)).toEqual(['8.17.0']);
});

it('an audit of the registry is read as npm writes it, and its failure is none', () => {
  const via = ['other', { title: 'Crash', url: 'https://github.com/advisories/GHSA-1' }];
  const vulnerabilities = { ws: { range: '<8.17.1', severity: 'high', via } };
  expect(linesOfAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities }))).toEqual([
    'ws <8.17.1: high, by other; Crash https://github.com/advisories/GHSA-1',
  ]);
  expect(linesOfAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} }))).toEqual([]);
  expect(linesOfAudit(JSON.stringify({ message: '405 Method Not Allowed', method: 'POST' }))).toBeNull();
  expect(linesOfAudit('')).toBeNull();
});
