"""Makes film/: ten frames, and what Transformers sees of them as a video through two of the goldens.
Needs torch, torchvision, safetensors and transformers 5.18.

    python3 film.py GOLDEN/hf OUT
"""
import json
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from safetensors.torch import save_file
from transformers import AutoModelForImageTextToText
from transformers.models.qwen3_vl.processing_qwen3_vl import Qwen3VLProcessor
from transformers.models.qwen3_vl.video_processing_qwen3_vl import Qwen3VLVideoProcessor
from transformers.video_utils import VideoMetadata

FROM, OUT = Path(sys.argv[1]), Path(sys.argv[2])
WIDTH, HEIGHT, FRAMES, FPS = 52, 40, 10, 4
SIZE = {"shortest_edge": 256, "longest_edge": 8192}
GREEDY = 12
FIRST_BYTE = 3


def frames():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    for i in range(FRAMES):
        frame = np.stack([127 + 120 * np.sin(x / 7 + i * 0.5), 127 + 120 * np.cos(y / 5 - i * 0.3),
                          (x * 3 + y * 2 + i * 25) % 256], -1)
        frame[5 + i:15 + i, 10 + 2 * i:20 + 2 * i] = [250, 30, 20]
        yield Image.fromarray(frame.clip(0, 255).astype(np.uint8))


def together(features):
    return (torch.cat(list(features)) if isinstance(features, (tuple, list)) else features).contiguous()


OUT.mkdir(parents=True, exist_ok=True)
pictures = list(frames())
for i, picture in enumerate(pictures):
    picture.save(OUT / f"frame{i:02d}.png")
processor = Qwen3VLVideoProcessor(patch_size=8, temporal_patch_size=2, merge_size=2, size=SIZE,
                                  image_mean=[0.5] * 3, image_std=[0.5] * 3)
video = torch.from_numpy(np.stack([np.asarray(p) for p in pictures])).permute(0, 3, 1, 2)
made = processor(videos=[video], return_tensors="pt", return_metadata=True,
                 video_metadata=[VideoMetadata(total_num_frames=FRAMES, fps=float(FPS), duration=FRAMES / FPS)])
pixels, grid = made["pixel_values_videos"], made["video_grid_thw"]
taken = [int(i) for i in made["video_metadata"][0].frames_indices]
times = Qwen3VLProcessor._calculate_timestamps(None, list(taken), float(FPS), 2)
texts = [f"<{time:.1f} seconds>" for time in times]
rows = int(grid[0, 1] * grid[0, 2]) // 4
for family in ("qwen3-vl", "qwen35-vl"):
    model = AutoModelForImageTextToText.from_pretrained(FROM / family, dtype=torch.float32,
                                                        attn_implementation="eager").eval()
    config = model.config
    prompt, types = [5, 9], [0, 0]
    for text in texts:
        said = [FIRST_BYTE + byte for byte in text.encode()] + [config.vision_start_token_id]
        prompt += said + [config.video_token_id] * rows + [config.vision_end_token_id]
        types += [0] * len(said) + [2] * rows + [0]
    prompt, types = prompt + [40, 41, 7], types + [0] * 3

    def logits(ids):
        kinds = torch.tensor([types + [0] * (len(ids) - len(types))])
        return model(input_ids=torch.tensor([ids]), pixel_values_videos=pixels, video_grid_thw=grid,
                     mm_token_type_ids=kinds, use_cache=False).logits[0]

    with torch.no_grad():
        seen = model.model.get_video_features(pixels, grid)
        arrays = {"features": together(seen.pooler_output), "logits": logits(prompt)[-3:].contiguous()}
        for i, deep in enumerate(getattr(seen, "deepstack_features", None) or []):
            arrays[f"deepstack.{i}"] = together(deep)
        ids, margins = list(prompt), []
        for _ in range(GREEDY):
            best = logits(ids)[-1].topk(2)
            ids.append(int(best.indices[0]))
            margins.append(round(float(best.values[0] - best.values[1]), 6))
    save_file(arrays, OUT / f"{family}.safetensors")
    (OUT / f"{family}.json").write_text(json.dumps({
        "family": family, "transformers": "5.18.0", "frames": FRAMES, "fps": FPS, "size": SIZE, "indices": taken,
        "texts": texts, "grid_thw": grid.tolist(), "prompt": prompt, "greedy": ids[len(prompt):], "margins": margins}))
