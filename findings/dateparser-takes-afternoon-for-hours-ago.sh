#!/bin/sh
# Guess: dateparser reads 下午3時05分 (3:05 in the afternoon) in the locale of Hong Kong as that time, and 11月3日 (3
# November) as that day, or gives nothing for what it does not know.
# Seen with dateparser 1.5.0 (PyPI, 2026): at ten in the morning, 下午3時05分 is 6:55, three hours and five minutes ago.
# 上午9時15分 is 0:45, and 晚上8時30分 nothing. 下午3:05 with a colon is right. 11月3日 without a language is 30 March 2011, and in
# Traditional Chinese nothing, while 2026年11月3日 is right. No error is raised, so a reminder stands in the past.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet dateparser==1.5.0
cat > try.py <<'END'
from datetime import datetime

import dateparser

SETTINGS = {'RELATIVE_BASE': datetime(2026, 11, 30, 10, 0)}
for text in ('下午3時05分', '晚上8時30分', '上午9時15分', '下午3:05'):
    print(text, dateparser.parse(text, locales=['zh-Hant-HK'], settings=SETTINGS))
print('11月3日', dateparser.parse('11月3日', settings=SETTINGS), dateparser.parse('11月3日', languages=['zh-Hant'], settings=SETTINGS))
print('2026年11月3日', dateparser.parse('2026年11月3日', settings=SETTINGS))
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
下午3時05分 2026-11-30 06:55:00
晚上8時30分 None
上午9時15分 2026-11-30 00:45:00
下午3:05 2026-11-30 15:05:00
11月3日 2011-03-30 00:00:00 None
2026年11月3日 2026-11-03 00:00:00
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
