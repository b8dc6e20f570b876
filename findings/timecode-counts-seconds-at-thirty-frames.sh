#!/bin/sh
# Guess: `Timecode('29.97', start_seconds=s)` of timecode, which conforms programmes to the clock, is the frame that is on
# the screen after s seconds, and its `to_realtime` is about s again.
# Seen with timecode 1.5.1 (PyPI): it takes thirty frames for each second, 60 for 59.94 and 24 for 23.976, so after an hour
# the frame is 3.6 s too late; `to_realtime`, which counts right, shows it. `float` divides by thirty too, so
# 01:00:00;00, which is 3,600 s after the start, is 3596.43. With 25 frames all agree. OpenTimelineIO 0.18.1 (PyPI) gives
# 01:00:00;00 after 3,600 s. Captions and cuts that are placed so are off by one more frame after each 33 s.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet timecode==1.5.1 opentimelineio==0.18.1
cat > try.py <<'END'
import opentimelineio
from timecode import Timecode

for rate in ('23.976', '25', '29.97', '59.94'):
    code = Timecode(rate, start_seconds=3600)
    print(f'{rate}: {code}, {code.to_realtime(as_float=True):.2f} s')
print(f'01:00:00;00 as a number: {Timecode("29.97", "01:00:00;00").float:.2f}')
later = opentimelineio.opentime.from_seconds(3600, 30_000 / 1_001)
print('OpenTimelineIO:', opentimelineio.opentime.to_timecode(later, 30_000 / 1_001))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
23.976: 00:59:59:23, 3603.60 s
25: 00:59:59:24, 3600.00 s
29.97: 01:00:03;17, 3603.60 s
59.94: 01:00:03;35, 3603.60 s
01:00:00;00 as a number: 3596.43
OpenTimelineIO: 01:00:00;00
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
