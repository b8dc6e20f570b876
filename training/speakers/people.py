"""Who is trained on and who is kept aside, and where their recordings are."""
import csv
import hashlib
import os
import sys

# Front end, audio loading and export of the acoustic models; appended, so that this folder's names win.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'acoustic'))

TRAINING_TABLES = ('eng-speakers', 'eng-learners-train', 'cmn-words', 'yue-syllables-kt')
# Seconds used of one speaker: an hour of one woman teaches no more about what tells people apart than ten minutes.
SECONDS_OF_ONE = {'cmn-words': 600, 'yue-syllables-kt': 480}


def first_number(text):
    """The first four bytes of the SHA-256 of the text, big-endian unsigned."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], 'big')


def is_held_out(table, speaker):
    """Evaluation conversations are made of these speakers only: first_number('table/speaker') is 0 modulo 7."""
    return first_number(f'{table}/{speaker}') % 7 == 0


def is_kept_aside(table, speaker):
    """Never trained on: the held-out ones, and the learners that the acoustic models are tested with."""
    return is_held_out(table, speaker) or (table == 'eng-learners-train' and first_number(speaker) % 5 == 0)


def read_people(recordings, table):
    """{speaker: [path of a recording]} of one table, in its order."""
    people = {}
    with open(os.path.join(recordings, table + '.tsv'), encoding='utf8', newline='') as rows:
        for row in csv.DictReader(rows, delimiter='\t', quoting=csv.QUOTE_NONE):
            people.setdefault(row['speaker'], []).append(os.path.join(recordings, row['file']))
    return people
