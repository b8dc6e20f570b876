// Removes from node_modules what this platform cannot use: native files of other platforms, C
// headers and sources. They come inside packages that have no smaller form, and are a third of an
// installation. Plain JavaScript, because it runs before Node 24 is there.
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const namesIn = (folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The paths to remove below `modules`, for a platform and an architecture as Node names them. */
function unusablePaths(modules, platform, arch) {
  const onnx = 'onnxruntime-node/bin';
  const runtimes = namesIn(join(modules, onnx)).flatMap((version) =>
    namesIn(join(modules, onnx, version)).flatMap((os) =>
      namesIn(join(modules, onnx, version, os)).map((cpu) => ({ path: `${onnx}/${version}/${os}/${cpu}`, os, cpu })),
    ),
  );
  const databases = namesIn(join(modules, 'better-sqlite3/prebuilds')).map((name) => {
    const [os, cpu] = name.replace('.node', '').split('-');
    // musl, too, is a Linux.
    return { path: `better-sqlite3/prebuilds/${name}`, os: os.replace('musl', ''), cpu };
  });
  const foreign = [...runtimes, ...databases].filter(({ os, cpu }) => os !== platform || cpu !== arch);
  const headers = namesIn(modules)
    .filter((name) => /^node-(?:linux|win)-/.test(name))
    .map((name) => `${name}/include`);
  // Without a binary for this platform its user builds one from the sources.
  const hasBinary = databases.length > foreign.filter(({ path }) => path.startsWith('better-sqlite3/')).length;
  const sources = hasBinary ? ['better-sqlite3/deps', 'better-sqlite3/src'] : [];
  return [...foreign.map(({ path }) => path), ...headers, ...sources];
}

/** Does nothing in a folder that is read-only, or a link to one that other platforms may use too. */
export function trimModules(modules, platform = process.platform, arch = process.arch) {
  if (lstatSync(modules, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const path of unusablePaths(modules, platform, arch)) {
    try {
      rmSync(join(modules, path), { recursive: true, force: true });
    } catch {
      return;
    }
  }
}

if (process.argv[1] === import.meta.filename) trimModules(join(import.meta.dirname, '../node_modules'));
