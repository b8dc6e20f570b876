/** Memory for samples that the library writes, which grows as needed. */
export type OutputMemory = {
  /** Returns memory for at least so many samples. */
  ofCapacity(samples: number): Buffer;
  /** Returns the first samples, which are valid until they are written again. */
  samples(count: number): Float32Array<ArrayBuffer>;
};

export function createOutputMemory(): OutputMemory {
  let memory = new Float32Array(0);
  return {
    ofCapacity(samples) {
      if (memory.length < samples) memory = new Float32Array(samples);
      return bytesOf(memory);
    },
    samples: (count) => memory.subarray(0, count),
  };
}

/** Returns the same memory as bytes. */
export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
