/**
 * Writes small ONNX models (protobuf, onnx.proto3 of opset 17) so that tests run the real inference
 * code without real weights. Supports only what these tests need: float tensors, a chain of nodes,
 * integer attributes.
 */
export type OnnxNode = {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes?: Record<string, number | number[]>;
};
export type OnnxConstant = { name: string; dims: number[]; data: Float32Array | BigInt64Array };
/** Dimensions may be names, for those that vary. */
type OnnxValue = { name: string; dims: (number | string)[] };

type OnnxGraph = {
  nodes: OnnxNode[];
  constants: OnnxConstant[];
  inputs: OnnxValue[];
  outputs: OnnxValue[];
};

const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

export function encodeOnnx(graph: OnnxGraph): Buffer {
  const body = Buffer.concat([
    ...graph.nodes.map((node) => message(1, encodeNode(node))),
    text(2, 'test'),
    ...graph.constants.map((constant) => message(5, encodeConstant(constant))),
    ...graph.inputs.map((value) => message(11, encodeValue(value))),
    ...graph.outputs.map((value) => message(12, encodeValue(value))),
  ]);
  const opset = Buffer.concat([text(1, ''), number(2, 17)]);
  return Buffer.concat([number(1, 8), message(7, body), message(8, opset)]);
}

function encodeNode(node: OnnxNode): Buffer {
  return Buffer.concat([
    ...node.inputs.map((name) => text(1, name)),
    ...node.outputs.map((name) => text(2, name)),
    text(3, node.outputs[0] ?? ''),
    text(4, node.op),
    ...Object.entries(node.attributes ?? {}).map(([name, value]) => message(5, encodeAttribute(name, value))),
  ]);
}

function encodeAttribute(name: string, value: number | number[]): Buffer {
  return Array.isArray(value)
    ? Buffer.concat([text(1, name), ...value.map((one) => number(8, one)), number(20, ATTRIBUTE_INTS)])
    : Buffer.concat([text(1, name), number(3, value), number(20, ATTRIBUTE_INT)]);
}

function encodeConstant({ name, dims, data }: OnnxConstant): Buffer {
  const type = data instanceof Float32Array ? FLOAT : INT64;
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return Buffer.concat([...dims.map((dim) => number(1, dim)), number(2, type), text(8, name), message(9, raw)]);
}

function encodeValue({ name, dims }: OnnxValue): Buffer {
  const shape = dims.map((dim) => message(1, typeof dim === 'number' ? number(1, dim) : text(2, dim)));
  const tensor = Buffer.concat([number(1, FLOAT), message(2, Buffer.concat(shape))]);
  return Buffer.concat([text(1, name), message(2, message(1, tensor))]);
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(bytes.length)), bytes]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value));
}

function number(field: number, value: number): Buffer {
  // Negative numbers take ten bytes, as 64-bit two's complement.
  return Buffer.concat([varint(BigInt(field * 8)), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    const isLast = rest < 128n;
    bytes.push(Number(rest & 127n) | (isLast ? 0 : 128));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}
