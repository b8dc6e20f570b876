import { openBytes, type FileBytes, type FilePart } from './file-bytes.ts';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { readDescriptions } from './mp4-boxes.ts';

/**
 * Tells whether the sound of a file is encrypted, as shops for music and films do. FFmpeg would
 * decode noise or call the file damaged.
 */
export async function isProtected(part: FilePart, container: AudioContainer): Promise<boolean> {
  const check = CHECKS[container];
  if (check === undefined) return false;
  using file = openBytes(part);
  return await check(file);
}

const CHECKS: Partial<Record<AudioContainer, (file: FileBytes) => Promise<boolean>>> = {
  m4a: isMp4Protected,
  wma: isAsfProtected,
};

/** Sound of Apple's and of other shops (ISO 23001-7) in the description of a track. */
const PROTECTED_SOUND = ['drms', 'enca'];
/** Audiobooks of Audible, by the type of the file. */
const PROTECTED_FILES = ['aax ', 'aaxc'];

async function isMp4Protected(file: FileBytes): Promise<boolean> {
  const fileType = (await file.read(8, 4)).toString('latin1');
  if (PROTECTED_FILES.includes(fileType)) return true;
  for await (const description of readDescriptions(file, 8)) {
    if (PROTECTED_SOUND.includes(description.toString('latin1', 4))) return true;
  }
  return false;
}

/**
 * Identifiers of the objects of a Windows Media file that hold keys: Content Encryption, Extended
 * Content Encryption and Advanced Content Encryption (Advanced Systems Format, 3.14 to 3.16).
 */
const ASF_KEYS = [
  'fbb3112223bdd211b4b700a0c955fc6e',
  '14e68a292226174cb935dae07ee9289c',
  '338505438169e6499b74ad12cb86d58c',
];
/** The header, whose size is in front of its objects, is a few kilobytes long. */
const MAX_ASF_HEADER_BYTES = 1 << 20;

async function isAsfProtected(file: FileBytes): Promise<boolean> {
  const start = await file.read(0, 24);
  if (start.length < 24) return false;
  const header = await file.read(0, Math.min(MAX_ASF_HEADER_BYTES, Number(start.readBigUInt64LE(16))));
  return ASF_KEYS.some((key) => header.includes(Buffer.from(key, 'hex')));
}
