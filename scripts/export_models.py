#!/usr/bin/python3
"""Writes ONNX models of a thousand nodes and more, as exporters write them, into a folder.

Usage: scripts/export_models.py FOLDER [NAME ...]

The networks (export_networks.py) have the depth of the originals and small widths: what is hard to
read in a file is its structure. Beside them come small files of opset 18 to 21, composed with python3-onnx, in the forms in which
operators are written there. FOLDER/models.txt lists the files with the flags Berth needs.

Needs the Debian packages python3-torch and python3-onnx.
"""
import os
import sys
import warnings

import numpy as np
import onnx
import torch
from export_networks import (Bert, Conformer, DenseNet, Detector, DiffusionUnet, EfficientNet, Gpt, ResNet,
                             Scripted, Swin, T5, UnrolledLstm, UnrolledSeq2seq, ViT, WaveNet)
from onnx import TensorProto, helper, numpy_helper

warnings.filterwarnings("ignore")


def image(size=64, batch=2):
    return (torch.randn(batch, 3, size, size),)


def ids(*shapes):
    return tuple(torch.ones(shape, dtype=torch.int64) for shape in shapes)


BATCH = {0: "batch"}
TEXT = {0: "batch", 1: "seq"}
# name: (network, inputs, names of inputs, open dimensions, opset, training, flags for Berth)
MODELS = {
    "resnet335": (lambda: ResNet((37, 37, 37), 4), image(32), ["image"], {"image": BATCH}, 13, False, "--dim batch=32"),
    "resnet338_train": (lambda: ResNet((8, 36, 60, 8), 4), image(), ["image"], {}, 14, True, ""),
    "densenet_bc": (lambda: DenseNet((60, 60, 60), 4), image(32), ["image"], {}, 11, False, ""),
    "efficientnet_b7_train": (EfficientNet, image(), ["image"], {"image": BATCH}, 12, True, "--dim batch=16"),
    "vit_l16": (ViT, image(224), ["image"], {"image": BATCH}, 17, False, "--dim batch=8"),
    "bert_large": (Bert, ids((2, 16), (2, 16), (2, 16)), ["ids", "mask", "types"],
                   {"ids": TEXT, "mask": TEXT, "types": TEXT}, 13, False, "--dim batch=8 --dim seq=128"),
    "gpt2_medium": (Gpt, ids((2, 16)), ["ids"], {"ids": TEXT}, 14, False, "--dim batch=4 --dim seq=200"),
    "t5_base": (T5, ids((2, 16), (2, 12)), ["source", "target"],
                {"source": {0: "batch", 1: "source_seq"}, "target": {0: "batch", 1: "target_seq"}}, 16, False,
                "--dim batch=4 --dim source_seq=64 --dim target_seq=48"),
    "lstm_unrolled": (UnrolledLstm, ids((2, 40)), ["ids"], {"ids": BATCH}, 11, False, "--dim batch=64"),
    "seq2seq_unrolled": (UnrolledSeq2seq, ids((2, 24), (2, 24)), ["source", "target"],
                         {"source": BATCH, "target": BATCH}, 13, False, "--dim batch=64"),
    "detector": (Detector, image(256, 1), ["image"], {}, 12, False, ""),
    "wavenet": (WaveNet, (torch.randn(2, 1, 64),), ["audio"], {"audio": {0: "batch", 2: "samples"}}, 15, False,
                "--dim batch=2 --dim samples=16000"),
    "conformer": (Conformer, (torch.randn(2, 64, 80),), ["audio"], {"audio": {0: "batch", 1: "frames"}}, 15, False,
                  "--dim batch=4 --dim frames=800"),
    "diffusion_unet": (DiffusionUnet, (torch.randn(2, 4, 32, 32), torch.ones(2)), ["latent", "step"],
                       {"latent": BATCH, "step": BATCH}, 16, False, "--dim batch=4"),
    "swin_b": (Swin, image(224), ["image"], {"image": BATCH}, 17, False, "--dim batch=4"),
    "scripted_loop": (lambda: torch.jit.script(Scripted()), (torch.randn(2, 7, 16), torch.randn(2, 16)), ["x", "h"],
                      {}, 13, False, ""),
}


def export(name, path):
    make, inputs, names, axes, opset, training, _ = MODELS[name]
    mode = torch.onnx.TrainingMode.TRAINING if training else torch.onnx.TrainingMode.EVAL
    network = make().train(training)
    torch.onnx.export(network, inputs, path, input_names=names, dynamic_axes=axes or None,
                      opset_version=opset, training=mode, do_constant_folding=not training)


def tensor(name, kind, dims, data):
    made = TensorProto(name=name, data_type=kind, dims=dims)
    made.raw_data = bytes(data)
    return made


def constant(name, values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


def compose(path, opset, ir_version, nodes, inputs, outputs, initializers):
    """python3-onnx knows opsets up to 17; a later number is only a number to it."""
    info = lambda name, kind, dims: helper.make_tensor_value_info(name, kind, dims)
    graph = helper.make_graph(nodes, f"opset{opset}", [info(*i) for i in inputs],
                              [info(o, TensorProto.FLOAT, None) for o in outputs], initializers)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made.ir_version = ir_version
    onnx.save(made, path)


def compose_all(folder):
    node, F32, INT4, UINT4, F8 = helper.make_node, TensorProto.FLOAT, 22, 21, 17
    scale = lambda name, *dims: tensor(name, F32, dims, np.ones(dims, np.float32).tobytes())
    compose(f"{folder}/opset18.onnx", 18, 8, [
        node("ReduceMean", ["x", "axes"], ["mean"], keepdims=1), node("Sub", ["x", "mean"], ["c"]),
        node("ReduceL2", ["c", "axes"], ["l2"], keepdims=0), node("Split", ["c"], ["s1", "s2", "s3"], axis=1, num_outputs=3),
        node("Resize", ["s1", "", "", "sizes"], ["r"], axes=[2, 3], keep_aspect_ratio_policy="not_larger", mode="linear"),
        node("GroupNormalization", ["x", "gn", "gn"], ["g"], num_groups=2), node("Mish", ["g"], ["m"]),
        node("Pad", ["m", "pads", "", "pad_axes"], ["p"]), node("CenterCropPad", ["p", "crop"], ["y"], axes=[2, 3]),
        node("BitwiseAnd", ["b", "b"], ["bits"]), node("Cast", ["bits"], ["bf"], to=F32)],
        [("x", F32, [2, 8, 16, 16]), ("b", TensorProto.INT32, [4])], ["l2", "r", "y", "bf"],
        [constant("axes", [2, 3]), constant("sizes", [32, 32]), scale("gn", 2), constant("pads", [1, 1, 1, 1]),
         constant("pad_axes", [2, 3]), constant("crop", [10, 20])])
    compose(f"{folder}/opset19.onnx", 19, 9, [
        node("QuantizeLinear", ["x", "one", "zero8"], ["q"]), node("DequantizeLinear", ["q", "one", "zero8"], ["d"]),
        node("Resize", ["d", "", "scales"], ["r"], mode="cubic", antialias=1), node("AveragePool", ["r"], ["a"], kernel_shape=[3, 3], dilations=[2, 2]),
        node("Pad", ["a", "pads"], ["p"], mode="wrap"), node("DeformConv", ["p", "w", "offset"], ["y"], kernel_shape=[1, 1])],
        [("x", F32, [1, 4, 8, 8]), ("offset", F32, [1, 2, 14, 14])], ["y"],
        [scale("one"), tensor("zero8", F8, [], b"\0"), scale("scales", 4), constant("pads", [0, 0, 1, 1, 0, 0, 1, 1]), scale("w", 4, 4, 1, 1)])
    compose(f"{folder}/opset20.onnx", 20, 9, [
        node("Gelu", ["x"], ["g"], approximate="tanh"), node("ReduceMax", ["g", "axes"], ["m"], keepdims=1),
        node("IsNaN", ["g"], ["n"]), node("Where", ["n", "m", "g"], ["w"]), node("ConstantOfShape", ["shape"], ["z"]),
        node("DFT", ["z", "", "dft_axis"], ["f"]), node("StringConcat", ["t", "t"], ["tt"]),
        node("AffineGrid", ["theta", "size"], ["grid"]), node("GridSample", ["g", "grid"], ["y"], mode="linear")],
        [("x", F32, [2, 4, 8, 8]), ("theta", F32, [2, 2, 3]), ("t", TensorProto.STRING, [3])], ["w", "f", "y"],
        [constant("axes", [1]), constant("shape", [2, 16, 2]), constant("dft_axis", 1), constant("size", [2, 4, 6, 6])])
    blocks = np.zeros(64 * 128 // 2, np.uint8)
    compose(f"{folder}/opset21.onnx", 21, 10, [
        node("DequantizeLinear", ["w4", "s4", "z4"], ["w"], axis=0, block_size=32), node("MatMul", ["x", "w"], ["h"]),
        node("QuantizeLinear", ["h", "one"], ["q"], output_dtype=TensorProto.UINT16), node("DequantizeLinear", ["q", "one"], ["d"]),
        node("GroupNormalization", ["d3", "gn", "gn"], ["g"], num_groups=4), node("Reshape", ["d", "to"], ["d3"]),
        node("Cast", ["g"], ["y8"], to=F8), node("Cast", ["y8"], ["y"], to=F32)],
        [("x", F32, [8, 64])], ["y"],
        [tensor("w4", INT4, [64, 128], blocks), scale("s4", 2, 128), tensor("z4", INT4, [2, 128], np.zeros(128, np.uint8)),
         scale("one"), scale("gn", 16), constant("to", [8, 16, 8])])
    compose(f"{folder}/opset22_ir11.onnx", 22, 11, [
        node("Relu", ["x"], ["h"]), node("Dropout", ["h"], ["d"]), node("Conv", ["d", "w"], ["y"], pads=[1, 1, 1, 1])],
        [("x", F32, [1, 4, 8, 8])], ["y"], [scale("w", 8, 4, 3, 3)])
    return [f"opset{n}.onnx" for n in (18, 19, 20, 21)] + ["opset22_ir11.onnx"]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, chosen = sys.argv[1], sys.argv[2:] or list(MODELS)
    unknown = [name for name in chosen if name not in MODELS]
    if unknown:
        sys.exit(f"export_models.py: no model {unknown[0]!r}; the models are {', '.join(MODELS)}")
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(0)
    lines = []
    for name in chosen:
        export(name, f"{folder}/{name}.onnx")
        lines.append(f"{name}.onnx {MODELS[name][6]}".strip())
        print(f"wrote {name}.onnx", flush=True)
    lines += compose_all(folder)
    with open(f"{folder}/models.txt", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
