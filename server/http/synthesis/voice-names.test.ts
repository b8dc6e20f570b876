import { expect, it } from 'vitest';
import { isVoiceNameElsewhere } from './voice-names.ts';

const ELSEWHERE = [
  'af_sky',
  'zf_xiaobei',
  'am_v0adam',
  'af_sky+af_bella',
  'af_sky(2)+zm_yunxi(1)',
  'jf_alpha',
  'zh-HK-HiuMaanNeural',
  'zh-HK-WanLungNeural',
  'en-US-Ava:DragonHDLatestNeural',
  'zh-CN-liaoning-XiaobeiNeural',
  'yue-HK-Standard-A',
  'en-US-Chirp3-HD-Aoede',
  'cmn-CN-Wavenet-B',
  'en_US-lessac-medium',
  'zh_CN-huayan-x_low',
  'Microsoft Server Speech Text to Speech Voice (zh-HK, HiuMaanNeural)',
  'aura-asteria-en',
  'aura-2-thalia-en',
  'flux-alexis-en',
  'voice_1234',
  'Cantonese_GentleLady',
  '粵語女',
  '中文男',
  '21m00Tcm4TlvDq8ikWAM',
  '0F8FAD5B-d9cb-469f-a165-70867728950e',
];
const NOT_ELSEWHERE = [
  '',
  'robot',
  'jasmin',
  '../jasmine',
  'nobody',
  'female2',
  '聲',
  '__proto__',
  'toString',
  'my voice',
  'zh-HK',
  'x'.repeat(4_999),
  'aaaaaaaaaaaaaaaaaaaa',
  '0f8fad5b-d9cb-469f-a165-70867728950e0',
  '../../etc/passwd',
  'af_',
];

it('tells the names of other services from words that may be misspelt', () => {
  expect(ELSEWHERE.filter((name) => !isVoiceNameElsewhere(name))).toEqual([]);
  expect(NOT_ELSEWHERE.filter(isVoiceNameElsewhere)).toEqual([]);
});

it('takes no longer for a long name', () => {
  const names = ['af_a+'.repeat(40), 'a'.repeat(200), `zh-HK-${'-'.repeat(190)}`];
  const started = process.cpuUsage();
  for (let round = 0; round < 1_000; round += 1) names.forEach(isVoiceNameElsewhere);
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000);
});
