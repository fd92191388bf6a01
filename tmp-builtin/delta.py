"""The gated delta rule for training: chunks of 64 tokens, matrix products inside a chunk, a scan over the chunks.

The state of one head is a matrix S (key x value). A token with key k, value v, decay a and rate b changes it to
a*S + b*k*(v - a*S'k)'. Inside a chunk the tokens' corrections depend on each other through a unit lower triangular
system; its inverse turns the chunk into matrix products, and only S travels from chunk to chunk.
"""

import torch
import torch.nn.functional as F

try:
    import triton
    import triton.language as tl
except ImportError:  # a machine without a GPU: the plain scan below serves
    triton = None

CHUNK = 64


def unit_lower_inverse(a):
    """(I + A)^-1 for strictly lower A [..., 64, 64]: four 16-blocks by a short product, then two merges.

    Powers of A grow fast in a long chunk (keys that repeat make every entry near 1), so the product stops at 16
    rows, where float32 still holds them exactly enough, and blocks are merged by substitution.
    """
    n = a.shape[-1]
    width = 16
    blocks = a.reshape(*a.shape[:-2], n // width, width, n // width, width)
    diagonal = torch.stack([blocks[..., i, :, i, :] for i in range(n // width)], dim=-3)
    eye = torch.eye(width, dtype=a.dtype, device=a.device)
    power = -diagonal
    inverse = eye + power
    for _ in range(3):
        power = power @ power
        inverse = inverse + inverse @ power
    while width < n:
        pairs = inverse.shape[-3] // 2
        upper, lower = inverse[..., 0::2, :, :], inverse[..., 1::2, :, :]
        below = torch.stack(
            [
                a[..., (2 * i + 1) * width : (2 * i + 2) * width, 2 * i * width : (2 * i + 1) * width]
                for i in range(pairs)
            ],
            dim=-3,
        )
        corner = -(lower @ below @ upper)
        top = torch.cat([upper, torch.zeros_like(upper)], dim=-1)
        inverse = torch.cat([top, torch.cat([corner, lower], dim=-1)], dim=-2)
        width *= 2
    return inverse[..., 0, :, :]


class _UnitLowerInverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        inverse = unit_lower_inverse(a)
        ctx.save_for_backward(inverse)
        return inverse

    @staticmethod
    def backward(ctx, grad):
        (inverse,) = ctx.saved_tensors
        transposed = inverse.transpose(-1, -2)
        return -(transposed @ grad @ transposed).tril(-1)


def scan_forward(u, w, k, decay):
    """S entering each chunk and the corrected values of each chunk; all inputs [heads, chunks, 64, width]."""
    heads, chunks, _, value_width = u.shape
    state = u.new_zeros(heads, k.shape[-1], value_width)
    states, values = [], []
    for i in range(chunks):
        value = u[:, i] - w[:, i] @ state
        states.append(state)
        values.append(value)
        state = decay[:, i, None, None] * state + k[:, i].transpose(-1, -2) @ value
    return torch.stack(states, 1), torch.stack(values, 1)


def scan_backward(w, k, decay, grad_states, grad_values):
    """The gradient of the state leaving each chunk, and of each chunk's corrected values."""
    heads, chunks, _, value_width = grad_values.shape
    carried = w.new_zeros(heads, k.shape[-1], value_width)
    leaving, values = [None] * chunks, [None] * chunks
    for i in reversed(range(chunks)):
        leaving[i] = carried
        value = grad_values[:, i] + k[:, i] @ carried
        values[i] = value
        carried = decay[:, i, None, None] * carried + grad_states[:, i] - w[:, i].transpose(-1, -2) @ value
    return torch.stack(leaving, 1), torch.stack(values, 1)


if triton is not None:

    @triton.jit
    def _forward_kernel(u, w, k, decay, states, values, chunks, C: tl.constexpr, K: tl.constexpr, V: tl.constexpr):
        head = tl.program_id(0)
        rows, keys, cols = tl.arange(0, C), tl.arange(0, K), tl.arange(0, V)
        state = tl.zeros((K, V), dtype=tl.float32)
        for i in range(chunks):
            chunk = head * chunks + i
            at_value = chunk * C * V + rows[:, None] * V + cols[None, :]
            at_key = chunk * C * K + rows[:, None] * K + keys[None, :]
            tl.store(states + chunk * K * V + keys[:, None] * V + cols[None, :], state)
            value = tl.load(u + at_value) - tl.dot(tl.load(w + at_key), state, input_precision="tf32")
            tl.store(values + at_value, value)
            written = tl.dot(tl.trans(tl.load(k + at_key)), value, input_precision="tf32")
            state = tl.load(decay + chunk) * state + written

    @triton.jit
    def _backward_kernel(
        w, k, decay, grad_states, grad_values, leaving, values, chunks, C: tl.constexpr, K: tl.constexpr, V: tl.constexpr
    ):
        head = tl.program_id(0)
        rows, keys, cols = tl.arange(0, C), tl.arange(0, K), tl.arange(0, V)
        carried = tl.zeros((K, V), dtype=tl.float32)
        for step in range(chunks):
            chunk = head * chunks + chunks - 1 - step
            at_value = chunk * C * V + rows[:, None] * V + cols[None, :]
            at_key = chunk * C * K + rows[:, None] * K + keys[None, :]
            at_state = chunk * K * V + keys[:, None] * V + cols[None, :]
            tl.store(leaving + at_state, carried)
            value = tl.load(grad_values + at_value) + tl.dot(tl.load(k + at_key), carried, input_precision="tf32")
            tl.store(values + at_value, value)
            read = tl.dot(tl.trans(tl.load(w + at_key)), value, input_precision="tf32")
            carried = tl.load(decay + chunk) * carried + tl.load(grad_states + at_state) - read


@torch.library.custom_op("weft::delta_scan", mutates_args=())
def _scan(u: torch.Tensor, w: torch.Tensor, k: torch.Tensor, decay: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    if not u.is_cuda:
        return scan_forward(u, w, k, decay)
    heads, chunks, size, value_width = u.shape
    key_width = k.shape[-1]
    states = u.new_empty(heads, chunks, key_width, value_width)
    values = torch.empty_like(u, memory_format=torch.contiguous_format)
    _forward_kernel[(heads,)](
        u.contiguous(), w.contiguous(), k.contiguous(), decay.contiguous(), states, values, chunks,
        size, key_width, value_width, num_warps=4, num_stages=2,
    )  # fmt: skip
    return states, values


@_scan.register_fake
def _(u, w, k, decay):
    return u.new_empty(u.shape[0], u.shape[1], k.shape[-1], u.shape[-1]), u.new_empty(u.shape)


@torch.library.custom_op("weft::delta_scan_grad", mutates_args=())
def _scan_grad(
    w: torch.Tensor, k: torch.Tensor, decay: torch.Tensor, grad_states: torch.Tensor, grad_values: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    if not w.is_cuda:
        return scan_backward(w, k, decay, grad_states, grad_values)
    heads, chunks, size, value_width = grad_values.shape
    key_width = k.shape[-1]
    leaving = w.new_empty(heads, chunks, key_width, value_width)
    values = w.new_empty(grad_values.shape)
    _backward_kernel[(heads,)](
        w.contiguous(), k.contiguous(), decay.contiguous(), grad_states.contiguous(), grad_values.contiguous(),
        leaving, values, chunks, size, key_width, value_width, num_warps=4, num_stages=2,
    )  # fmt: skip
    return leaving, values


@_scan_grad.register_fake
def _(w, k, decay, grad_states, grad_values):
    return w.new_empty(grad_states.shape), w.new_empty(grad_values.shape)


def _scan_setup(ctx, inputs, output):
    _, w, k, decay = inputs
    ctx.save_for_backward(w, k, decay, *output)


def _scan_autograd(ctx, grad_states, grad_values):
    w, k, decay, states, values = ctx.saved_tensors
    leaving, grad_u = _scan_grad(w, k, decay, grad_states, grad_values)
    grad_w = -(grad_u @ states.transpose(-1, -2))
    grad_k = values @ leaving.transpose(-1, -2)
    grad_decay = (states * leaving).sum((-1, -2))
    return grad_u, grad_w, grad_k, grad_decay


torch.library.register_autograd("weft::delta_scan", _scan_autograd, setup_context=_scan_setup)


def gated_delta_rule(query, key, value, log_decay, rate):
    """query, key [batch, tokens, heads, K], value [.., V], log_decay and rate [batch, tokens, heads]; float32.

    The caller has normalised query and key; tokens are padded here to whole chunks.
    """
    batch, tokens, heads, _ = key.shape
    padding = -tokens % CHUNK

    def chunked(x):
        x = x.transpose(1, 2)
        x = F.pad(x, (0, 0, 0, padding)) if padding else x
        return x.reshape(batch * heads, -1, CHUNK, x.shape[-1])

    query, key, value = chunked(query * query.shape[-1] ** -0.5), chunked(key), chunked(value)
    rate, log_decay = chunked(rate[..., None]), chunked(log_decay[..., None])[..., 0]
    sums = log_decay.cumsum(-1)
    between = sums[..., :, None] - sums[..., None, :]
    causal = torch.ones(CHUNK, CHUNK, dtype=torch.bool, device=key.device).tril()
    between = between.masked_fill(~causal, float("-inf")).exp()
    keys_transposed = key.transpose(-1, -2)
    system = (rate * key @ keys_transposed * between).tril(-1)
    inverse = _UnitLowerInverse.apply(system)
    from_start = sums.exp()[..., None]
    u = inverse @ (rate * value)
    w = inverse @ (rate * key * from_start)
    to_end = (sums[..., -1:] - sums).exp()[..., None]
    states, values = _scan(u, w, key * to_end, sums[..., -1].exp())
    inside = query @ keys_transposed * between
    out = (query * from_start) @ states + inside @ values
    out = out.reshape(batch, heads, -1, out.shape[-1])[:, :, :tokens]
    return out.transpose(1, 2)
