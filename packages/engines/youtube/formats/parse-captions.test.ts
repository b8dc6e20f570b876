import { describe, expect, it } from 'vitest';
import { parseCaptions } from './parse-captions.ts';

const JSON3 = JSON.stringify({
  wireMagic: 'pb3',
  pens: [{}],
  events: [
    { tStartMs: 0, dDurationMs: 9_000, id: 1, wpWinPosId: 1, wsWinStyleId: 1 },
    {
      tStartMs: 160,
      dDurationMs: 3_840,
      wWinId: 1,
      segs: [
        { utf8: 'the ferry', acAsrConf: 0 },
        { utf8: ' leaves', tOffsetMs: 320 },
      ],
    },
    { tStartMs: 2_000, dDurationMs: 2_000, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] },
    {
      tStartMs: 2_010,
      dDurationMs: 4_000,
      wWinId: 1,
      segs: [{ utf8: 'at &quot;seven&quot; &amp;#39;sharp&amp;#39;' }],
    },
  ],
});

const SRV3 = `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">
<head><ws id="0"/><wp id="0"/></head>
<body>
<w t="0" id="1" wp="1" ws="1"/>
<p t="160" d="3840" w="1"><s ac="0">the ferry</s><s t="320"> leaves</s></p>
<p t="2000" d="2000" w="1" a="1">
</p>
<p t="2010" d="4000" w="1">at &quot;seven&quot; &amp;#39;sharp&amp;#39;</p>
</body></timedtext>`;

const VTT = `WEBVTT
Kind: captions
Language: en

STYLE
::cue { color: lime }

NOTE made by hand

1
00:00:00.160 --> 00:00:04.000 align:start position:0%
the ferry<00:00:00.480><c> leaves</c>

00:02.010 --> 00:06.010
at &quot;seven&quot; &amp;#39;sharp&amp;#39;
`;

const LINES = [
  { startMs: 160, endMs: 4_000, text: 'the ferry leaves' },
  { startMs: 2_010, endMs: 6_010, text: 'at "seven" \'sharp\'' },
];

describe('a caption file of any format', () => {
  it.each([
    ['json3', JSON3],
    ['srv3', SRV3],
    ['WebVTT', VTT],
    ['WebVTT with the line ends of Windows and a byte order mark', `\uFEFF${VTT.replaceAll('\n', '\r\n')}`],
  ])('%s', (_, body) => {
    expect(parseCaptions(body)).toEqual(LINES);
  });

  it('the older XML has times in seconds', () => {
    const body =
      '<?xml version="1.0" encoding="utf-8" ?><transcript><text start="1.5" dur="2.25">A<br/>B</text></transcript>';
    expect(parseCaptions(body)).toEqual([{ startMs: 1_500, endMs: 3_750, text: 'A\nB' }]);
  });

  it('lines are ordered by time, without empty ones', () => {
    const body =
      'WEBVTT\n\n00:05.000 --> 00:06.000\nlater\n\n00:01.000 --> 00:02.000\nsooner\n\n00:03.000 --> 00:04.000\n \u200B\n';
    expect(parseCaptions(body)?.map(({ text }) => text)).toEqual(['sooner', 'later']);
  });

  it.each([
    ['json3', '{"events":[]}'],
    ['json3 of nothing but windows', '{"wireMagic":"pb3","events":[{"tStartMs":0,"dDurationMs":5}]}'],
    ['srv3', '<?xml version="1.0"?><timedtext format="3"><body/></timedtext>'],
    ['WebVTT', 'WEBVTT\n'],
  ])('%s without text gives an empty list', (_, body) => {
    expect(parseCaptions(body)).toEqual([]);
  });
});

describe('rejects', () => {
  it.each([
    ['an empty body', ''],
    ['white space', ' \n '],
    ['a page', '<!DOCTYPE html><html><head><title>Before you continue</title></head><body></body></html>'],
    ['a page with an XML header', '<?xml version="1.0"?><!DOCTYPE html><html><body>Sorry…</body></html>'],
    ['other JSON', '{"error":{"code":403}}'],
    ['a list', '[]'],
    ['JSON that is cut off', JSON3.slice(0, -20)],
    ['XML that is cut off', SRV3.slice(0, -40)],
    ['a cue without times', 'WEBVTT\n\nsoon --> later\nwords\n'],
    ['text', 'Too many requests'],
    ['events that are none', '{"events":[{"tStartMs":"soon"}]}'],
  ])('%s', (_, body) => {
    expect(parseCaptions(body)).toBeNull();
  });

  it('entities are not expanded, except characters', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><transcript><text start="0" dur="1">&b;</text></transcript>`;
    const lines = parseCaptions(bomb);
    expect(JSON.stringify(lines ?? []).length).toBeLessThan(200);
  });
});
