"""All recordings of a speaker as one track of samples with its speech frames.

usage: sounds.py RECORDINGS OUT      writes OUT/NAME.{samples.npy,active.npy,json}, where NAME is
                                     train, development and held-out
       sounds.py RECORDINGS --files  prints the recordings that it would read, to copy them
"""
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from scipy.ndimage import maximum_filter1d, minimum_filter1d, uniform_filter1d
from scipy.signal import resample_poly

from people import (
    SECONDS_OF_ONE,
    TRAINING_TABLES,
    first_number,
    is_held_out,
    is_kept_aside,
    read_people,
)
from store import load_audio

FRAME = 320  # 20 ms
# (up, down) of resampling: pitch and formants move together; a voice shifted by 10 % counts as
# another speaker.
SPEEDS = ((6, 5), (10, 9), (1, 1), (10, 11), (5, 6))
LEVEL = 0.06  # RMS of speech frames, so that mixtures get the intended balance


def active_frames(samples):
    """[n // 320 + 1] bool: speech in the 20 ms around sample 320 * j, by energy; pauses of 100 ms
    and more are silence."""
    padded = np.pad(samples.astype(np.float64) ** 2, (FRAME // 2, FRAME))
    count = len(samples) // FRAME + 1
    energy = padded[: count * FRAME].reshape(count, FRAME).mean(1)
    db = 10 * np.log10(uniform_filter1d(energy, 3) + 1e-9)
    loud, quiet = np.percentile(db, 95), np.percentile(db, 5)
    active = db > max(loud - 32, min(quiet + 0.3 * (loud - quiet), loud - 14), -60)
    # closures of stops are speech
    closed = minimum_filter1d(maximum_filter1d(active.astype(np.uint8), 5), 5)
    return maximum_filter1d(minimum_filter1d(closed, 3), 3).astype(bool)


def trimmed(samples):
    """The recording without surrounding silence (60 ms remain), level-normalized; None without
    speech."""
    active = np.nonzero(active_frames(samples))[0]
    if len(active) < 8:
        return None
    part = samples[max(0, active[0] - 3) * FRAME : (active[-1] + 4) * FRAME]
    frames = active_frames(part)[: len(part) // FRAME]
    rms = (
        np.sqrt(np.mean(part[: len(frames) * FRAME].reshape(-1, FRAME)[frames] ** 2))
        if frames.any()
        else 0
    )
    return part * (LEVEL / rms) if rms > 0 else None


class Tracks:
    """`samples` int16 and `active` bool (one for each 320 samples), and rows {table, speaker,
    speed, start, frames, cuts}."""

    def __init__(self, path, rows=None):
        self.path, self.rows = path, rows
        if rows is None:
            with open(path + '.json', encoding='utf8') as file:
                self.rows = json.load(file)
            self.samples, self.active = np.load(path + '.samples.npy', mmap_mode='c'), np.load(
                path + '.active.npy'
            )

    def piece(self, first_frame, frames):
        """float32 samples of a range of frames, counted over all tracks."""
        return (
            self.samples[first_frame * FRAME : (first_frame + frames) * FRAME].astype(np.float32)
            / 32768
        )


def track(files, speed, seconds):
    """(int16 samples, active, first frame of each recording) of one voice, whole frames only."""
    samples, active, cuts, total = [], [], [], 0
    for file in files:
        part = trimmed(load_audio(file))
        if part is None:
            continue
        part = resample_poly(part, *speed).astype(np.float32)
        frames = active_frames(part)[: len(part) // FRAME]
        samples.append((np.clip(part[: len(frames) * FRAME], -1, 1) * 32767).astype(np.int16))
        active.append(frames)
        cuts.append(total)
        total += len(frames)
        if total * FRAME / 16000 > seconds:
            break
    return (np.concatenate(samples), np.concatenate(active), cuts) if samples else None


def in_order(files):
    """Any order would do that does not depend on the folder of the recordings."""
    return sorted(files, key=lambda file: first_number(os.path.basename(file)))


def needed(files, seconds):
    """The recordings from which `track` takes that much, with silence and at any speed."""
    import soundfile

    total, out = 0, []
    for file in in_order(files):
        if total > 2 * seconds:
            break
        out.append(file)
        total += soundfile.info(file).duration
    return out


def write(path, people, speeds):
    """people: [(table, speaker, files)]."""
    rows, samples, active, total = [], [], [], 0
    voices = [
        (table, speaker, in_order(files), speed)
        for table, speaker, files in people
        for speed in speeds
    ]
    with ProcessPoolExecutor() as pool:
        tracks = pool.map(
            track,
            *zip(
                *(
                    (files, speed, SECONDS_OF_ONE.get(table, 1e9))
                    for table, _, files, speed in voices
                )
            )
        )
        for (table, speaker, _, speed), made in zip(voices, tracks):
            if made is None:
                continue
            rows.append(
                {
                    'table': table,
                    'speaker': speaker,
                    'speed': speed[1] / speed[0],
                    'start': total,
                    'frames': len(made[1]),
                    'cuts': made[2],
                }
            )
            samples.append(made[0])
            active.append(made[1])
            total += len(made[1])
    np.save(path + '.samples.npy', np.concatenate(samples))
    np.save(path + '.active.npy', np.concatenate(active))
    with open(path + '.json', 'w', encoding='utf8') as out:
        json.dump(rows, out)
    print(
        path,
        len(rows),
        'voices',
        total // 50 // 60,
        'minutes, speech',
        np.concatenate(active).mean(),
        flush=True,
    )


def main():
    recordings, out = sys.argv[1:3]
    people = [
        (table, speaker, files)
        for table in TRAINING_TABLES
        for speaker, files in read_people(recordings, table).items()
    ]
    if out == '--files':
        for table, _, files in people:
            print(
                *(
                    os.path.relpath(file, recordings)
                    for file in needed(files, SECONDS_OF_ONE.get(table, 1e9))
                ),
                sep='\n'
            )
        return
    os.makedirs(out, exist_ok=True)
    write(os.path.join(out, 'held-out'), [p for p in people if is_held_out(*p[:2])], ((1, 1),))
    write(
        os.path.join(out, 'development'),
        [p for p in people if is_kept_aside(*p[:2]) and not is_held_out(*p[:2])],
        ((1, 1),),
    )
    write(os.path.join(out, 'train'), [p for p in people if not is_kept_aside(*p[:2])], SPEEDS)


if __name__ == '__main__':
    main()
