#!/bin/sh
# Guess: the reference evaluator of ONNX, made to check other implementations against, computes LSTM, GRU and RNN as
# the standard says, with the lengths of the sequences (`sequence_lens`) and the attribute `clip`, or refuses them.
# Seen with onnx 1.23.2 and onnxruntime 1.32.0 (PyPI): without the two it agrees with ONNX Runtime to rounding, in both
# directions. With `sequence_lens` it reads the padding behind a short sequence as if it were sound, and gives values
# where the standard demands zeros; `clip` changes nothing. No warning is given. A speech model for batches of unlike
# lengths that is checked against the reference looks as if the runtime were wrong.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet onnxruntime==1.32.0 onnx==1.23.2
cat > try.py <<'END'
import numpy
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

chance = numpy.random.default_rng(0)
SIZE = 5
LENGTHS = numpy.array([4, 2], dtype=numpy.int32)


def compared(operator, gates, attributes, has_lengths):
    directions = 2 if attributes.get('direction') == 'bidirectional' else 1
    shapes = {'sound': (4, 2, 3), 'weights': (directions, gates * SIZE, 3), 'recurrence': (directions, gates * SIZE, SIZE)}
    given = {name: chance.standard_normal(shape).astype(numpy.float32) for name, shape in shapes.items()}
    inputs = list(given)
    if has_lengths:
        given['lengths'] = LENGTHS
        inputs += ['', 'lengths']
    node = helper.make_node(operator, inputs, ['result'], hidden_size=SIZE, **attributes)
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in given.items()
    ]
    graph = helper.make_graph([node], 'recurrent', infos, [helper.make_tensor_value_info('result', TensorProto.FLOAT, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 14)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=['CPUExecutionProvider'])
    runtime = session.run(None, given)[0]
    reference = ReferenceEvaluator(model).run(None, given)[0]
    # Behind the end of the second sequence, which has two of the four steps.
    padding = [float(numpy.abs(result[2:, 0, 1]).max()) for result in (runtime, reference)]
    return float(numpy.abs(runtime - reference).max()), padding


for operator, gates in (('LSTM', 4), ('GRU', 3), ('RNN', 1)):
    for attributes, has_lengths in (({}, False), ({'direction': 'bidirectional'}, False), ({'clip': 0.5}, False), ({}, True)):
        difference, (runtime, reference) = compared(operator, gates, attributes, has_lengths)
        print(f'{operator} {attributes or ""}{" with lengths" if has_lengths else ""}: differ by {difference:.2g}')
        if (difference > 0.1) != ('clip' in attributes or has_lengths):
            raise SystemExit('behaves differently now')
        if has_lengths and (runtime != 0 or reference == 0):
            raise SystemExit('the padding is treated differently now')
END
python/bin/python try.py
echo 'as described'
