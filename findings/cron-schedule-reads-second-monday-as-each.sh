#!/bin/sh
# Guess: a program for cron expressions either knows the forms that go beyond the five fields, such as 1#2 for the second Monday
# and 5/15 for each quarter of an hour from 5 on, or refuses them.
# Seen with cron-schedule 6.0.0 (npm): it reads the number before the sign and drops the rest, without a word. 1#2 is each
# Monday, 5L each Friday where the last of a month was meant, 15W the fifteenth whatever day that is, and 5/15 once an hour. A
# letter before the number it refuses. A monthly message so goes out each week. croner 11.0.1 and cron-parser 5.10.6 (npm)
# know the first two forms, and refuse what they do not know.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts cron-schedule@6.0.0 croner@11.0.1 cron-parser@5.10.6
cat > try.js <<'END'
import { Cron } from 'croner';
import { CronExpressionParser } from 'cron-parser';
import { parseCronExpression } from 'cron-schedule';

const start = new Date('2026-11-30T00:00:00Z');
const programs = {
  'cron-schedule': (expression) => parseCronExpression(expression).getNextDates(3, start),
  croner: (expression) => new Cron(expression, { paused: true, timezone: 'UTC' }).nextRuns(3, start),
  'cron-parser': (expression) => CronExpressionParser.parse(expression, { currentDate: start, tz: 'UTC' }).take(3).map((date) => date.toDate()),
};
for (const expression of ['0 9 * * 1#2', '0 9 * * 5L', '0 9 15W * *', '5/15 * * * *']) {
  for (const [name, datesOf] of Object.entries(programs)) {
    let times;
    try {
      times = datesOf(expression).map((date) => date.toISOString().slice(5, 16)).join(', ');
    } catch {
      times = 'refused';
    }
    console.log(`${expression}, ${name}: ${times}`);
  }
}
END
TZ=UTC node try.js > seen
cat seen
cat > expected <<'END'
0 9 * * 1#2, cron-schedule: 11-30T09:00, 12-07T09:00, 12-14T09:00
0 9 * * 1#2, croner: 12-14T09:00, 01-11T09:00, 02-08T09:00
0 9 * * 1#2, cron-parser: 12-14T09:00, 01-11T09:00, 02-08T09:00
0 9 * * 5L, cron-schedule: 12-04T09:00, 12-11T09:00, 12-18T09:00
0 9 * * 5L, croner: 12-25T09:00, 01-29T09:00, 02-26T09:00
0 9 * * 5L, cron-parser: 12-25T09:00, 01-29T09:00, 02-26T09:00
0 9 15W * *, cron-schedule: 12-15T09:00, 01-15T09:00, 02-15T09:00
0 9 15W * *, croner: 12-15T09:00, 01-15T09:00, 02-15T09:00
0 9 15W * *, cron-parser: refused
5/15 * * * *, cron-schedule: 11-30T00:05, 11-30T01:05, 11-30T02:05
5/15 * * * *, croner: refused
5/15 * * * *, cron-parser: 11-30T00:05, 11-30T00:20, 11-30T00:35
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
