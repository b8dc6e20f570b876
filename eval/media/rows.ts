import type { Row } from './row.ts';
import { CHANNEL_ROWS } from './rows/channels.ts';
import { FAULT_ROWS } from './rows/faults.ts';
import { MATROSKA_ROWS } from './rows/matroska.ts';
import { MP4_ROWS } from './rows/mp4.ts';
import { MPEG_ROWS, TRANSPORT_ROWS } from './rows/mpeg.ts';
import { OGG_ROWS } from './rows/ogg.ts';
import { OTHER_ROWS, REFUSED_ROWS } from './rows/other.ts';
import { PHONE_ROWS } from './rows/phones.ts';
import { WAV_ROWS } from './rows/wav.ts';

/** The matrix: container × codec × fault. */
export const ROWS: readonly Row[] = [
  ...WAV_ROWS,
  ...CHANNEL_ROWS,
  ...MP4_ROWS,
  ...MATROSKA_ROWS,
  ...OGG_ROWS,
  ...MPEG_ROWS,
  ...TRANSPORT_ROWS,
  ...PHONE_ROWS,
  ...OTHER_ROWS,
  ...FAULT_ROWS,
  ...REFUSED_ROWS,
];
