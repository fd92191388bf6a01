"""Muon for the layers' matrices (momentum made orthogonal by Newton-Schulz steps), AdamW for everything else."""

import torch


@torch.compile(disable=not torch.cuda.is_available())
def _orthogonal(g):
    """Five Newton-Schulz steps on a stack of matrices [n, rows, columns]; singular values end near one."""
    x = g.bfloat16()
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.transpose(-1, -2)
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        gram = x @ x.transpose(-1, -2)
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    return x.transpose(-1, -2) if tall else x


class Muon:
    def __init__(self, parameters, rate, momentum=0.95, decay=0.01):
        self.groups = {}
        for parameter in parameters:
            self.groups.setdefault(parameter.shape, []).append(parameter)
        self.buffers = {shape: torch.zeros(len(group), *shape, device=group[0].device) for shape, group in self.groups.items()}
        self.rate, self.momentum, self.decay = rate, momentum, decay

    @torch.no_grad()
    def step(self, scale):
        rate = self.rate * scale
        for shape, group in self.groups.items():
            gradient = torch.stack([parameter.grad for parameter in group])
            buffer = self.buffers[shape]
            buffer.lerp_(gradient, 1 - self.momentum)
            update = _orthogonal(gradient.lerp(buffer, self.momentum)).float()
            factor = rate * max(1.0, shape[0] / shape[1]) ** 0.5
            torch._foreach_mul_(group, 1 - rate * self.decay)
            torch._foreach_add_(group, list(update.unbind()), alpha=-factor)


def split(model):
    """The parameters for Muon and those for AdamW: norms, gates, convolutions and the embedding go to the latter."""
    matrices, others = [], []
    for name, parameter in model.named_parameters():
        inner = parameter.dim() == 2 and min(parameter.shape) > 16 and "embed" not in name and "lm_head" not in name
        (matrices if inner else others).append(parameter)
    return matrices, others
