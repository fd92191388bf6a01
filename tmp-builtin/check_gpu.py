"""Compares the chunked delta rule on the GPU (tf32, Triton scan) with float64 on the CPU, outputs and gradients."""

import torch

from delta import gated_delta_rule

torch.manual_seed(0)
torch.set_float32_matmul_precision("high")
sizes = (4, 512, 4, 64)
query, key = (torch.nn.functional.normalize(torch.randn(sizes, dtype=torch.float64), dim=-1) for _ in range(2))
value, weights = torch.randn(sizes, dtype=torch.float64), torch.randn(sizes, dtype=torch.float64)
log_decay, rate = -torch.rand(sizes[:3], dtype=torch.float64), torch.rand(sizes[:3], dtype=torch.float64)


def outcome(device, dtype):
    inputs = [x.to(device, dtype).requires_grad_() for x in (query, key, value, log_decay, rate)]
    out = gated_delta_rule(*inputs)
    (out * weights.to(device, dtype)).sum().backward()
    return [out, *(x.grad for x in inputs)]


for name, ours, exact in zip(("output", "query", "key", "value", "decay", "rate"), outcome("cuda", torch.float32), outcome("cpu", torch.float64)):
    error = ((ours.cpu().double() - exact).norm() / exact.norm()).item()
    print(f"{name}: relative error {error:.1e}")
    assert error < 5e-3
