/**
 * Declares the functions that vad.ts calls; the package has no types. Pointers are byte offsets
 * into the module's memory.
 */
declare module '@echogarden/fvad-wasm' {
  export type FvadModule = {
    HEAP16: Int16Array;
    _malloc(sizeBytes: number): number;
    _free(pointer: number): void;
    _fvad_new(): number;
    _fvad_free(handle: number): void;
    _fvad_set_mode(handle: number, mode: number): number;
    _fvad_set_sample_rate(handle: number, sampleRateHz: number): number;
    /** Returns 1 for voice, 0 for none, -1 for a wrong frame length. */
    _fvad_process(handle: number, samples: number, count: number): number;
  };
  export default function fvad(): Promise<FvadModule>;
}
