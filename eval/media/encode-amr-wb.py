"""Encodes 16-bit mono samples at 16 kHz from the standard input as AMR-WB, the voice of phones.

Debian has the encoder as a library only: libvo-amrwbenc0. Usage: encode-amr-wb.py MODE DTX FILE,
with the number of the bit rate (0 to 8), and 1 where pauses are suppressed.
"""

import ctypes
import sys

FRAME_BYTES = 640
LONGEST_FRAME_BYTES = 64

mode, dtx = int(sys.argv[1]), int(sys.argv[2])
library = ctypes.CDLL('libvo-amrwbenc.so.0')
library.E_IF_init.restype = ctypes.c_void_p
state = ctypes.c_void_p(library.E_IF_init())
frame = ctypes.create_string_buffer(LONGEST_FRAME_BYTES)
with open(sys.argv[3], 'wb') as file:
    file.write(b'#!AMR-WB\n')
    while len(samples := sys.stdin.buffer.read(FRAME_BYTES)) == FRAME_BYTES:
        size = library.E_IF_encode(state, mode, samples, frame, dtx)
        file.write(frame.raw[:size])
library.E_IF_exit(state)
