import { Obstacle } from './platform-error.ts';

const HOSTS = /^(?:(?:[a-z0-9-]+\.)*(?:youtube\.com|googlevideo\.com)|youtubei\.googleapis\.com)$/;

/**
 * Which addresses may be asked: the platform's own, or, where the platform is elsewhere, that origin alone, to which requests
 * for the platform's hosts are turned. Links come from answers that anybody on the way may have written, and must not
 * lead into the network of this server.
 */
export type PlatformHosts = {
  /** The address to ask for a link, relative ones included. Throws `Obstacle` for a link to anywhere else. */
  resolve(link: string): URL;
};

export function createPlatformHosts(options: { baseUrl: string; isElsewhere: boolean }): PlatformHosts {
  const base = new URL(options.baseUrl);
  return {
    resolve(link) {
      const url = URL.parse(link, base.href);
      if (url === null || url.username !== '' || url.password !== '') throw new Obstacle('a link that is none');
      url.hash = '';
      const isPlatform = url.protocol === 'https:' && url.port === '' && HOSTS.test(url.hostname);
      if (!options.isElsewhere && isPlatform) return url;
      if (options.isElsewhere && url.origin === base.origin) return url;
      if (options.isElsewhere && isPlatform) {
        // Set part by part: a path that begins with two slashes would be read as a host.
        const turned = new URL(base);
        turned.pathname = url.pathname;
        turned.search = url.search;
        return turned;
      }
      throw new Obstacle('a link to another host');
    },
  };
}
