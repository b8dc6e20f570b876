"""Guesses the language of texts with the packages of PyPI that are installed.

Takes a text a line from standard input. Prints JSON: the name and version of each package with its
guess for each text: "cantonese", "mandarin", or "neutral" where it may be either.
"""
import importlib
import importlib.metadata
import json
import sys

NAMES = {'cantonese': 'cantonese', 'mandarin': 'mandarin', 'swc': 'mandarin'}


def cantonesedetect_judge(package):
    return package.CantoneseDetector().judge


def canto_filter_judge(package):
    return package.judge


DETECTORS = {
    'cantonesedetect': ('cantonesedetect', cantonesedetect_judge),
    'canto-filter': ('cantofilter', canto_filter_judge),
}


def name_of(judgement):
    return NAMES.get(str(getattr(judgement, 'value', judgement)).lower(), 'neutral')


def main():
    texts = sys.stdin.read().split('\n')
    results = {}
    for name, (module, make_judge) in DETECTORS.items():
        try:
            judge = make_judge(importlib.import_module(module))
        except ImportError:
            continue
        version = importlib.metadata.version(name)
        results[f'{name} {version}'] = [name_of(judge(text)) for text in texts]
    json.dump(results, sys.stdout)


main()
