import { ffmpeg } from '../programs.ts';
import { encode, type Row } from '../row.ts';

const OPPOSITE = { wrong: 'FFmpeg takes the mean, in which opposite channels cancel' };

export const CHANNEL_ROWS: readonly Row[] = [
  row('stereo', encode('-ac 2')),
  row('only the right channel', pan('stereo|c0=0*c0|c1=c0')),
  row('only the left channel', pan('stereo|c0=c0|c1=0*c0')),
  row('opposite phase', pan('stereo|c0=c0|c1=-1*c0'), { reference: OPPOSITE, isTranscribed: true }),
  row('opposite phase, one channel softer', pan('stereo|c0=c0|c1=-0.98*c0'), {
    reference: OPPOSITE,
    isTranscribed: true,
  }),
  row('opposite phase from 3 s on', filtered('aeval=val(0)|if(gte(t\\,3)\\,-1\\,1)*val(0):c=stereo'), {
    reference: OPPOSITE,
    isTranscribed: true,
  }),
  row('opposite phase until 6 s', filtered('aeval=val(0)|if(lt(t\\,6)\\,-1\\,1)*val(0):c=stereo'), {
    reference: OPPOSITE,
    isTranscribed: true,
  }),
  row('opposite phase in AAC', filtered('pan=stereo|c0=c0|c1=-1*c0', '-c:a aac'), { reference: OPPOSITE }, 'm4a'),
  row(
    'opposite phase in MP3',
    filtered('pan=stereo|c0=c0|c1=-1*c0', '-c:a libmp3lame'),
    { reference: OPPOSITE },
    'mp3',
  ),
  row(
    'a call: one person left, one right',
    filtered(
      'aeval=if(between(t\\,3.3\\,6.4)\\,0\\,1)*val(0)|if(between(t\\,3.3\\,6.4)\\,1\\,0)*val(0):c=stereo',
      '-ar 8000 -c:a pcm_mulaw',
    ),
    { isTranscribed: true },
  ),
  row('5.1 sound with speech in the centre', pan('5.1|FC=c0')),
  row('5.1 sound with speech at the back', pan('5.1|BL=c0')),
  row('7.1 sound with speech in the centre', pan('7.1|FC=c0')),
  row('an offset of 2 % under soft speech', filtered('volume=0.03,dcshift=0.02'), {
    isTranscribed: true,
  }),
  row('an offset of −1 % under soft speech', filtered('volume=0.03,dcshift=-0.01'), {
    isTranscribed: true,
  }),
  row('soft speech', filtered('volume=0.01'), { isTranscribed: true }),
  row('loud speech, cut at full scale', filtered('volume=6'), {}),
  row('hum of 50 Hz as loud as the speech', filtered('aeval=val(0)+0.1*sin(2*PI*50*t)'), {}),
];

function row(what: string, make: Row['make'], expected: Row['expected'] = {}, ending = 'wav'): Row {
  return { kind: 'channels', what, ending, make, expected };
}

function filtered(filter: string, encoding = '-c:a pcm_s16le'): Row['make'] {
  return ({ master }, path) => ffmpeg('-i', master, '-af', filter, ...encoding.split(' '), path);
}

function pan(arrangement: string): Row['make'] {
  return filtered(`pan=${arrangement}`);
}
