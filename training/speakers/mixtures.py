"""Conversations mixed from tracks of single speakers, with the number of speakers in every 20
ms."""
import numpy as np

from sounds import FRAME

FADE = np.linspace(0, 1, FRAME // 2, dtype=np.float32)


class Talk:
    """Draws conversations from tracks (sounds.Tracks). `overlapping` is the share of turns that
    start before the last one ends."""

    def __init__(self, tracks, seed, overlapping=0.6, same_table=0.6):
        self.tracks, self.rng = tracks, np.random.default_rng(seed)
        self.overlapping, self.same_table = overlapping, same_table
        self.tables = {}
        for row in tracks.rows:
            if not row['table'].startswith('yue') and row['frames'] > 100:
                self.tables.setdefault(row['table'], []).append(row)
        self.rows = [
            row for table in ('eng-speakers', 'eng-learners-train') for row in self.tables[table]
        ] + self.tables.get('cmn-words', [])

    def cast(self, count):
        """Voices of different speakers; most conversations stay within one corpus, as in one
        room."""
        tables = [self.tables[t] for t in ('eng-speakers', 'eng-learners-train')]
        rows = tables[self.rng.integers(2)] if self.rng.random() < self.same_table else self.rows
        chosen = {}
        if len({row['speaker'] for row in rows}) < count:
            raise ValueError(
                f'a conversation of {count} needs as many speakers, each with two seconds of sound'
            )
        while len(chosen) < count:
            row = rows[self.rng.integers(len(rows))]
            chosen.setdefault(row['speaker'], row)
        return list(chosen.values())

    def next_pause(self, row, frame):
        """The first non-speech frame from `frame` on, within a second; else `frame`."""
        active = self.tracks.active[
            row['start'] + frame : row['start'] + min(frame + 50, row['frames'])
        ]
        quiet = np.nonzero(~active)[0]
        return frame + (int(quiet[0]) if len(quiet) else 0)

    def turn(self, row, frames):
        """(sound, active frames) of about the given number of frames, from pause to pause."""
        first = self.next_pause(row, int(self.rng.integers(0, max(1, row['frames'] - frames - 50))))
        last = max(
            first + 10,
            min(row['frames'], self.next_pause(row, min(first + frames, row['frames'] - 1))),
        )
        last = min(last, row['frames'])
        speech = np.nonzero(self.tracks.active[row['start'] + first : row['start'] + last])[0]
        # otherwise overlaps would mostly pair speech with a pause
        if len(speech) > 8:
            first, last = first + max(0, int(speech[0]) - 2), min(last, first + int(speech[-1]) + 3)
        sound = self.tracks.piece(row['start'] + first, last - first)
        sound[: len(FADE)] *= FADE
        sound[-len(FADE) :] *= FADE[::-1]
        return sound, self.tracks.active[row['start'] + first : row['start'] + last]

    def conversation(self, frames, people=None):
        """(tracks [2, frames * 320] of alternating turns, speaker count [frames + 1], activity
        [people, frames + 1])."""
        rng = self.rng
        cast = self.cast(people or int(rng.choice([1, 2, 3, 4], p=[0.15, 0.4, 0.25, 0.2])))
        sounds = np.zeros((2, frames * FRAME), np.float32)
        activity = np.zeros((len(cast), frames + 1), bool)
        level = 10 ** (rng.uniform(-5, 5, len(cast)) / 20)
        at, number, speaker = int(rng.uniform(-100, 60)), 0, 0
        ends = [at] * len(cast)  # a speaker never overlaps themselves
        while at < frames:
            if len(cast) > 1 and rng.random() < 0.8:
                speaker = (speaker + int(rng.integers(1, len(cast)))) % len(cast)
            short = rng.random() < 0.15
            sound, active = self.turn(
                cast[speaker], int(rng.uniform(15, 40) if short else rng.uniform(40, 220))
            )
            at = min(frames, max(at, ends[speaker]))
            self.place(sounds[number % 2], activity[speaker], at, sound * level[speaker], active)
            ends[speaker] = at + len(active)
            overlaps = rng.random() < self.overlapping and len(cast) > 1
            gap = (
                -int(min(rng.uniform(5, 90), 0.7 * len(active)))
                if overlaps
                else int(min(rng.exponential(22), 120))
            )
            at, number = ends[speaker] + gap, number + 1
        return sounds, activity.sum(0), activity

    @staticmethod
    def place(sounds, activity, at, sound, active):
        """Adds a turn at frame `at`, which may be negative, cut to the conversation."""
        skip = max(0, -at)
        if skip >= len(active):
            return
        sound, active, at = sound[skip * FRAME :], active[skip:], at + skip
        room = len(sounds) - at * FRAME
        sounds[at * FRAME : at * FRAME + len(sound)] += sound[:room]
        activity[at : at + len(active)] |= active[: len(activity) - at]

    def batch(self, frames, count, **options):
        """(tracks [2, B, n], classes [B, frames + 1] of 0, 1, 2 = several)."""
        made = [self.conversation(frames, **options) for _ in range(count)]
        return np.stack([m[0] for m in made], 1), np.minimum(np.stack([m[1] for m in made]), 2)
