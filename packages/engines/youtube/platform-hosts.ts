import { PlatformError } from './platform-error.ts';

const HOSTS = /^(?:(?:[a-z0-9-]+\.)*(?:youtube\.com|googlevideo\.com)|youtubei\.googleapis\.com)$/;

/**
 * Restricts requests to the platform's hosts or, with a custom base URL, to that origin, which then
 * also gets the requests for the platform's hosts. Links come from responses that may be forged
 * and must not reach the network of this server.
 */
export type PlatformHosts = {
  /**
   * Returns the URL to request for an absolute or relative link. Throws `PlatformError` for other
   * hosts.
   */
  resolve(link: string): URL;
};

export function createPlatformHosts(options: { baseUrl: string; isCustomHost: boolean }): PlatformHosts {
  const base = new URL(options.baseUrl);
  return {
    resolve(link) {
      const url = URL.parse(link, base.href);
      if (url === null || url.username !== '' || url.password !== '') throw new PlatformError('invalid link');
      url.hash = '';
      const isPlatform = url.protocol === 'https:' && url.port === '' && HOSTS.test(url.hostname);
      if (!options.isCustomHost && isPlatform) return url;
      if (options.isCustomHost && url.origin === base.origin) return url;
      if (options.isCustomHost && isPlatform) {
        // Set the URL part by part: a path that starts with two slashes would be parsed as a host.
        const redirected = new URL(base);
        redirected.pathname = url.pathname;
        redirected.search = url.search;
        return redirected;
      }
      throw new PlatformError('link to another host');
    },
  };
}
