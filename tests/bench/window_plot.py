#!/usr/bin/env python3
"""Plots how much snow a run had in the simulation, how much had left it, and its peak of memory, over time, as an SVG.

usage:       window_plot.py CACHE/stats.jsonl > plot.svg
for example: window_plot.py out/snowplow/stats.jsonl > docs/window.svg
"""
import json
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 300, 70, 70, 44, 44
LINES = (  # key of stats.jsonl, its unit, the axis, colour, label
    ("particles", 1e3, "left", "#1f5fa8", "particles in the simulation"),
    ("frozen", 1e3, "left", "#8a8f98", "particles that have left it"),
    ("peak_rss_bytes", 1e6, "right", "#c2410c", "peak of memory"),
)


def round_up(value):
    """The next number of the form 1, 2, 4, 5 or 8 times a power of ten."""
    power = 10 ** (len(str(int(value))) - 1)
    return next(step * power for step in (1, 2, 4, 5, 8, 10) if step * power >= value)


def text(x, y, content, anchor="middle", colour="#333"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">{content}</text>'


def axes(end_s, tops):
    parts = []
    for k in range(5):
        y = HEIGHT - BOTTOM - k / 4 * (HEIGHT - TOP - BOTTOM)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, y + 4, f"{tops['left'] * k / 4:g}", "end"))
        parts.append(text(WIDTH - RIGHT + 8, y + 4, f"{tops['right'] * k / 4:g}", "start", LINES[2][3]))
    for k in range(int(end_s) + 1):
        parts.append(text(LEFT + k / end_s * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM + 18, f"{k} s"))
    parts.append(text(LEFT - 8, TOP - 12, "thousand", "end"))
    parts.append(text(WIDTH - RIGHT + 8, TOP - 12, "MB", "start", LINES[2][3]))
    return parts


def main():
    with open(sys.argv[1], encoding="utf-8") as stats:
        frames = [json.loads(line) for line in stats]
    end_s = frames[-1]["time_s"]
    tops = {side: round_up(max(frame[key] / unit for key, unit, on, *_ in LINES if on == side for frame in frames))
            for side in ("left", "right")}
    parts = axes(end_s, tops)
    for number, (key, unit, side, colour, label) in enumerate(LINES):
        points = [(LEFT + frame["time_s"] / end_s * (WIDTH - LEFT - RIGHT),
                   HEIGHT - BOTTOM - frame[key] / unit / tops[side] * (HEIGHT - TOP - BOTTOM)) for frame in frames]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(text(LEFT + 10 + number * 215, 16, "— " + label, "start", colour))
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
          'font-size="12">\n<rect width="100%" height="100%" fill="white"/>')
    print("\n".join(parts))
    print("</svg>")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
