"""Draws the loss curve of a training.json as a small SVG: `plot.py TRAINING.json OUT.svg`."""

import json
import math
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 320, 56, 16, 24, 40
SERIES = (("next token", "#1f6feb"), ("draft head, two ahead", "#d1711a"))


def main(source, target):
    curve = json.loads(Path(source).read_text())["curve"]
    last = curve[-1][0]
    values = [value for point in curve for value in point[1:]]
    low, high = math.log10(min(values)), math.log10(max(values))

    def x(step):
        return LEFT + (WIDTH - LEFT - RIGHT) * step / last

    def y(loss):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log10(loss)) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for tick in (0.05, 0.1, 0.2, 0.5, 1, 2, 5):
        if low <= math.log10(tick) <= high:
            parts.append(f'<path d="M{LEFT} {y(tick):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for part in range(5):
        step = last * part // 4
        parts.append(f'<text x="{x(step):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{step}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle">training step</text>')
    for number, (label, color) in enumerate(SERIES, start=1):
        points = " ".join(f"{x(point[0]):.1f},{y(point[number]):.1f}" for point in curve)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        parts.append(f'<text x="{WIDTH - RIGHT - 8}" y="{TOP + 16 * number}" text-anchor="end" fill="{color}">{label}: {curve[-1][number]:.3f} at the end</text>')
    parts.append(f'<text x="{LEFT}" y="14">mean loss (nats a token, log scale)</text></svg>')
    Path(target).write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
