"""Split of speakers into training and held-out, and their recordings."""
import csv
import hashlib
import os
import sys

# Front end, audio loading and export of the acoustic models; appended, so that modules of this
# folder take precedence.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'acoustic'))

TRAINING_TABLES = ('eng-speakers', 'eng-learners-train', 'cmn-words', 'yue-syllables-kt')
# Seconds used per speaker: more from one speaker does not help to distinguish speakers.
SECONDS_OF_ONE = {'cmn-words': 600, 'yue-syllables-kt': 480}


def first_number(text):
    """The first four bytes of the SHA-256 of the text, big-endian unsigned."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], 'big')


def is_held_out(table, speaker):
    """Held out for evaluation conversations: first_number('table/speaker') is 0 modulo 7."""
    return first_number(f'{table}/{speaker}') % 7 == 0


def is_kept_aside(table, speaker):
    """Excluded from training: held-out speakers, and test learners of the acoustic models."""
    return is_held_out(table, speaker) or (
        table == 'eng-learners-train' and first_number(speaker) % 5 == 0
    )


def read_people(recordings, table):
    """{speaker: [path of a recording]} of one table, in its order."""
    people = {}
    with open(os.path.join(recordings, table + '.tsv'), encoding='utf8', newline='') as rows:
        for row in csv.DictReader(rows, delimiter='\t', quoting=csv.QUOTE_NONE):
            people.setdefault(row['speaker'], []).append(os.path.join(recordings, row['file']))
    return people
