"""Writes packages/text/script/hkscs-private.txt: characters that Hong Kong's systems kept in
Unicode's private area before Unicode had them (HKSCS), by the code points that Microsoft's code
page 950 gives the user-defined rows of Big5.

    python3 training/traditional-words/write_hkscs.py

The characters are those of Python's codec `big5hkscs` (HKSCS-2004).
"""

from pathlib import Path

OUT = Path(__file__).parents[2] / 'packages/text/script/hkscs-private.txt'
FIRST_CODE = 0xE000
TRAILS = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
# Lead bytes of the user-defined rows in the order of their private code points.
ROWS = [*range(0xFA, 0xFF), *range(0x8E, 0xA1), *range(0x81, 0x8E)]
# The user-defined part of rows C6 to C8 comes last.
PAIRS = [(lead, trail) for lead in ROWS for trail in TRAILS]
PAIRS += [(0xC6, trail) for trail in range(0xA1, 0xFF)]
PAIRS += [(lead, trail) for lead in (0xC7, 0xC8) for trail in TRAILS]


def is_han(character):
    code = ord(character)
    return 0x3400 <= code <= 0x9FFF or 0x20000 <= code <= 0x2FA1F


def main():
    lines = []
    last = None
    for index, pair in enumerate(PAIRS):
        code = FIRST_CODE + index
        try:
            text = bytes(pair).decode('big5hkscs')
        except UnicodeDecodeError:
            continue
        if len(text) != 1 or not is_han(text):
            continue
        if code - 1 != last:
            lines.append(f'{code:X} ')
        lines[-1] += text
        last = code
    OUT.write_text('\n'.join(lines) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
