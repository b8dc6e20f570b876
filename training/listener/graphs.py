"""Builds ONNX graphs of Whisper's parts node by node, with weights that integer kernels multiply.

Weights of matrix products are int8 with a scale for each output, and their inputs become uint8
while the graph runs, each row with a scale of its own: a few frames have far larger values than the
others. The weights use 7 of the 8 bits: on processors with AVX2 alone, onnxruntime
adds pairs of products in 16 bits, which 8 would overflow. Other tables are float16, as published.
"""

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

LARGEST_WEIGHT, LARGEST_INPUT, ZERO_POINT = 63, 127, 128
OPSET = 20
NORM_EPSILON = 1e-5


class Graph:
    """Nodes and tables of a graph that grows; every method gives the name of its output."""

    def __init__(self):
        self.nodes, self.tables, self.count = [], {}, 0

    def op(self, kind, *inputs, outputs=1, **attributes):
        self.count += 1
        names = [f'{kind.lower()}_{self.count}_{i}' for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def table(self, value, kind=None):
        """The name of a constant; the same values are stored once."""
        value = np.ascontiguousarray(value, kind)
        key = (value.dtype.str, value.shape, value.tobytes())
        return self.tables.setdefault(key, f'table_{len(self.tables)}')

    def ints(self, *values):
        return self.table(values, np.int64)

    def half(self, value):
        """A table of floats that is stored as float16."""
        return self.op('Cast', self.table(value, np.float16), to=TensorProto.FLOAT)

    def product(self, x, weight):
        """x [..., in] times a weight [out, in]."""
        rounded, scale = round_rows(weight)
        return self.rounded_product(x, self.table(rounded.T), self.table(scale, np.float32))

    def rounded_product(self, x, columns, scale):
        """x [..., in] times int8 columns [in, out] with scales [out]."""
        largest = self.op('ReduceMax', self.op('Abs', x), self.ints(-1), keepdims=1)
        largest = self.op('Max', largest, self.table(1e-8, np.float32))
        step = self.op('Mul', largest, self.table(1 / LARGEST_INPUT, np.float32))
        small = self.op('Round', self.op('Div', x, step))
        small = self.op('Add', small, self.table(ZERO_POINT, np.float32))
        small = self.op('Cast', small, to=TensorProto.UINT8)
        whole = self.op('MatMulInteger', small, columns, self.table(ZERO_POINT, np.uint8))
        whole = self.op('Mul', self.op('Cast', whole, to=TensorProto.FLOAT), step)
        return self.op('Mul', whole, scale)

    def linear(self, x, weight, bias):
        return self.op('Add', self.product(x, weight), self.half(bias))

    def norm(self, x, gain, bias):
        return self.op(
            'LayerNormalization', x, self.half(gain), self.half(bias), epsilon=NORM_EPSILON
        )

    def heads(self, x, heads, is_key=False):
        """[B, T, width] to [B, heads, T, width / heads], of keys with the last two exchanged."""
        split = self.op('Reshape', x, self.ints(0, 0, heads, -1))
        return self.op('Transpose', split, perm=[0, 2, 3, 1] if is_key else [0, 2, 1, 3])

    def attend(self, query, key, value, mask=None):
        """[B, T, width] of queries and values [B, heads, T, size] and keys [B, heads, size, T]; a
        mask is added."""
        scores = self.op('MatMul', query, key)
        if mask is not None:
            scores = self.op('Add', scores, mask)
        seen = self.op('MatMul', self.op('Softmax', scores, axis=-1), value)
        return self.op(
            'Reshape', self.op('Transpose', seen, perm=[0, 2, 1, 3]), self.ints(0, 0, -1)
        )

    def feed(self, x, wide, narrow):
        """x plus a layer of two products with a GELU between; each is (weight, bias)."""
        return self.linear(self.op('Gelu', self.linear(x, *wide)), *narrow)

    def save(self, path, inputs, outputs):
        """{name: (type, shape)} of inputs, {name: (value, shape)} of outputs, which are floats."""
        nodes = list(self.nodes)
        for name, (value, _) in outputs.items():
            nodes.append(helper.make_node('Identity', [value], [name]))
        graph = helper.make_graph(
            nodes,
            'listener',
            [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
                for name, (_, shape) in outputs.items()
            ],
            [
                numpy_helper.from_array(np.frombuffer(data, kind).reshape(shape), name)
                for (kind, shape, data), name in self.tables.items()
            ],
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid('', OPSET)], ir_version=9
        )
        checker.check_model(model)
        save(model, path)


def round_rows(weight):
    """(int8 [out, in], scale [out]) of a weight."""
    weight = np.asarray(weight, np.float32)
    scale = np.maximum(np.abs(weight).max(1), 1e-8) / LARGEST_WEIGHT
    return np.rint(weight / scale[:, None]).astype(np.int8), scale
