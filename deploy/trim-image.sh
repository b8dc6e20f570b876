#!/bin/sh
# Removes what the running service does not need from the folder of an installation: the tools that
# built the console, and native files of other platforms.
set -eu
case "$(uname -m)" in
  x86_64) cpu=x64 ;;
  aarch64 | arm64) cpu=arm64 ;;
  *) echo "no image for $(uname -m)" >&2; exit 1 ;;
esac
cd node_modules
rm -rf vite rolldown @rolldown lightningcss lightningcss-* @oxc-project postcss
find onnxruntime-node/bin -mindepth 3 -maxdepth 3 -type d ! -path "*/linux/$cpu" -exec rm -rf {} +
find node-linux-"$cpu" -mindepth 1 -maxdepth 1 ! -name bin ! -name package.json ! -name LICENSE -exec rm -rf {} +
rm -rf better-sqlite3/deps better-sqlite3/src
find . -name '*.map' -type f -delete
find better-sqlite3/prebuilds -type f ! -name "linux-$cpu.node" -delete
# Types and texts for programmers; licences stay.
find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'readme*' -o -iname 'changelog*' \) -delete
