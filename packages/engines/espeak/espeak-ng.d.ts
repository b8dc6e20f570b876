declare module '@echogarden/espeak-ng-emscripten' {
  const load: () => Promise<never>;
  export default load;
}
