#!/usr/bin/env python3
"""Rows per second of the embedding part of a step, beside FBGEMM's table-batched embeddings on the CPU.

usage: PYTHON fbgemm_embedding.py [--build FOLDER] [--batches 2048,16384] [--threads 1,2] [--rounds N] [--seconds S] [--json]

PYTHON is one that has numpy, torch and fbgemm-gpu-cpu: 1.9.0 of the latter loads with torch 2.14.1. Both sides take the
same samples in the same minutes, in turns: the ids of inputs/dlrm-criteo.yaml (inputs/README.md, "Synthetic samples"), rows of
16 numbers in fp32, exact row-wise Adagrad. Medians of the rounds.

  forward    ids of a batch to the network's input (batch, 26 * 16); ours through its hash index, FBGEMM's by row number
  training   forward, gradients back to the rows, those of a repeated row added up, update

FBGEMM's tables have all 33.8 million rows from the start; ours have the 1.6 million that the samples name.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

try:
    import numpy as np
    import torch
    from fbgemm_gpu.split_embedding_configs import EmbOptimType, SparseType
    from fbgemm_gpu.split_table_batched_embeddings_ops_common import EmbeddingLocation, PoolingMode
    from fbgemm_gpu.split_table_batched_embeddings_ops_training import ComputeDevice, SplitTableBatchedEmbeddingBagsCodegen
except (ImportError, OSError) as error:
    sys.exit(f"fbgemm_embedding: {error}\nrun it with a Python that has them: pip install numpy torch==2.14.1 fbgemm-gpu-cpu==1.9.0")

REPOSITORY = Path(__file__).resolve().parent.parent.parent
DIM = 16
SAMPLES = 1 << 20
SEED = 20240501
CARDINALITIES = [1460, 583, 10131227, 2202608, 305, 24, 12517, 633, 3, 93145, 5683, 8351593, 3194, 27, 14992, 5461306, 10, 5652,
                 2173, 4, 7046547, 18, 15, 286181, 105, 142572]
ODD_1, ODD_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


def mix(x):
    x = x + ODD_1
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return x ^ x >> np.uint64(31)


def uniform(stream, counters):
    base = mix(np.full(1, SEED + stream, dtype=np.uint64))
    return (mix(base + counters) >> np.uint64(11)).astype(np.float64) * 2.0 ** -53


def scatter(ranks, cardinality):
    """A bijection on [0, cardinality): rounds within the next power of two, again for those beyond."""
    bits = max(2, (cardinality - 1).bit_length())
    mask, shift = np.uint64((1 << bits) - 1), np.uint64(max(1, bits // 2))
    x = ranks.copy()
    again = np.arange(x.size)
    while again.size:
        y = x[again] * ODD_1 & mask
        y = (y ^ y >> shift) * ODD_2 & mask
        x[again] = y ^ y >> shift
        again = again[x[again] >= cardinality]
    return x


def ids_of_column(table):
    n = CARDINALITIES[table]
    u = uniform(1, np.arange(SAMPLES, dtype=np.uint64) * np.uint64(26) + np.uint64(table))
    a = 1 - 1.05
    ranks = np.floor((1 + u * ((n + 1) ** a - 1)) ** (1 / a)) - 1
    return scatter(np.minimum(ranks, n - 1).astype(np.uint64), n).astype(np.int64)


class Fbgemm:
    """The 26 tables as one module, and every batch's ids table by table."""

    def __init__(self, columns, batch):
        self.tables = SplitTableBatchedEmbeddingBagsCodegen(
            embedding_specs=[(n, DIM, EmbeddingLocation.HOST, ComputeDevice.CPU) for n in CARDINALITIES],
            optimizer=EmbOptimType.EXACT_ROWWISE_ADAGRAD, learning_rate=0.02, eps=1e-8, weights_precision=SparseType.FP32,
            output_dtype=SparseType.FP32, stochastic_rounding=False, pooling_mode=PoolingMode.SUM, device=torch.device("cpu"))
        self.tables.init_embedding_weights_uniform(-0.01, 0.01)
        self.batches = [torch.from_numpy(np.concatenate([column[begin:begin + batch] for column in columns]))
                        for begin in range(0, SAMPLES, batch)]
        self.offsets = torch.arange(len(columns) * batch + 1)
        self.gradient = torch.rand(batch, len(columns) * DIM) * 1e-3
        self.next = 0

    def ids(self):
        self.next = (self.next + 1) % len(self.batches)
        return self.batches[self.next]

    def forward(self):
        with torch.no_grad():
            self.tables(self.ids(), self.offsets)

    def training(self):
        self.tables(self.ids(), self.offsets).backward(self.gradient)

    def rows_per_s(self, what, seconds):
        step = getattr(self, what)
        for _ in range(3):
            step()
        steps, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            step()
            steps += 1
        return steps * self.batches[0].numel() / (time.perf_counter() - start)


def persia_rows_per_s(build, batch, threads):
    """By case: forward, training."""
    words = [str(build / "persia"), "bench", "embedding", str(REPOSITORY / "inputs" / "dlrm-criteo.yaml"), "--json", "--repeats", "1",
             "--threads", str(threads), "--set", f"training.batch_size={batch}"]
    lines = [json.loads(line) for line in subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()]
    return {line["case"].split()[1]: line["rows_per_s"] for line in lines}


def compare(arguments, columns, batch, threads):
    torch.set_num_threads(threads)
    peer = Fbgemm(columns, batch)
    rates = {what: ([], []) for what in ("forward", "training")}
    for _ in range(arguments.rounds):
        ours = persia_rows_per_s(arguments.build, batch, threads)
        for what, (own, other) in rates.items():
            own.append(ours[what])
            other.append(peer.rows_per_s(what, arguments.seconds))
    for what, (own, other) in rates.items():
        line = {"case": f"embedding {what} batch={batch}", "threads": threads, "rows_per_s": statistics.median(own),
                "fbgemm_rows_per_s": statistics.median(other), "ratio": statistics.median(own) / statistics.median(other)}
        print(json.dumps(line) if arguments.json else
              f"{line['case']:<32} {threads} threads  {line['rows_per_s'] / 1e6:6.1f} M rows/s, FBGEMM "
              f"{line['fbgemm_rows_per_s'] / 1e6:6.1f} M rows/s: {line['ratio']:.2f} times", flush=True)


def numbers(text):
    return [int(part) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=lambda text: Path(text).resolve(), default=REPOSITORY / "build")
    parser.add_argument("--batches", type=numbers, default=[2048, 16384])
    parser.add_argument("--threads", type=numbers, default=list(range(1, min(2, os.cpu_count() or 1) + 1)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    columns = [ids_of_column(table) for table in range(len(CARDINALITIES))]
    for batch in arguments.batches:
        for threads in arguments.threads:
            compare(arguments, columns, batch, threads)


if __name__ == "__main__":
    main()
