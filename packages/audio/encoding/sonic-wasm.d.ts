/**
 * Declares the functions of libsonic that are in use; the package has no types. Pointers are
 * addresses in its memory.
 */
declare module '@echogarden/sonic-wasm' {
  export type SonicModule = {
    HEAPF32: Float32Array<ArrayBuffer>;
    _malloc(sizeBytes: number): number;
    _free(pointer: number): void;
    _sonicCreateStream(sampleRateHz: number, channels: number): number;
    _sonicDestroyStream(stream: number): void;
    _sonicSetQuality(stream: number, quality: number): void;
    _sonicSetSpeed(stream: number, speed: number): void;
    _sonicWriteFloatToStream(stream: number, pointer: number, count: number): number;
    _sonicReadFloatFromStream(stream: number, pointer: number, maxCount: number): number;
    _sonicFlushStream(stream: number): number;
  };
  export default function loadSonic(): Promise<SonicModule>;
}
