"""Prepares the graph of hibari-tts 0.2.1 for the engine `hibari`.

    python prepare_graph.py hibari/assets/hibari.onnx models/hibari/hibari.onnx

The weights stay as they are. The five parts of the spectra come as one output, `spectra`
(1 × frames × 5 × 601), as the last layer makes them, instead of being turned and divided; and
`steps` has the length of each id in steps of 25 ms, two frames, for the times of words.
"""

import argparse

import onnx
from onnx import TensorProto, helper

# The sum of the last layer, and the rounded durations before phonemes are repeated.
OUTPUTS = {
    'spectra': ('/head/Add_output_0', [1, 'F', 3005]),
    'steps': ('/Clip_output_0', [1, 'L']),
}
UNUSED = ('/Transpose_58_output_0', 'lh')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('graph')
    parser.add_argument('output')
    arguments = parser.parse_args()
    model = onnx.load(arguments.graph)
    graph = model.graph
    for node in [node for node in graph.node if node.output[0] in UNUSED]:
        graph.node.remove(node)
    pitch = next(output for output in graph.output if output.name == 'f0')
    del graph.output[:]
    for name, (source, shape) in OUTPUTS.items():
        graph.node.append(helper.make_node('Identity', [source], [name], name=name))
        graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    graph.output.append(pitch)
    onnx.checker.check_model(model)
    onnx.save(model, arguments.output)


if __name__ == '__main__':
    main()
