"""Reads Cantonese sentences with the packages of PyPI that are installed.

Takes a sentence a line from standard input. Prints JSON: the name and version of each package with
a list for each sentence, which has a syllable or null for each of its characters.
"""
import importlib
import importlib.metadata
import json
import sys


def spread(parts):
    """Gives each character of (text, syllables) pairs its syllable, or None."""
    readings = []
    for text, syllables in parts:
        found = (syllables or '').split()
        fits = len(found) == len(text)
        readings.extend(found if fits else [None] * len(text))
    return readings


def xjyutping_reader(package):
    reader = package.Jyutping()
    return lambda text: [syllable for _, syllable in reader.annotate(text)]


def tojyutping_reader(package):
    return lambda text: [syllable for _, syllable in package.get_jyutping_list(text)]


def canto_hk_g2p_reader(package):
    pipeline = package.Pipeline()
    return lambda text: spread(part[:2] for part in pipeline.convert_detailed(text))


def pycantonese_reader(package):
    return lambda text: spread(package.characters_to_jyutping(text))


READERS = {
    'xjyutping': ('xjyutping', xjyutping_reader),
    'ToJyutping': ('ToJyutping', tojyutping_reader),
    'canto-hk-g2p': ('canto_hk_g2p', canto_hk_g2p_reader),
    'pycantonese': ('pycantonese', pycantonese_reader),
}


def main():
    sentences = sys.stdin.read().split('\n')
    results = {}
    for name, (module, make_reader) in READERS.items():
        try:
            read = make_reader(importlib.import_module(module))
        except ImportError:
            continue
        version = importlib.metadata.version(name)
        results[f'{name} {version}'] = [read(sentence) for sentence in sentences]
    json.dump(results, sys.stdout)


main()
