import type { AudioContainer } from '@jyutsing/contracts/audio';

/** How one container is read. */
type Format = {
  /** The demuxer as FFmpeg names it. */
  demuxer: string;
  /** The codecs that are accepted in it, as FFmpeg names them, separated by spaces. */
  codecs: string;
  /** Limits and switches of the demuxer. */
  options?: Readonly<Record<string, number>>;
};

const G711 = 'pcm_alaw pcm_mulaw';
const PCM_LE = 'pcm_u8 pcm_s16le pcm_s24le pcm_s32le pcm_f32le pcm_f64le';
const PCM_BE = 'pcm_s8 pcm_s16be pcm_s24be pcm_s32be pcm_f32be pcm_f64be';
const PCM_UNSIGNED = 'pcm_u16le pcm_u16be pcm_u24le pcm_u24be pcm_u32le pcm_u32be';
const PCM = `${PCM_LE} ${PCM_BE} ${G711}`;
const MPEG_AUDIO = 'mp1 mp2 mp3';
const DOLBY = 'ac3 eac3';
const THEATRE = `${DOLBY} dts truehd mlp`;
const WINDOWS_ADPCM = 'adpcm_ms adpcm_ima_wav';
const WINDOWS_MEDIA = 'wmav1 wmav2 wmapro wmavoice wmalossless';
const OLD_WINDOWS = `${WINDOWS_ADPCM} gsm_ms truespeech`;
/** Codecs of QuickTime before AAC, which AIFF-C and CAF have as well. */
const OLD_QUICKTIME = 'adpcm_ima_qt mace3 mace6 qdm2 gsm gsm_ms';

const WAV_CODECS =
  `${PCM} ${PCM_UNSIGNED} pcm_s64le pcm_f16le pcm_f24le ${OLD_WINDOWS} ${WINDOWS_MEDIA} ` +
  `adpcm_yamaha adpcm_g722 adpcm_g726 g723_1 aac flac ${MPEG_AUDIO} ${DOLBY}`;
// Without this limit the bytes of a WAV are searched for DTS and AC-3, which takes longer than to
// decode the sound.
const WAV_OPTIONS = { max_probe_packets: 1 };

/**
 * The accepted containers and codecs. All others are refused: each additional decoder is more
 * attack surface.
 */
export const FORMATS: Readonly<Record<AudioContainer, Format>> = {
  wav: { demuxer: 'wav', codecs: WAV_CODECS, options: WAV_OPTIONS },
  w64: { demuxer: 'w64', codecs: WAV_CODECS, options: WAV_OPTIONS },
  mp3: { demuxer: 'mp3', codecs: MPEG_AUDIO },
  mp2: { demuxer: 'mp3', codecs: MPEG_AUDIO },
  m4a: {
    demuxer: 'mov',
    codecs: `aac alac ${MPEG_AUDIO} opus vorbis flac ${THEATRE} amr_nb amr_wb ${PCM} ${PCM_UNSIGNED} ${WINDOWS_ADPCM} ${OLD_QUICKTIME}`,
    // A file of QuickTime can keep its sound in another file.
    options: { enable_drefs: 0 },
  },
  flac: { demuxer: 'flac', codecs: 'flac' },
  ogg: { demuxer: 'ogg', codecs: 'vorbis opus flac speex' },
  webm: {
    demuxer: 'matroska',
    codecs: `opus vorbis aac ${MPEG_AUDIO} flac alac ${THEATRE} tta wavpack ${PCM} ${WINDOWS_ADPCM} wmav2 cook sipr ra_144 ra_288`,
  },
  aac: { demuxer: 'aac', codecs: 'aac' },
  latm: { demuxer: 'loas', codecs: 'aac_latm' },
  ac3: { demuxer: 'ac3', codecs: DOLBY },
  dts: { demuxer: 'dts', codecs: 'dts' },
  amr: { demuxer: 'amr', codecs: 'amr_nb amr_wb' },
  aiff: { demuxer: 'aiff', codecs: `${PCM} ${OLD_QUICKTIME}` },
  caf: {
    demuxer: 'caf',
    codecs: `aac alac ${MPEG_AUDIO} opus flac ${DOLBY} ${PCM} ${WINDOWS_ADPCM} ${OLD_QUICKTIME}`,
  },
  wma: { demuxer: 'asf', codecs: `${WINDOWS_MEDIA} ${PCM_LE} ${WINDOWS_ADPCM} mp2 mp3 aac ${DOLBY}` },
  au: { demuxer: 'au', codecs: `${PCM_BE} ${G711} adpcm_g722 adpcm_g726le` },
  ircam: { demuxer: 'ircam', codecs: PCM },
  voc: { demuxer: 'voc', codecs: `pcm_u8 pcm_s16le ${G711} adpcm_ct adpcm_sbpro_4` },
  sph: { demuxer: 'nistsphere', codecs: `${PCM} shorten` },
  '8svx': { demuxer: 'iff', codecs: 'pcm_s8 pcm_s8_planar 8svx_exp 8svx_fib' },
  gsm: { demuxer: 'gsm', codecs: 'gsm' },
  wv: { demuxer: 'wv', codecs: 'wavpack' },
  tta: { demuxer: 'tta', codecs: 'tta' },
  ape: { demuxer: 'ape', codecs: 'ape' },
  mpc: { demuxer: 'mpc8', codecs: 'musepack8' },
  dsf: { demuxer: 'dsf', codecs: 'dsd_lsbf_planar dsd_msbf_planar' },
  dff: { demuxer: 'iff', codecs: 'dsd_msbf' },
  rm: { demuxer: 'rm', codecs: 'ra_144 ra_288 cook sipr aac ac3' },
  nut: { demuxer: 'nut', codecs: `opus vorbis aac ${MPEG_AUDIO} flac ${DOLBY} ${PCM}` },
  flv: {
    demuxer: 'flv',
    codecs: `mp3 aac speex nellymoser adpcm_swf pcm_u8 pcm_s16le ${G711}`,
  },
  avi: {
    demuxer: 'avi',
    codecs: `${PCM_LE} ${G711} ${WINDOWS_ADPCM} ${MPEG_AUDIO} ${DOLBY} dts aac vorbis flac gsm_ms truespeech ${WINDOWS_MEDIA}`,
  },
  ts: { demuxer: 'mpegts', codecs: `aac aac_latm ${MPEG_AUDIO} ${THEATRE} opus s302m pcm_bluray` },
  mpg: { demuxer: 'mpeg', codecs: `${MPEG_AUDIO} ${THEATRE} aac pcm_dvd pcm_s16be` },
  mxf: { demuxer: 'mxf', codecs: `${PCM_LE} ${PCM_BE} ${G711} mp2 aac ac3` },
};

/** Tells whether a codec is accepted in a container. */
export function isAccepted(container: AudioContainer, codec: string): boolean {
  return FORMATS[container].codecs.split(' ').includes(codec);
}

/** Decoders whose name is not that of their codec, in the order in which FFmpeg prefers them. */
const DECODERS: Readonly<Record<string, readonly string[]>> = {
  mp1: ['mp1float', 'mp1'],
  mp2: ['mp2float', 'mp2'],
  mp3: ['mp3float', 'mp3'],
  opus: ['opus', 'libopus'],
  vorbis: ['vorbis', 'libvorbis'],
  dts: ['dca'],
  ra_144: ['real_144'],
  ra_288: ['real_288'],
  amr_nb: ['amrnb'],
  amr_wb: ['amrwb'],
  adpcm_g722: ['g722'],
  adpcm_g726: ['g726'],
  adpcm_g726le: ['g726le'],
  musepack8: ['mpc8'],
};

const formats = Object.values(FORMATS);

/**
 * Options that hold for every file. The lists keep the library from opening other files, and from
 * decoding the pictures of a video to learn about them.
 */
export const COMMON_OPTIONS = {
  protocol_whitelist: 'file,subfile',
  format_whitelist: [...new Set(formats.map(({ demuxer }) => demuxer))].join(','),
  codec_whitelist: [...new Set(formats.flatMap(({ codecs }) => codecs.split(' ')))]
    .flatMap((codec) => DECODERS[codec] ?? [codec])
    .join(','),
  max_streams: 64,
};
