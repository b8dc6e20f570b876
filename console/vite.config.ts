import { defineConfig } from 'vite';

/** Relative addresses: the service may be under any path of a proxy. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  logLevel: 'warn',
  // In every environment, as tests set another: code for development names files of this machine.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no style or script that is not a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
