#!/bin/sh
# Guess: pydantic writes a duration of 400 days into JSON as days, `P400D`: a year has no fixed length, which is why
# `timedelta` of Python has none.
# Seen with pydantic 2.14.4 (PyPI): it writes `P1Y35D` for 400 days, with years of 365 days, and reads it back so. Others take
# the year for one of the calendar: isodate 0.7.2 (PyPI), Temporal and luxon 3.7.2 (npm) come to 401 days from January
# 2028. msgspec 0.23.0 (PyPI) writes `P400D` and refuses the year. How long a recording is kept so
# differs by a day between the program that sets it and the one that deletes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @js-temporal/polyfill@0.5.1 luxon@3.7.2
python3 -m venv python
python/bin/pip install --quiet pydantic==2.14.4 isodate==0.7.2 msgspec==0.23.0
cat > try.py <<'END'
from datetime import date, timedelta

import isodate
import msgspec
from pydantic import TypeAdapter

durations = TypeAdapter(timedelta)
kept = timedelta(days=400)
written = durations.dump_json(kept).decode().strip('"')
start = date(2028, 1, 1)
print('pydantic', written, (durations.validate_python(written)).days)
print('isodate', (start + isodate.parse_duration(written) - start).days)
print('msgspec writes', msgspec.json.encode(kept).decode())
try:
    msgspec.convert(written, timedelta)
except msgspec.ValidationError:
    print('msgspec refuses', written)
END
cat > try.js <<'END'
import { Temporal } from '@js-temporal/polyfill';
import { DateTime, Duration } from 'luxon';

const written = 'P1Y35D';
const start = Temporal.PlainDate.from('2028-01-01');
console.log('Temporal', start.until(start.add(written)).days);
const first = DateTime.utc(2028, 1, 1);
console.log('luxon', first.plus(Duration.fromISO(written)).diff(first, 'days').days);
END
{ python/bin/python try.py; node try.js; } > seen
cat seen
cat > expected <<'END'
pydantic P1Y35D 400
isodate 401
msgspec writes "P400D"
msgspec refuses P1Y35D
Temporal 401
luxon 401
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
