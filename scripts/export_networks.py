"""The networks that export_models.py writes, in plain torch.nn: Debian has no torchvision.

They have the depth of the originals and widths small enough for a laptop.
"""
import math

import torch
from torch import nn
from torch.nn import functional as F


class ResNetUnit(nn.Module):
    def __init__(self, channels, out, stride):
        super().__init__()
        middle = max(out // 4, 4)
        self.body = nn.Sequential(
            nn.BatchNorm2d(channels), nn.ReLU(), nn.Conv2d(channels, middle, 1, bias=False),
            nn.BatchNorm2d(middle), nn.ReLU(), nn.Conv2d(middle, middle, 3, stride, 1, bias=False),
            nn.BatchNorm2d(middle), nn.ReLU(), nn.Conv2d(middle, out, 1, bias=False))
        plain = channels == out and stride == 1
        self.shortcut = nn.Identity() if plain else nn.Conv2d(channels, out, 1, stride)

    def forward(self, x):
        return self.body(x) + self.shortcut(x)


class ResNet(nn.Module):
    """Pre-activation, three convolutions a unit."""

    def __init__(self, blocks, width=16):
        super().__init__()
        layers, channels = [nn.Conv2d(3, width, 3, padding=1)], width
        for stage, count in enumerate(blocks):
            out = width * 4 * 2 ** stage
            for i in range(count):
                layers.append(ResNetUnit(channels, out, 2 if i == 0 and stage > 0 else 1))
                channels = out
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(channels, 10)

    def forward(self, x):
        return self.head(self.features(x).mean((2, 3)))


class DenseNet(nn.Module):
    def __init__(self, blocks, growth=12):
        super().__init__()
        self.stem = nn.Conv2d(3, 2 * growth, 3, padding=1)
        self.blocks, self.transitions, channels = nn.ModuleList(), nn.ModuleList(), 2 * growth
        for count in blocks:
            block = nn.ModuleList()
            for _ in range(count):
                block.append(nn.Sequential(
                    nn.BatchNorm2d(channels), nn.ReLU(), nn.Conv2d(channels, 4 * growth, 1),
                    nn.BatchNorm2d(4 * growth), nn.ReLU(),
                    nn.Conv2d(4 * growth, growth, 3, padding=1)))
                channels += growth
            self.blocks.append(block)
            self.transitions.append(nn.Sequential(
                nn.BatchNorm2d(channels), nn.ReLU(), nn.Conv2d(channels, channels // 2, 1),
                nn.AvgPool2d(2)))
            channels //= 2
        self.head = nn.Linear(channels, 10)

    def forward(self, x):
        x = self.stem(x)
        for block, transition in zip(self.blocks, self.transitions):
            for layer in block:
                x = torch.cat([x, layer(x)], 1)
            x = transition(x)
        return self.head(x.mean((2, 3)))


class MBConv(nn.Module):
    def __init__(self, channels, out, kernel, stride, expand):
        super().__init__()
        middle = channels * expand
        self.expand = nn.Sequential(nn.Conv2d(channels, middle, 1, bias=False),
                                    nn.BatchNorm2d(middle), nn.SiLU())
        self.depthwise = nn.Sequential(
            nn.Conv2d(middle, middle, kernel, stride, kernel // 2, groups=middle, bias=False),
            nn.BatchNorm2d(middle), nn.SiLU())
        self.squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(middle, max(channels // 4, 1), 1),
                                     nn.SiLU(), nn.Conv2d(max(channels // 4, 1), middle, 1),
                                     nn.Sigmoid())
        self.project = nn.Sequential(nn.Conv2d(middle, out, 1, bias=False), nn.BatchNorm2d(out))
        self.residual = channels == out and stride == 1

    def forward(self, x):
        h = self.depthwise(self.expand(x))
        h = self.project(h * self.squeeze(h))
        return x + h if self.residual else h


class EfficientNet(nn.Module):
    """The block counts of B7."""

    def __init__(self):
        super().__init__()
        layers, channels = [nn.Conv2d(3, 8, 3, 2, 1), nn.SiLU()], 8
        for out, count, kernel, stride in [(8, 4, 3, 1), (12, 7, 3, 2), (16, 7, 5, 2),
                                           (24, 10, 3, 2), (32, 10, 5, 1), (48, 13, 5, 2),
                                           (64, 4, 3, 1)]:
            for i in range(count):
                layers.append(MBConv(channels, out, kernel, stride if i == 0 else 1, 4))
                channels = out
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(channels, 10)

    def forward(self, x):
        return self.head(self.features(x).mean((2, 3)))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key = nn.Linear(width, width), nn.Linear(width, width)
        self.value, self.out = nn.Linear(width, width), nn.Linear(width, width)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, x, memory=None, bias=None):
        memory = x if memory is None else memory
        q, k, v = self.split(self.query(x)), self.split(self.key(memory)), self.split(self.value(memory))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
        if bias is not None:
            scores = scores + bias
        h = (scores.softmax(-1) @ v).transpose(1, 2).contiguous()
        return self.out(h.view(h.size(0), h.size(1), -1))


class Layer(nn.Module):
    """Of a transformer; with `cross` it also looks at a memory."""

    def __init__(self, width, heads, cross=False):
        super().__init__()
        self.attention = Attention(width, heads)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.cross = Attention(width, heads) if cross else None
        self.norm3 = nn.LayerNorm(width) if cross else None

    def forward(self, x, bias=None, memory=None):
        x = x + self.attention(self.norm1(x), bias=bias)
        if self.cross is not None:
            x = x + self.cross(self.norm3(x), memory)
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, layers=24, width=64):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 16, 16)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.position = nn.Parameter(torch.zeros(1, 197, width))
        self.layers = nn.ModuleList(Layer(width, 4) for _ in range(layers))
        self.head = nn.Linear(width, 1000)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.size(0), -1, -1), x], 1) + self.position
        for layer in self.layers:
            x = layer(x)
        return self.head(x[:, 0])


class Bert(nn.Module):
    def __init__(self, layers=24, width=64):
        super().__init__()
        self.words, self.positions = nn.Embedding(3000, width), nn.Embedding(512, width)
        self.types, self.norm = nn.Embedding(2, width), nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer(width, 4) for _ in range(layers))

    def forward(self, ids, mask, types):
        positions = torch.arange(ids.size(1)).unsqueeze(0)
        x = self.norm(self.words(ids) + self.positions(positions) + self.types(types))
        bias = (1.0 - mask[:, None, None, :].float()) * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        return x


class Gpt(nn.Module):
    def __init__(self, layers=24, width=64):
        super().__init__()
        self.words, self.positions = nn.Embedding(3000, width), nn.Embedding(256, width)
        self.layers = nn.ModuleList(Layer(width, 4) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.register_buffer("causal", torch.tril(torch.ones(1, 1, 256, 256)))

    def forward(self, ids):
        length = ids.size(1)
        x = self.words(ids) + self.positions(torch.arange(length))
        bias = (1 - self.causal[:, :, :length, :length]) * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        return self.norm(x) @ self.words.weight.t()


class T5(nn.Module):
    def __init__(self, layers=12, width=64):
        super().__init__()
        self.words = nn.Embedding(3000, width)
        self.relative = nn.Embedding(32, 4)
        self.encoder = nn.ModuleList(Layer(width, 4) for _ in range(layers))
        self.decoder = nn.ModuleList(Layer(width, 4, cross=True) for _ in range(layers))
        self.head = nn.Linear(width, 3000, bias=False)

    def bias(self, length):
        steps = torch.arange(length)
        return self.relative((steps[None] - steps[:, None]).abs().clamp(max=31)).permute(2, 0, 1)[None]

    def forward(self, source, target):
        memory = self.words(source)
        bias = self.bias(source.size(1))
        for layer in self.encoder:
            memory = layer(memory, bias)
        x = self.words(target)
        bias = self.bias(target.size(1))
        for layer in self.decoder:
            x = layer(x, bias, memory)
        return self.head(x)


class UnrolledLstm(nn.Module):
    def __init__(self, steps=40, layers=2, width=32):
        super().__init__()
        self.steps, self.width = steps, width
        self.words = nn.Embedding(1000, width)
        self.gates = nn.ModuleList(nn.Linear(2 * width, 4 * width) for _ in range(layers))
        self.head = nn.Linear(width, 1000)

    def forward(self, ids):
        x = self.words(ids)
        h = [torch.zeros(x.size(0), self.width) for _ in self.gates]
        c = [torch.zeros(x.size(0), self.width) for _ in self.gates]
        outputs = []
        for step in range(self.steps):
            value = x[:, step]
            for k, gates in enumerate(self.gates):
                i, f, g, o = gates(torch.cat([value, h[k]], 1)).chunk(4, 1)
                c[k] = f.sigmoid() * c[k] + i.sigmoid() * g.tanh()
                h[k] = value = o.sigmoid() * c[k].tanh()
            outputs.append(self.head(value))
        return torch.stack(outputs, 1)


class UnrolledSeq2seq(nn.Module):
    """GRU encoder and decoder with additive attention, written out step by step."""

    def __init__(self, steps=24, width=32):
        super().__init__()
        self.steps, self.width = steps, width
        self.words = nn.Embedding(1000, width)
        self.encode, self.decode = nn.Linear(2 * width, 3 * width), nn.Linear(3 * width, 3 * width)
        self.query, self.key = nn.Linear(width, width), nn.Linear(width, width)
        self.score, self.head = nn.Linear(width, 1), nn.Linear(width, 1000)

    def cell(self, gates, x, h):
        r, z, n = gates(torch.cat([x, h], 1)).chunk(3, 1)
        z = z.sigmoid()
        return (1 - z) * (n * r.sigmoid()).tanh() + z * h

    def forward(self, source, target):
        x, y = self.words(source), self.words(target)
        h = torch.zeros(x.size(0), self.width)
        memory = []
        for step in range(self.steps):
            h = self.cell(self.encode, x[:, step], h)
            memory.append(h)
        memory = torch.stack(memory, 1)
        keys, outputs = self.key(memory), []
        for step in range(self.steps):
            weights = self.score((keys + self.query(h)[:, None]).tanh()).softmax(1)
            context = (weights * memory).sum(1)
            h = self.cell(self.decode, torch.cat([y[:, step], context], 1), h)
            outputs.append(self.head(h))
        return torch.stack(outputs, 1)


class Suppress(torch.autograd.Function):
    @staticmethod
    def forward(ctx, boxes, scores):
        return torch.zeros(5, 3, dtype=torch.int64)

    @staticmethod
    def symbolic(g, boxes, scores):
        most = g.op("Constant", value_t=torch.tensor([100]))
        iou = g.op("Constant", value_t=torch.tensor([0.5]))
        return g.op("NonMaxSuppression", boxes, scores, most, iou)


class Detector(nn.Module):
    """A deep backbone, a feature pyramid, heads on five levels, anchors and suppression."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, 2, 1)
        stages, channels = [], 16
        for out, count in [(32, 8), (48, 16), (64, 60), (96, 8)]:
            units = []
            for i in range(count):
                units.append(ResNetUnit(channels, out, 2 if i == 0 else 1))
                channels = out
            stages.append(nn.Sequential(*units))
        self.stages = nn.ModuleList(stages)
        self.lateral = nn.ModuleList(nn.Conv2d(c, 32, 1) for c in (32, 48, 64, 96))
        self.classes = nn.Sequential(*[m for _ in range(4) for m in (nn.Conv2d(32, 32, 3, 1, 1), nn.ReLU())],
                                     nn.Conv2d(32, 9 * 8, 3, 1, 1))
        self.boxes = nn.Sequential(*[m for _ in range(4) for m in (nn.Conv2d(32, 32, 3, 1, 1), nn.ReLU())],
                                   nn.Conv2d(32, 9 * 4, 3, 1, 1))

    def forward(self, image):
        x, features = self.stem(image), []
        for stage in self.stages:
            x = stage(x)
            features.append(x)
        merged, levels = None, []
        for feature, lateral in zip(features[::-1], list(self.lateral)[::-1]):
            side = lateral(feature)
            if merged is not None:
                side = side + F.interpolate(merged, size=side.shape[-2:], mode="nearest")
            merged = side
            levels.append(merged)
        scores, boxes = [], []
        for level in levels:
            scores.append(self.classes(level).permute(0, 2, 3, 1).reshape(level.size(0), -1, 8))
            height, width = level.shape[-2:]
            grid = torch.stack([torch.arange(height)[:, None].expand(height, width),
                                torch.arange(width)[None].expand(height, width)], -1).float()
            centre = grid.reshape(1, -1, 1, 2).expand(level.size(0), -1, 9, 2)
            delta = self.boxes(level).permute(0, 2, 3, 1).reshape(level.size(0), -1, 9, 4)
            corner = centre + delta[..., :2]
            boxes.append(torch.cat([corner, corner + delta[..., 2:].exp()], -1).reshape(level.size(0), -1, 4))
        scores, boxes = torch.cat(scores, 1).sigmoid(), torch.cat(boxes, 1)
        chosen = Suppress.apply(boxes, scores.transpose(1, 2))
        return chosen, boxes[0].index_select(0, chosen[:, 2])


class WaveNet(nn.Module):
    def __init__(self, stacks=10, layers=10, width=16):
        super().__init__()
        self.stem = nn.Conv1d(1, width, 1)
        self.filters, self.gates = nn.ModuleList(), nn.ModuleList()
        self.residuals, self.skips, self.dilations = nn.ModuleList(), nn.ModuleList(), []
        for _ in range(stacks):
            for k in range(layers):
                self.dilations.append(2 ** k)
                self.filters.append(nn.Conv1d(width, width, 2, dilation=2 ** k))
                self.gates.append(nn.Conv1d(width, width, 2, dilation=2 ** k))
                self.residuals.append(nn.Conv1d(width, width, 1))
                self.skips.append(nn.Conv1d(width, width, 1))
        self.head = nn.Sequential(nn.ReLU(), nn.Conv1d(width, 256, 1))

    def forward(self, x):
        x, total = self.stem(x), 0
        for k, dilation in enumerate(self.dilations):
            padded = F.pad(x, (dilation, 0))
            h = self.filters[k](padded).tanh() * self.gates[k](padded).sigmoid()
            total = total + self.skips[k](h)
            x = x + self.residuals[k](h)
        return self.head(total)


class Conformer(nn.Module):
    def __init__(self, layers=16, width=64):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 3, 2), nn.ReLU(), nn.Conv2d(8, 8, 3, 2), nn.ReLU())
        self.project = nn.Linear(8 * 19, width)
        self.layers = nn.ModuleList()
        for _ in range(layers):
            self.layers.append(nn.ModuleDict({
                "first": nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(),
                                       nn.Linear(4 * width, width)),
                "norm": nn.LayerNorm(width), "attention": Attention(width, 4),
                "conv_norm": nn.LayerNorm(width),
                "conv": nn.Sequential(nn.Conv1d(width, 2 * width, 1), nn.GLU(1),
                                      nn.Conv1d(width, width, 15, padding=7, groups=width),
                                      nn.BatchNorm1d(width), nn.SiLU(), nn.Conv1d(width, width, 1)),
                "second": nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(),
                                        nn.Linear(4 * width, width)),
                "last": nn.LayerNorm(width)}))

    def forward(self, x):
        x = self.stem(x.unsqueeze(1))
        x = self.project(x.transpose(1, 2).reshape(x.size(0), x.size(2), -1))
        for layer in self.layers:
            x = x + 0.5 * layer["first"](x)
            x = x + layer["attention"](layer["norm"](x))
            x = x + layer["conv"](layer["conv_norm"](x).transpose(1, 2)).transpose(1, 2)
            x = layer["last"](x + 0.5 * layer["second"](x))
        return x


class DiffusionUnit(nn.Module):
    def __init__(self, channels, out):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(4, channels), nn.GroupNorm(4, out)
        self.conv1, self.conv2 = nn.Conv2d(channels, out, 3, 1, 1), nn.Conv2d(out, out, 3, 1, 1)
        self.time, self.skip = nn.Linear(32, out), nn.Conv2d(channels, out, 1)
        self.attention, self.norm3 = Attention(out, 4), nn.LayerNorm(out)

    def forward(self, x, time):
        h = self.conv1(F.silu(self.norm1(x))) + self.time(F.silu(time))[:, :, None, None]
        h = self.skip(x) + self.conv2(F.silu(self.norm2(h)))
        flat = h.flatten(2).transpose(1, 2)
        return (flat + self.attention(self.norm3(flat))).transpose(1, 2).reshape(h.shape)


class DiffusionUnet(nn.Module):
    def __init__(self, widths=(16, 32, 48, 64), units=2):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(16, 32), nn.SiLU(), nn.Linear(32, 32))
        self.stem = nn.Conv2d(4, 16, 3, 1, 1)
        self.down, self.up, channels, kept = nn.ModuleList(), nn.ModuleList(), 16, []
        for width in widths:
            for _ in range(units):
                self.down.append(DiffusionUnit(channels, width))
                kept.append(width)
                channels = width
        for width in widths[::-1]:
            for _ in range(units):
                self.up.append(DiffusionUnit(channels + kept.pop(), width))
                channels = width
        self.units, self.head = units, nn.Conv2d(channels, 4, 3, 1, 1)

    def forward(self, x, step):
        angles = step[:, None].float() * torch.exp(-torch.arange(8) / 8.0)
        time = self.time(torch.cat([angles.sin(), angles.cos()], 1))
        x, kept = self.stem(x), []
        for k, unit in enumerate(self.down):
            x = unit(x, time)
            kept.append(x)
            if k % self.units == self.units - 1 and k + 1 < len(self.down):
                x = F.avg_pool2d(x, 2)
        for k, unit in enumerate(self.up):
            x = unit(torch.cat([x, kept.pop()], 1), time)
            if k % self.units == self.units - 1 and k + 1 < len(self.up):
                x = F.interpolate(x, scale_factor=2.0, mode="nearest")
        return self.head(x)


class Swin(nn.Module):
    """Windows of 7 by 7, every other layer shifted."""

    def __init__(self, layers=(2, 2, 18, 2), width=16):
        super().__init__()
        self.patch, self.layers, self.merge = nn.Conv2d(3, width, 4, 4), nn.ModuleList(), nn.ModuleList()
        for count in layers:
            self.layers.append(nn.ModuleList(Layer(width, 4) for _ in range(count)))
            self.merge.append(nn.Linear(4 * width, 2 * width))
            width *= 2
        self.head = nn.Linear(width, 1000)

    def forward(self, x):
        x = self.patch(x).permute(0, 2, 3, 1)
        for stage, merge in zip(self.layers, self.merge):
            for k, layer in enumerate(stage):
                if k % 2:
                    x = torch.roll(x, (-3, -3), (1, 2))
                b, h, w, c = x.shape
                tiles = x.view(b, h // 7, 7, w // 7, 7, c).permute(0, 1, 3, 2, 4, 5)
                tiles = layer(tiles.reshape(-1, 49, c)).view(b, h // 7, w // 7, 7, 7, c)
                x = tiles.permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)
                if k % 2:
                    x = torch.roll(x, (3, 3), (1, 2))
            if x.shape[1] > 7:
                x = merge(torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1))
            else:
                x = torch.cat([x, x], -1)
        return self.head(x.mean((1, 2)))


class Scripted(nn.Module):
    """A loop and a branch that stay in the file."""

    def __init__(self):
        super().__init__()
        self.cell, self.other = nn.Linear(32, 16), nn.Linear(16, 16)

    def forward(self, x, h):
        for step in range(x.size(1)):
            h = torch.tanh(self.cell(torch.cat([x[:, step], h], 1)))
            if bool(h.sum() > 0):
                h = self.other(h)
            else:
                h = h * 2
        return h
