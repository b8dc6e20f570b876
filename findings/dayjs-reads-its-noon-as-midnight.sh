#!/bin/sh
# Guess: what dayjs writes with `A h:mm` in a language, it reads with the same format and language as the same time.
# Seen with dayjs 1.11.23 (npm), with its plug-in customParseFormat: in Chinese noon, 中午 12:30, comes back as 0:30.
# The parser takes a part of the day for the afternoon only where the first hour that has its name is after 12.
# Japanese and Korean call all hours from 12 on 午後 and 오후, so there every time of the afternoon comes back as
# one of the morning, without an error. date-fns 4.4.0 and luxon 3.7.2 (npm) read their times of all
# 24 hours back. A recording of the afternoon is listed, and looked for, half a day early.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts dayjs@1.11.23 date-fns@4.4.0 luxon@3.7.2
cat > try.js <<'END'
import { format, parse } from 'date-fns';
import { ja, ko, zhCN, zhHK, zhTW } from 'date-fns/locale';
import dayjs from 'dayjs';
import 'dayjs/locale/ja.js';
import 'dayjs/locale/ko.js';
import 'dayjs/locale/zh-cn.js';
import 'dayjs/locale/zh-hk.js';
import 'dayjs/locale/zh-tw.js';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import { DateTime } from 'luxon';

dayjs.extend(customParseFormat);
const day = new Date(2026, 10, 29);
const LANGUAGES = { 'zh-HK': zhHK, 'zh-TW': zhTW, 'zh-CN': zhCN, ja, ko };
for (const [language, dateFnsLanguage] of Object.entries(LANGUAGES)) {
  const wrong = { dayjs: [], 'date-fns': [], luxon: [] };
  for (let hour = 0; hour < 24; hour += 1) {
    const time = new Date(2026, 10, 29, hour, 30);
    const text = dayjs(time).locale(language.toLowerCase()).format('A h:mm');
    const back = dayjs(text, 'A h:mm', language.toLowerCase());
    if (back.hour() !== hour) wrong.dayjs.push(`${text} as ${back.format('H:mm')}`);
    const options = { locale: dateFnsLanguage };
    if (parse(format(time, 'a h:mm', options), 'a h:mm', day, options).getHours() !== hour) wrong['date-fns'].push(hour);
    const luxonText = DateTime.fromJSDate(time, { locale: language }).toFormat('a h:mm');
    if (DateTime.fromFormat(luxonText, 'a h:mm', { locale: language }).hour !== hour) wrong.luxon.push(hour);
  }
  const others = `date-fns ${wrong['date-fns'].length}; luxon ${wrong.luxon.length}`;
  console.log(`${language}: dayjs ${wrong.dayjs.length} wrong, first ${wrong.dayjs[0]}; ${others}`);
}
END
node try.js > seen
cat seen
cat > expected <<'END'
zh-HK: dayjs 1 wrong, first 中午 12:30 as 0:30; date-fns 0; luxon 0
zh-TW: dayjs 1 wrong, first 中午 12:30 as 0:30; date-fns 0; luxon 0
zh-CN: dayjs 1 wrong, first 中午 12:30 as 0:30; date-fns 0; luxon 0
ja: dayjs 12 wrong, first 午後 12:30 as 0:30; date-fns 0; luxon 0
ko: dayjs 12 wrong, first 오후 12:30 as 0:30; date-fns 0; luxon 0
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
