import type { AudioContainer } from '@jyutsing/contracts/audio';

/** The container of a file, or a name for another kind of file. */
export type MagicMatch = { container: AudioContainer } | Foreign;

/** A file that is not accepted. */
export type Foreign = { container: null; found: string; isSound: boolean };

/** Bytes that are enough for all patterns. */
export const MAGIC_BYTES = 16;

/** The accepted containers by their first bytes; `?` stands for any byte. */
const ACCEPTED: readonly [pattern: string, container: AudioContainer][] = [
  ['RIFF????WAVE', 'wav'],
  ['RIFX????WAVE', 'wav'],
  ['RF64????WAVE', 'wav'],
  ['BW64????WAVE', 'wav'],
  ['riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0', 'w64'],
  ['fLaC', 'flac'],
  ['OggS', 'ogg'],
  ['????ftyp', 'm4a'],
  // Videos of old cameras begin without a file type.
  ['????moov', 'm4a'],
  ['????wide', 'm4a'],
  ['????mdat', 'm4a'],
  ['\x1aE\xdf\xa3', 'webm'],
  ['#!AMR\n', 'amr'],
  ['#!AMR-WB\n', 'amr'],
  ['FORM????AIFF', 'aiff'],
  ['FORM????AIFC', 'aiff'],
  ['FORM????8SVX', '8svx'],
  ['caff', 'caf'],
  ['0&\xb2u\x8ef\xcf\x11', 'wma'],
  ['.snd', 'au'],
  ['\x64\xa3?\0', 'ircam'],
  ['\0?\xa3\x64', 'ircam'],
  ['Creative Voice F', 'voc'],
  ['NIST_1A\n', 'sph'],
  ['wvpk', 'wv'],
  ['TTA1', 'tta'],
  ['MAC ', 'ape'],
  ['MPCK', 'mpc'],
  ['DSD \x1c\0\0\0', 'dsf'],
  ['FRM8????????DSD ', 'dff'],
  ['.RMF', 'rm'],
  ['.ra\xfd', 'rm'],
  ['nut/multimedia c', 'nut'],
  ['FLV\x01', 'flv'],
  ['RIFF????AVI ', 'avi'],
  ['\0\0\x01\xba', 'mpg'],
  ['\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02', 'mxf'],
  ['\x7f\xfe\x80\x01', 'dts'],
  ['\xfe\x7f\x01\x80', 'dts'],
];

/** Sound that is not accepted: it is rare, cannot be decoded, or no program could make a test. */
const REFUSED_SOUND: readonly [pattern: string, name: string][] = [
  ['tBaK', 'TAK sound'],
  ['OFR ', 'OptimFROG sound'],
  ['ajkg', 'Shorten sound'],
  ['MP+', 'Musepack sound of version 7'],
  ['TTA2', 'TTA sound of the second version'],
  ['ADIF', 'AAC sound in the ADIF format'],
  ['\xf8rob', 'Dolby TrueHD sound without a container'],
  ['????\xf8\x72\x6f\xba', 'Dolby TrueHD sound without a container'],
  ['????\xf8\x72\x6f\xbb', 'MLP sound without a container'],
  ['DTSHDHDR', 'DTS-HD sound without a container'],
  ['\x02dss', 'a dictation in the DSS format'],
  ['\x03dss', 'a dictation in the DSS format'],
  ['\x03ds2', 'a dictation in the DS2 format'],
  ['\x06ds2', 'an encrypted dictation in the DS2 format'],
  ['\x07ds2', 'an encrypted dictation in the DS2 format'],
  ['ea3\x03', 'a Sony ATRAC recording'],
  ['EA3', 'a Sony ATRAC recording'],
  ['QCELP', 'QCELP sound of a phone'],
  ['RIFF????QLCM', 'QCELP sound of a phone'],
  ['#!SILK', 'SILK sound of a chat program'],
  ['\x02#!SILK', 'SILK sound of a chat program'],
  ['#!EVRC', 'EVRC sound of a phone'],
  ['#!AMR_MC', 'AMR sound with several channels'],
  ['#!AMR-WB_MC', 'AMR sound with several channels'],
  ['dns.', 'AU sound in little-endian order'],
  ['\0ds.', 'AU sound in little-endian order'],
  ['fap ', 'PARIS sound'],
  [' paf', 'PARIS sound'],
  ['PVF1', 'PVF sound'],
  ['2BIT', 'AVR sound'],
  ['.SoX', 'sound in the format of SoX'],
  ['XoS.', 'sound in the format of SoX'],
  ['FORM????16SV', '16SV sound'],
  ['ALawSoundFile**', 'Psion sound'],
  ['FORM????MAUD', 'MAUD sound'],
  ['qoaf', 'QOA sound'],
];

/**
 * Other files that people send. Some may contain MPEG audio frames, so they must be recognized
 * before such frames are searched for.
 */
const FOREIGN: readonly [pattern: string, name: string][] = [
  ['RIFF????WEBP', 'a WebP picture'],
  ['RIFF', 'a RIFF file without sound'],
  ['\0\0\x01\xb3', 'an MPEG video without sound'],
  ['\0\0\x01\0', 'an icon'],
  ['FLV', 'a Flash video'],
  ['\x1f\x07\0', 'a DV video'],
  ['\0\0\0\0\x01\xbc', 'a GXF video'],
  ['FWS', 'a Flash animation'],
  ['CWS', 'a Flash animation'],
  ['\xb7\xd8\x00\x20\x37\x49\xda\x11', 'a recording of Windows Media Center (WTV)'],
  ['MThd', 'a MIDI file'],
  ['IMPM', 'a tracker module'],
  ['Extended Module', 'a tracker module'],
  ['%PDF', 'a PDF document'],
  ['{\\rtf', 'an RTF document'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an Office document'],
  ['\x89PNG', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['BM????\0\0\0\0', 'a bitmap picture'],
  ['II*\0', 'a TIFF picture'],
  ['MM\0*', 'a TIFF picture'],
  ['8BPS', 'a Photoshop picture'],
  ['PK\x03\x04', 'a ZIP archive or an Office document'],
  ['PK\x05\x06', 'a ZIP archive or an Office document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['Rar!\x1a\x07', 'a RAR archive'],
  ['BZh', 'a bzip2 archive'],
  ['\xfd7zXZ\0', 'an xz archive'],
  ['\x28\xb5\x2f\xfd', 'a Zstandard archive'],
  ['MZ', 'a program'],
  ['\x7fELF', 'a program'],
  ['SQLite format 3', 'a database'],
  ['bplist00', 'a property list'],
];

/** Identifies a file by its first bytes; null when frames must be searched for. */
export function identifyMagic(magic: string): MagicMatch | null {
  const container = lookUp(ACCEPTED, magic);
  if (container !== null) return { container };
  const sound = lookUp(REFUSED_SOUND, magic);
  const found = sound ?? lookUp(FOREIGN, magic);
  return found === null ? null : { container: null, found, isSound: sound !== null };
}

function lookUp<Name>(table: readonly [pattern: string, name: Name][], magic: string): Name | null {
  return table.find(([pattern]) => startsWith(magic, pattern))?.[1] ?? null;
}

function startsWith(magic: string, pattern: string): boolean {
  return pattern.split('').every((byte, index) => byte === '?' || byte === magic[index]);
}
