#!/bin/sh
# Guess: `ReduceMax` and `ReduceMin` of ONNX Runtime give NaN where one of the values is NaN, as NumPy and the reference
# evaluator of ONNX do, so that a check of the result finds a model that computes nonsense.
# Seen with onnxruntime 1.32.0 and onnx 1.23.2 (PyPI): they do only where NaN is the first value of its row. Of
# [1, NaN, 3] the maximum is 3, of [NaN, 1, 3] it is NaN. `Max` of two tensors, `ReduceSum` and `ReduceMean` keep NaN
# anywhere. Whether a broken frame of sound shows in a peak or a confidence so depends on its place.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet onnxruntime==1.32.0 onnx==1.23.2
cat > try.py <<'END'
import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

NAN = numpy.float32('nan')


def results(operator, values):
    tensor = numpy.array([values], dtype=numpy.float32)
    inputs = [helper.make_tensor_value_info('values', TensorProto.FLOAT, tensor.shape)]
    outputs = [helper.make_tensor_value_info('result', TensorProto.FLOAT, None)]
    node = helper.make_node(operator, ['values'], ['result'], axes=[1], keepdims=0)
    graph = helper.make_graph([node], 'reduce', inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 11)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=['CPUExecutionProvider'])
    given = {'values': tensor}
    return session.run(None, given)[0][0], ReferenceEvaluator(model).run(None, given)[0][0]


for operator in ('ReduceMax', 'ReduceMin', 'ReduceSum', 'ReduceMean'):
    for values in ([NAN, 1, 3], [1, NAN, 3], [1, 3, NAN]):
        runtime, reference = results(operator, values)
        print(f'{operator} of {[float(value) for value in values]}: ONNX Runtime {runtime}, reference {reference}')
        is_forgotten = operator in ('ReduceMax', 'ReduceMin') and not numpy.isnan(values[0])
        if numpy.isnan(runtime) == is_forgotten or not numpy.isnan(reference):
            raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
