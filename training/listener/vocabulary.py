"""Whisper's tokens, and which of them Mandarin and English need."""

import re
import unicodedata

SPECIAL = {
    'end': 50257,
    'start': 50258,
    'english': 50259,
    'chinese': 50260,
    'transcribe': 50359,
    'previous': 50361,
    'noTimestamps': 50363,
}
FIRST_SPECIAL = 50257
# Lead bytes of UTF-8 of punctuation, Chinese characters and full-width forms.
CHINESE_LEADS = {0xE2, 0xE3, *range(0xE4, 0xEA), 0xEF, 0xF0}
PUNCTUATION = '“”‘’…—–·•×÷°€£¥¢£é'


def byte_characters():
    """{character: byte} of GPT-2's vocabulary: a printable byte stands for itself, others for
    characters from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    found = {chr(byte): byte for byte in printable}
    return found | {chr(0x100 + at): byte for at, byte in enumerate(others)}


def token_bytes(path):
    """The bytes of each token of vocabulary.txt; of special tokens none."""
    table = byte_characters()
    with open(path, encoding='utf8') as file:
        lines = file.read().split('\n')
    return [
        b'' if number >= FIRST_SPECIAL else bytes(table[character] for character in line)
        for number, line in enumerate(lines[:51865])
    ]


def is_needed(piece):
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        # Part of a character: rare ones are spelled so.
        leads = [byte for byte in piece if byte >= 0xC0]
        return all(byte in CHINESE_LEADS for byte in leads)
    return all(is_character(character) for character in text)


def is_character(character):
    if character < '\x7f' or character in PUNCTUATION:
        return True
    name = unicodedata.name(character, '')
    return name.startswith(('CJK UNIFIED', 'FULLWIDTH', 'IDEOGRAPHIC', 'LEFT', 'RIGHT')) and (
        '\u2e80' <= character <= '\uffff' or character > '\U00020000'
    )


def kept_tokens(pieces, words, encode):
    """Numbers of the tokens that are kept, special ones behind the others: those of Chinese, and
    those with which `encode` writes the English `words`. Others are written with shorter ones."""
    written = {number for word in words for form in forms(word) for number in encode(form)}
    kept = [
        number
        for number in range(FIRST_SPECIAL)
        if is_needed(pieces[number])
        and (number in written or not re.search(rb'[A-Za-z]{2}', pieces[number]))
    ]
    return kept + sorted(SPECIAL.values())


def forms(word):
    """A word as it stands inside and at the beginning of a sentence."""
    return word, word.capitalize(), ' ' + word, ' ' + word.capitalize()
