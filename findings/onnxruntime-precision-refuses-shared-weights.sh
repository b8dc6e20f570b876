#!/bin/sh
# Guess: with `session.x64quantprecision` set to 1, which is made for signed 8-bit weights that
# overflow (processors with AVX2 but without VNNI), ONNX Runtime opens every quantized model that it
# opens without, and computes it exactly.
# Seen with onnxruntime 1.32.0 and onnx 1.19.0 (PyPI): it does for two products of matrices with
# weights of their own. Where both share their weights, or only the zero point of the weights, as
# quantizing tools write it, the valid model does not open: "Attempt to replace the existing
# tensor". Each product is rewritten for unsigned weights, and the second finds the tensor of the
# first. Without the option the model opens, and its results are wrong by tens of times the
# rounding. Processors with VNNI need no rewriting, and there nothing fails.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --only-binary :all: onnxruntime==1.32.0 onnx==1.19.0 numpy
cat > try.py <<'END'
import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

random = numpy.random.default_rng(0)
weights = random.integers(-127, 128, (64, 64)).astype(numpy.int8)
inputs = {name: random.standard_normal((4, 64)).astype(numpy.float32) for name in ('a', 'b')}


def model(shares_weights, shares_zero):
    values = {'scale': numpy.float32(0.01)}
    nodes = []
    for name in inputs:
        weight = 'weight' if shares_weights else f'weight-{name}'
        zero = 'zero' if shares_zero else f'zero-{name}'
        values[weight], values[zero] = weights, numpy.int8(0)
        quantized = [f'{name}-q', f'{name}-step', f'{name}-zero']
        product = [quantized[0], weight, quantized[2], zero]
        nodes += [
            helper.make_node('DynamicQuantizeLinear', [name], quantized),
            helper.make_node('MatMulInteger', product, [f'{name}-product']),
            helper.make_node('Cast', [f'{name}-product'], [f'{name}-float'], to=TensorProto.FLOAT),
            helper.make_node('Mul', [f'{name}-step', 'scale'], [f'{name}-scale']),
            helper.make_node('Mul', [f'{name}-float', f'{name}-scale'], [f'{name}-out']),
        ]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        'products',
        [info(name, TensorProto.FLOAT, [4, 64]) for name in inputs],
        [info(f'{name}-out', TensorProto.FLOAT, [4, 64]) for name in inputs],
        [numpy_helper.from_array(numpy.asarray(value), name) for name, value in values.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8).SerializeToString()


def outcome(serialized, precision):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.add_session_config_entry('session.x64quantprecision', precision)
    try:
        session = onnxruntime.InferenceSession(serialized, options, providers=['CPUExecutionProvider'])
    except Exception as error:
        return 'replaces' if 'Attempt to replace the existing tensor' in str(error) else str(error)
    outputs = session.run(None, inputs)
    worst = max(abs(y - x @ weights * 0.01).max() for y, x in zip(outputs, inputs.values()))
    return 'exact' if worst < 0.5 else 'wrong'


seen = {
    (what, precision): outcome(serialized, precision)
    for what, serialized in (
        ('own weights', model(False, False)),
        ('shared weights', model(True, False)),
        ('shared zero point', model(False, True)),
    )
    for precision in ('0', '1')
}
for (what, precision), result in seen.items():
    print(f'{what}, precision {precision}: {result}')
has_exact_instructions = seen['own weights', '0'] == 'exact'
expected = ['exact'] * 6 if has_exact_instructions else ['wrong', 'exact', 'wrong', 'replaces', 'wrong', 'replaces']
if list(seen.values()) != expected:
    raise SystemExit('behaves differently now')
if has_exact_instructions:
    print('This processor has VNNI: nothing to see here.')
END
python/bin/python try.py
echo 'as described'
