declare module '@echogarden/espeak-ng-emscripten' {
  /** `getPreloadedPackage` returns the bytes of the package's data file. */
  const load: (options?: { getPreloadedPackage(): ArrayBuffer }) => Promise<never>;
  export default load;
}
