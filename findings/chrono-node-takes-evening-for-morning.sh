#!/bin/sh
# Guess: the Cantonese words for the time of day that chrono-node reads (朝早, 晏晝, 下晝, 夜晚, 今晚) move the
# hour alike: 夜晚八點 is eight in the evening, and 夜晚十二點 is midnight.
# Seen with chrono-node 2.10.3 (npm), `zh.hant`: 夜晚 is read as a part of the time and then moves nothing:
# 夜晚八點 is 8:00 in the morning and 夜晚11:00 is 11:00, while 晚上八點 and 今晚八點 are 20:00 and 下晝三點 is
# 15:00. Twelve at night is noon with every word (夜晚, 晚上, 今晚). Results say that hour and minute are
# certain. 夜晚 is the word of spoken Cantonese, so reminders made of what people say ring half a day off.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts chrono-node@2.10.3
cat > try.js <<'END'
import * as chrono from 'chrono-node';

const now = new Date(2026, 10, 29, 12, 0, 0);
const expected = {
  朝早九點: '9:00', 晏晝兩點: '14:00', 下晝三點: '15:00', 晚上八點: '20:00', 今晚八點: '20:00', 聽晚八點: '20:00',
  夜晚八點: '8:00', '夜晚11:00': '11:00', 夜晚十二點: '12:00', 晚上十二點: '12:00', 今晚十二點: '12:00',
};
for (const [words, usual] of Object.entries(expected)) {
  const [{ text, start }] = chrono.zh.hant.parse(words, now);
  const time = `${start.get('hour')}:${String(start.get('minute')).padStart(2, '0')}`;
  console.log(words, time, start.isCertain('hour') ? 'certain' : 'guessed');
  if (text !== words || time !== usual || !start.isCertain('hour')) throw new Error('behaves differently now');
}
END
node try.js
echo 'as described'
