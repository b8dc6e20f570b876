#!/bin/sh
# Guess: `MarkdownTextFilter` of pipecat, which prepares the answers of a language model for speech, takes marks of
# Markdown away and leaves numbers as they are.
# Seen with pipecat-ai 1.14.0 (PyPI): a character that stands five or more times in a row is deleted, all of them:
# 1000000 becomes 1, a number 22222222 nothing, 哈哈哈哈哈 too. `filter_repeated_sequences=False` keeps them; it is on by
# itself. The stars of 5*4*3 are deleted either way, which is 543. A caller hears one dollar for a million, with no
# text to compare it with.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile pipecat-ai==1.14.0
cat > try.py <<'END'
import asyncio

from loguru import logger

logger.remove()

from pipecat.utils.text.markdown_text_filter import MarkdownTextFilter

TEXTS = ('It costs 1000000 dollars.', '價錢係10000蚊', '價錢係100000蚊', '打22222222', '哈哈哈哈哈，好笑', '5*4*3', '**注意：**唔該')


async def main():
    ways = {
        'as it is': MarkdownTextFilter(),
        'without repetitions': MarkdownTextFilter(params=MarkdownTextFilter.InputParams(filter_repeated_sequences=False)),
    }
    for name, way in ways.items():
        for text in TEXTS:
            print(f'{name}: {text} | {await way.filter(text)}')


asyncio.run(main())
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
as it is: It costs 1000000 dollars. | It costs 1 dollars.
as it is: 價錢係10000蚊 | 價錢係10000蚊
as it is: 價錢係100000蚊 | 價錢係1蚊
as it is: 打22222222 | 打
as it is: 哈哈哈哈哈，好笑 | ，好笑
as it is: 5*4*3 | 543
as it is: **注意：**唔該 | 注意：唔該
without repetitions: It costs 1000000 dollars. | It costs 1000000 dollars.
without repetitions: 價錢係10000蚊 | 價錢係10000蚊
without repetitions: 價錢係100000蚊 | 價錢係100000蚊
without repetitions: 打22222222 | 打22222222
without repetitions: 哈哈哈哈哈，好笑 | 哈哈哈哈哈，好笑
without repetitions: 5*4*3 | 543
without repetitions: **注意：**唔該 | 注意：唔該
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
