#!/bin/sh
# Removes what the running service does not need from the folder of an installation: the tools that
# built the console, native files of other platforms, and what is for programmers.
set -eu
node scripts/trim-modules.js
cd node_modules
rm -rf vite rolldown @rolldown lightningcss lightningcss-* @oxc-project postcss
find node-linux-* -mindepth 1 -maxdepth 1 ! -name bin ! -name package.json ! -name LICENSE -exec rm -rf {} +
find better-sqlite3/prebuilds -name 'linuxmusl-*' -delete
find . -name '*.map' -type f -delete
# Types and texts for programmers; licences stay.
find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'readme*' -o -iname 'changelog*' \) -delete
