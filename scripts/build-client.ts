// `npm run build -w packages/client`: makes dist/, the package that is published: one file for
// Node, Deno and Bun, one for browsers, and declarations.
import { spawnSync } from 'node:child_process';
import { copyFile, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './source-files.ts';
import manifest from '../packages/client/package.json' with { type: 'json' };

const PACKAGE = join(ROOT, 'packages/client');

/** Builds the package into a folder. */
export async function buildClient(folder = join(PACKAGE, 'dist')): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await bundle(folder, 'node', ['node', 'import', 'default']);
  await bundle(folder, 'web', ['import', 'default']);
  declare(join(folder, 'types'));
  await makeSpecifiersRelative(join(folder, 'types'));
  const { name, version, description, license, type, sideEffects } = manifest;
  const types = './types/index.d.ts';
  const published = {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines: { node: '>=20' },
    exports: {
      '.': { types, node: './node.js', deno: './node.js', bun: './node.js', default: './web.js' },
      './package.json': './package.json',
    },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(join(ROOT, 'docs/client.md'), join(folder, 'README.md'));
  await copyFile(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

/** Bundles the client for one platform; the conditions choose the modules that differ. */
async function bundle(folder: string, name: string, conditionNames: string[]): Promise<void> {
  const build = await rolldown({
    input: { [name]: join(PACKAGE, 'index.ts') },
    resolve: { conditionNames },
    external: /^node:/,
  });
  await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: `${name}-[name].js` });
  await build.close();
}

function declare(outDir: string): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const project = join(PACKAGE, 'tsconfig.build.json');
  const made = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', outDir], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stdout + made.stderr);
}

/** Other projects can resolve neither our aliases of folders nor files that end in .ts. */
async function makeSpecifiersRelative(folder: string): Promise<void> {
  for await (const path of glob('**/*.d.ts', { cwd: folder })) {
    const text = await readFile(join(folder, path), 'utf8');
    const written = text.replaceAll(
      /(['"])(#client\/|\.\/)([^'"]+)\.ts\1/g,
      (_, quote: string, from: string, file: string) => {
        const target = from === './' ? `./${file}` : relative(dirname(path), file);
        return `${quote}${target.startsWith('.') ? target : `./${target}`}.js${quote}`;
      },
    );
    await writeFile(join(folder, path), written);
  }
}

if (import.meta.main) await buildClient();
