import { describe, expect, it } from 'vitest';
import { UUID } from '@jyutsing/contracts/uuid';
import { newTranscriptionId, transcriptionIdFrom } from './transcription-id.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

describe('the id of a transcription', () => {
  it.each(['0b0e3c0e-1111-4222-8333-444455556666', '0B0E3C0E-1111-4222-8333-444455556666'])(
    'from a UUID is that one, in lower case: %s',
    (requestId) => {
      expect(transcriptionIdFrom(requestId, ACCOUNT)).toBe('0b0e3c0e-1111-4222-8333-444455556666');
      expect(transcriptionIdFrom(requestId, OTHER)).toBe('0b0e3c0e-1111-4222-8333-444455556666');
    },
  );

  it('from another id is a UUID of version 8 of RFC 9562, the same each time', () => {
    const ids = ['a', 'upload-1', 'A.b_c', 'x'.repeat(128)].map((requestId) =>
      transcriptionIdFrom(requestId, ACCOUNT)!,
    );
    for (const id of ids) {
      expect(id).toMatch(UUID);
      expect([id[14], id[19]]).toEqual(['8', 'a']);
    }
    expect(ids).toEqual(
      ['a', 'upload-1', 'A.b_c', 'x'.repeat(128)].map((requestId) => transcriptionIdFrom(requestId, ACCOUNT)),
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('differs by account, so that nobody can find the record of another one', () => {
    expect(transcriptionIdFrom('upload-1', ACCOUNT)).not.toBe(transcriptionIdFrom('upload-1', OTHER));
    // The account and the id cannot be moved against each other.
    expect(transcriptionIdFrom('bc', 'a')).not.toBe(transcriptionIdFrom('c', 'ab'));
  });

  it('is case-sensitive where it is no UUID', () => {
    expect(transcriptionIdFrom('Upload', ACCOUNT)).not.toBe(transcriptionIdFrom('upload', ACCOUNT));
  });

  it.each(['', ' ', 'a b', '../x', 'a\n', 'x'.repeat(129), '粵'])(
    'from what is no id of a request is none: %j',
    (requestId) => {
      expect(transcriptionIdFrom(requestId, ACCOUNT)).toBeNull();
    },
  );
});

describe('a new transcription', () => {
  it('has the id that the client can find it by', () => {
    expect(newTranscriptionId('upload-1', ACCOUNT)).toBe(transcriptionIdFrom('upload-1', ACCOUNT));
  });

  it.each([null, 'not an id'])('has a random one otherwise: %j', (requestId) => {
    const id = newTranscriptionId(requestId, ACCOUNT);
    expect(id).toMatch(UUID);
    expect(newTranscriptionId(requestId, ACCOUNT)).not.toBe(id);
  });
});
