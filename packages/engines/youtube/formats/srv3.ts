import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { CaptionLine } from '@jyutsing/contracts/captions';
import { plainText } from './plain-text.ts';

/**
 * A node of the parsed XML: with `preserveOrder`, it has its name as one key and its attributes
 * under `:@`.
 */
type XmlNode = { [name: string]: XmlNode[] | string | Record<string, string> };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  // The entities stay, because `plainText` decodes them.
  processEntities: false,
});

/**
 * Parses the platform's XML: `<timedtext><body><p t d>…<s>…</s></p>` in milliseconds (`fmt=srv3`),
 * or the older `<transcript><text start dur>` in seconds. Null for invalid content.
 */
export function parseSrv3(body: string): CaptionLine[] | null {
  const root = parseXml(body);
  if (root === null) return null;
  const timedText = childrenOf(root, 'timedtext');
  if (timedText !== null) return linesOf(childrenOf(timedText, 'body') ?? [], 'p', ['t', 'd'], 1);
  const transcript = childrenOf(root, 'transcript');
  return transcript === null ? null : linesOf(transcript, 'text', ['start', 'dur'], 1_000);
}

/** The parser throws for invalid names and for thousands of levels. */
function parseXml(body: string): XmlNode[] | null {
  if (!/^<(\?xml|timedtext|transcript)[\s>]/.test(body) || XMLValidator.validate(body) !== true) return null;
  try {
    return parser.parse(body) as XmlNode[];
  } catch {
    return null;
  }
}

function linesOf(nodes: XmlNode[], tag: string, [start, duration]: [string, string], msPerUnit: number): CaptionLine[] {
  return nodes.flatMap((node) => {
    const children = node[tag];
    if (!Array.isArray(children)) return [];
    const attributes = node[':@'] as Record<string, string> | undefined;
    const startMs = numberOf(attributes?.[start]) * msPerUnit;
    return [
      { startMs, endMs: startMs + numberOf(attributes?.[duration]) * msPerUnit, text: plainText(textOf(children)) },
    ];
  });
}

function childrenOf(nodes: XmlNode[], tag: string): XmlNode[] | null {
  const children = nodes.find((node) => tag in node)?.[tag];
  return Array.isArray(children) ? children : null;
}

function textOf(nodes: XmlNode[]): string {
  return nodes
    .map((node) =>
      Object.entries(node)
        .filter(([name]) => name !== ':@')
        .map(([name, value]) =>
          name === 'br' ? '\n' : typeof value === 'string' ? value : Array.isArray(value) ? textOf(value) : '',
        )
        .join(''),
    )
    .join('');
}

function numberOf(text: string | undefined): number {
  const value = Number(text ?? 0);
  return Number.isFinite(value) ? value : 0;
}
