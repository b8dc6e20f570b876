import http from 'node:http';

/**
 * Applies HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Node before 24.14 needs NODE_USE_ENV_PROXY=1 for
 * them.
 */
export function useProxyFromEnvironment(): void {
  // The types only cover newer versions, which always have this function.
  (http.setGlobalProxyFromEnv as typeof http.setGlobalProxyFromEnv | undefined)?.();
}
