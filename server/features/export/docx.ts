import { readPieces } from '#features/transcription/character-readings.ts';
import { clock, paragraphsOf, writeAll, type ExportedSegment, type ExportedTranscript } from './exported-transcript.ts';
import { joined, oneLine, type DocumentOptions } from './markdown.ts';
import { createZipArchive } from './zip-archive.ts';

/**
 * A Word document (ISO/IEC 29500): the title, and a paragraph for each turn with its translation
 * below. Jyutping is ruby text.
 */
export async function writeDocx(transcript: ExportedTranscript, options: DocumentOptions): Promise<Uint8Array> {
  const title = oneLine(transcript.title ?? '');
  const body = await writeAll(paragraphsOf(transcript.segments), async ({ speaker, startMs, segments }) => {
    const name = transcript.showsSpeakers && speaker !== null ? oneLine(speaker) : '';
    const time = options.times ? clock(startMs) : '';
    const lead = [run(name, '<w:b/>'), run(name !== '' && time !== '' ? '  ' : ''), run(time, GREY)].join('');
    const text = options.jyutping
      ? (await writeAll(segments, rubyRuns)).join(run(' '))
      : run(joined(await writeAll(segments, ({ text: written }) => oneLine(written))));
    const translation = joined(await writeAll(segments, (segment) => oneLine(segment.translation ?? '')));
    return [
      ...(lead === '' ? [] : [paragraph(lead, 'Lead')]),
      paragraph(text, translation === '' ? 'Text' : 'Lead'),
      ...(translation === '' ? [] : [paragraph(run(translation, GREY), 'Text')]),
    ];
  });
  const note = oneLine(transcript.note ?? '');
  const heading = [
    ...(title === '' ? [] : [paragraph(run(title), 'Title')]),
    ...(note === '' ? [] : [paragraph(run(note, GREY), 'Text')]),
  ];
  const created = new Date(transcript.createdAtMs).toISOString();
  const files = {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': RELATIONS,
    'docProps/core.xml': `${XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escaped(title)}</dc:title><dcterms:created xsi:type="dcterms:W3CDTF">${created}</dcterms:created></cp:coreProperties>`,
    'word/_rels/document.xml.rels': DOCUMENT_RELATIONS,
    'word/styles.xml': STYLES,
    'word/document.xml': `${XML}<w:document ${WORD}><w:body>${heading.join('')}${body.flat().join('')}${SECTION}</w:body></w:document>`,
  };
  const archive = createZipArchive(transcript.createdAtMs);
  for (const [name, text] of Object.entries(files)) await archive.add(name, text);
  return archive.end();
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const GREY = '<w:color w:val="666666"/>';
/** A4 with margins of 2.5 cm, in twentieths of a point. */
const SECTION =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const CONTENT_TYPES = `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${TYPE}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`;
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${PACKAGE}/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;
const DOCUMENT_RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;
/** The last paragraph of a turn has space below; a time or a speaker stays with its text. */
const STYLES = `${XML}<w:styles ${WORD}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri" w:eastAsia="Microsoft JhengHei"/><w:sz w:val="24"/><w:szCs w:val="24"/><w:lang w:val="en-GB" w:eastAsia="zh-HK"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:after="240"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="36"/></w:rPr></w:style><w:style w:type="paragraph" w:customStyle="1" w:styleId="Lead"><w:name w:val="Lead"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:after="20"/></w:pPr></w:style><w:style w:type="paragraph" w:customStyle="1" w:styleId="Text"><w:name w:val="Transcript"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="200" w:line="312" w:lineRule="auto"/></w:pPr></w:style></w:styles>`;

function paragraph(runs: string, style: string): string {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${runs}</w:p>`;
}

function run(text: string, properties = ''): string {
  if (text === '') return '';
  const style = properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`;
  return `<w:r>${style}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
}

/** Jyutping in half of the size over each character. */
function rubyRuns(segment: ExportedSegment): string {
  return readPieces({ ...segment, text: oneLine(segment.text) })
    .map(({ text, jyutping }) => (jyutping === null ? run(text) : ruby(text, jyutping)))
    .join('');
}

const RUBY_SHAPE =
  '<w:rubyPr><w:rubyAlign w:val="center"/><w:hps w:val="12"/><w:hpsRaise w:val="22"/><w:hpsBaseText w:val="24"/><w:lid w:val="zh-HK"/></w:rubyPr>';

function ruby(text: string, jyutping: string): string {
  const above = `<w:rt>${run(jyutping, '<w:sz w:val="12"/>')}</w:rt>`;
  return `<w:r><w:ruby>${RUBY_SHAPE}${above}<w:rubyBase>${run(text)}</w:rubyBase></w:ruby></w:r>`;
}

/** Markup characters become entities; those that XML does not know are left out. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
