"""Rows of token ids for training: made by all cores while the GPU works, in an order that only the seed decides."""

import multiprocessing
import os
import random
import threading
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from corpus import conversations

TOKENIZER = Path(__file__).parent / "tokenizer" / "tokenizer.json"
LOOKAHEAD = 2  # the draft head predicts two tokens ahead
_CHARACTERS_PER_TOKEN = 4.6  # more than any document needs, so that rows are full
_AHEAD = 64  # arrays made before they are asked for; more would only take cores and memory from the training
_tokenizer = None


def _ready():
    global _tokenizer
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    _tokenizer = Tokenizer.from_file(str(TOKENIZER))


def _shard(job):
    seed, number, rows, length = job
    if _tokenizer is None:
        _ready()
    rng = random.Random(seed * 1_000_003 + number)
    pad = _tokenizer.token_to_id("<|endoftext|>")
    out = np.full((rows, length + LOOKAHEAD), pad, dtype=np.uint16)
    for row in out:
        ids = _tokenizer.encode(conversations.document(rng, int(length * _CHARACTERS_PER_TOKEN))).ids[: len(row)]
        row[: len(ids)] = ids
    return out


def batches(seed, schedule, workers):
    """Arrays [rows, length + 2], one for each (rows, length) of the schedule."""
    jobs = ((seed, number, rows, length) for number, (rows, length) in enumerate(schedule))
    if workers == 0:
        yield from map(_shard, jobs)
        return
    room, closed = threading.Semaphore(_AHEAD), threading.Event()

    def admitted():
        for job in jobs:
            room.acquire()
            if closed.is_set():
                return
            yield job

    with multiprocessing.get_context("fork").Pool(workers, initializer=_ready) as pool:
        try:
            for array in pool.imap(_shard, admitted()):
                room.release()
                yield array
        finally:
            closed.set()
            room.release()
