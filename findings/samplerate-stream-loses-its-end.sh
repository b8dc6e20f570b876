#!/bin/sh
# Guess: `Resampler` of samplerate, made for sound that comes in chunks, has given all of it after the chunk that is
# marked with `end_of_input`, as the other interfaces of the package give all at once.
# Seen with samplerate 0.2.4 and soxr 1.1.0 (PyPI): of one second from 8 to 48 kHz 863 samples are missing with
# `sinc_best`, 18 ms, 281 with `sinc_medium`; to 16 kHz 143, 9 ms. `process` makes room for as many samples as the
# chunk has at the new rate, and what waits in the filter does not fit any more; a further call gives nothing.
# `resample` and `CallbackResampler` give all, as does `ResampleStream` of soxr. Pieces of a call that are
# resampled so and joined lose time at each joint, and a last consonant its end.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet samplerate==0.2.4 soxr==1.1.0 numpy==2.4.6
cat > try.py <<'END'
import numpy
import samplerate
import soxr


def lengths(rate, to, kind):
    sound = numpy.ones(rate, dtype='f4')
    chunks = [sound[at:at + rate // 50] for at in range(0, rate, rate // 50)]
    stream = samplerate.Resampler(kind)
    resampled = sum(
        len(stream.process(chunk, to / rate, end_of_input=at == len(chunks) - 1)) for at, chunk in enumerate(chunks)
    )
    more = len(stream.process(numpy.zeros(0, dtype='f4'), to / rate, end_of_input=True))
    of_soxr = soxr.ResampleStream(rate, to, 1)
    by_soxr = sum(len(of_soxr.resample_chunk(chunk, last=at == len(chunks) - 1)) for at, chunk in enumerate(chunks))
    waiting = iter([*chunks, None])
    called = samplerate.CallbackResampler(lambda: next(waiting, None), to / rate, kind)
    by_call = len(called.read(2 * to))
    return resampled, more, len(samplerate.resample(sound, to / rate, kind)), by_call, by_soxr


expected = {(8_000, 48_000, 'sinc_best'): 863, (8_000, 48_000, 'sinc_medium'): 281, (48_000, 16_000, 'sinc_best'): 143}
for (rate, to, kind), missing in expected.items():
    stream, more, at_once, by_call, by_soxr = lengths(rate, to, kind)
    print(f'{rate} to {to} Hz, {kind}: stream {stream} and {more} more, at once {at_once}, callback {by_call}, soxr {by_soxr}')
    if (stream, more, at_once, by_call, by_soxr) != (to - missing, 0, to, to, to):
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
