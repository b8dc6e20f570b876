import { encodeOnnx, type OnnxConstant, type OnnxNode } from '../onnx.ts';

/** ONNX numbers of tensor types. */
const ELEMENT_TYPES = { float: 1, int32: 6, int64: 7, bool: 9 } as const;
export type TypedValue = { name: string; type: keyof typeof ELEMENT_TYPES; dims: (number | string)[] };

type TypedModel = {
  nodes: OnnxNode[];
  constants: OnnxConstant[];
  inputs: TypedValue[];
  outputs: TypedValue[];
  /** Metadata that sherpa-onnx reads before it runs a model. */
  metadata: Record<string, string | number>;
};

/**
 * Encodes a model with typed inputs and outputs and metadata. Protobuf merges repeated messages, so
 * the parts that `encodeOnnx` lacks are appended: more of the graph (field 7) and metadata (field
 * 14).
 */
export function encodeTypedOnnx({ nodes, constants, inputs, outputs, metadata }: TypedModel): Buffer {
  const values = [
    ...inputs.map((value) => message(11, encodeTypedValue(value))),
    ...outputs.map((value) => message(12, encodeTypedValue(value))),
  ];
  return Buffer.concat([
    encodeOnnx({ nodes, constants, inputs: [], outputs: [] }),
    message(7, Buffer.concat(values)),
    ...Object.entries(metadata).map(([key, value]) =>
      message(14, Buffer.concat([message(1, Buffer.from(key)), message(2, Buffer.from(String(value)))])),
    ),
  ]);
}

function encodeTypedValue({ name, type, dims }: TypedValue): Buffer {
  const shape = dims.map((dim) => message(1, typeof dim === 'number' ? number(1, dim) : message(2, Buffer.from(dim))));
  const tensor = Buffer.concat([number(1, ELEMENT_TYPES[type]), message(2, Buffer.concat(shape))]);
  return Buffer.concat([message(1, Buffer.from(name)), message(2, message(1, tensor))]);
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(bytes);
  }
}

/** Float constant with a value for each index. */
export function floats(name: string, dims: number[], valueAt: (...position: number[]) => number): OnnxConstant {
  const data = new Float32Array(dims.reduce((product, dim) => product * dim, 1));
  for (let index = 0; index < data.length; index += 1) {
    let rest = index;
    const position = dims.toReversed().map((dim) => {
      const at = rest % dim;
      rest = (rest - at) / dim;
      return at;
    });
    data[index] = valueAt(...position.toReversed());
  }
  return { name, dims, data };
}

export function integers(name: string, values: readonly number[]): OnnxConstant {
  return { name, dims: [values.length], data: BigInt64Array.from(values, BigInt) };
}

export function node(op: string, inputs: string[], output: string, attributes?: OnnxNode['attributes']): OnnxNode {
  return { op, inputs, outputs: [output], ...(attributes === undefined ? {} : { attributes }) };
}
