import { expect, expectTypeOf, it } from 'vitest';
import type { ApiPromise, Jyutsing, Score, Transcript, TranscriptionJob, Voice } from './index.ts';

declare const jyut: Jyutsing;

/** The compiler checks this function; nothing calls it. */
async function types() {
  const plain = await jyut.transcribe('a.wav');
  const transcript = await plain.wait();
  expectTypeOf(transcript.language).toEqualTypeOf<'cantonese'>();
  expectTypeOf(transcript.segments[0]!.speaker).toEqualTypeOf<null>();
  expectTypeOf(transcript.segments[0]!.words[0]!.characters[0]!.jyutping).toEqualTypeOf<string | null>();

  const diarized = await (await jyut.transcribe('a.wav', { diarization: true, language: 'mandarin' })).wait();
  expectTypeOf(diarized.language).toEqualTypeOf<'mandarin'>();
  expectTypeOf(diarized.segments[0]!.speaker).toEqualTypeOf<string>();
  expectTypeOf(diarized.segments[0]!.words[0]!.characters[0]!.pinyin).toEqualTypeOf<string | null>();
  // @ts-expect-error Mandarin has no jyutping.
  diarized.segments[0]!.words[0]!.characters[0]!.jyutping satisfies unknown;

  const identified = await (await jyut.transcribe('a.wav', { language: 'auto', diarization: false })).wait();
  expectTypeOf(identified.language).toEqualTypeOf<'cantonese' | 'mandarin' | 'english'>();
  expectTypeOf(identified.segments[0]!.speaker).toEqualTypeOf<null>();

  const unknown = jyut.transcriptions.job('id');
  expectTypeOf(unknown).toEqualTypeOf<TranscriptionJob>();
  expectTypeOf(await unknown.wait()).toEqualTypeOf<Transcript>();

  const cantonese = await jyut.score('a.wav', '好');
  expectTypeOf(cantonese).toEqualTypeOf<Score<'cantonese'>>();
  expectTypeOf(cantonese.expectedJyutping).toEqualTypeOf<string>();
  const english = await jyut.score('a.wav', 'well', { language: 'english' });
  expectTypeOf(english.words[0]!.phonemes).toBeArray();
  // @ts-expect-error English has no jyutping.
  english.expectedJyutping satisfies unknown;

  expectTypeOf(jyut.voices.get('id')).toEqualTypeOf<ApiPromise<Voice>>();
  for await (const piece of jyut.speak('好')) expectTypeOf(piece).toEqualTypeOf<Uint8Array>();

  // @ts-expect-error A voice needs the consent of its speaker.
  void jyut.voices.create({ name: 'x', sample: 'a.wav', consent: false });
  // @ts-expect-error The entries of a corpus are given once.
  void jyut.corpora.create({ name: 'x', tsv: '', entries: [] });
}

it('results have the types of their options, as the compiler checks', () => {
  expect(types).toBeInstanceOf(Function);
});
