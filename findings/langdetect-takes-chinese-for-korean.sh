#!/bin/sh
# Guess: langdetect gives Chinese for sentences in Chinese characters; Traditional ones may be zh-cn or zh-tw, and it has no
# Cantonese.
# Seen with langdetect 1.0.9 (PyPI): sentences in Traditional characters, short ones mostly, are Korean with a probability
# of 1.00, though none of their characters is Hangul: 我要去圖書館借書, written Chinese, and 我聽日要開會,
# Cantonese. The same sentences in Simplified characters are zh-cn. A program that sends a text on by its language so reads
# it with a Korean voice. py3langid 0.4.0 and lingua-language-detector 2.1.1 (PyPI) give Chinese or
# Cantonese for the Traditional ones.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile langdetect==1.0.9 py3langid==0.4.0 lingua-language-detector==2.1.1
cat > try.py <<'END'
import langdetect
import py3langid
from lingua import Language, LanguageDetectorBuilder

SENTENCES = ('我要去圖書館借書', '下個月三號去東京', '我聽日要開會', '佢喺邊度返工㗎', '會議時間改為下午三點', '今天天氣很好，我們去吃早餐。')
SIMPLIFIED = ('我要去图书馆借书', '下个月三号去东京', '会议时间改为下午三点')
lingua = LanguageDetectorBuilder.from_all_languages().build()
for sentence in SENTENCES + SIMPLIFIED:
    langdetect.DetectorFactory.seed = 0
    best = langdetect.detect_langs(sentence)[0]
    others = py3langid.classify(sentence)[0] in ('zh', 'yue') and lingua.detect_language_of(sentence) == Language.CHINESE
    print(f'{sentence}: {best.lang} {best.prob:.2f}, the others Chinese: {others}')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
我要去圖書館借書: ko 1.00, the others Chinese: True
下個月三號去東京: ko 1.00, the others Chinese: True
我聽日要開會: ko 1.00, the others Chinese: True
佢喺邊度返工㗎: ko 1.00, the others Chinese: True
會議時間改為下午三點: ko 1.00, the others Chinese: True
今天天氣很好，我們去吃早餐。: zh-tw 0.71, the others Chinese: True
我要去图书馆借书: zh-cn 0.57, the others Chinese: True
下个月三号去东京: zh-cn 1.00, the others Chinese: False
会议时间改为下午三点: zh-cn 1.00, the others Chinese: True
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
