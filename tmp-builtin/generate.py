"""Prints generated training text: `generate.py [--seed 1] [--documents 5] [--characters 2000]`."""

import argparse
import random

from corpus import conversations


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", type=int, default=5)
    parser.add_argument("--characters", type=int, default=2000)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for _ in range(options.documents):
        print(conversations.document(rng, options.characters))


if __name__ == "__main__":
    main()
