"""Random jobs, one after the other, until the time is over: every mix of ranks, modes, rings, delays and sizes.

usage: soak.py [--seconds N] [--seed N]

Each job is a pure function of the seed and its number, so `--seed S` repeats a campaign. What must hold: a job ends
with exit code 0; every training row is used; in sync mode the result is that of one process; otherwise the measured
staleness keeps to its bound. The first job that breaks one is printed whole, with its run file, and the exit code is 1.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

import harness

ROWS = 12000
JOB_TIMEOUT = 180


def choose(job):
    """Ranks and the sections of a run file."""
    owners, workers, trainers = job.randint(1, 4), job.choice([0, 0, 0, 1, 2]), job.randint(1, 4)
    mode = job.choice(["sync", "hybrid", "hybrid", "async"])
    training = {"mode": mode, "batch_size": job.choice([32, 200, 600, 2000]), "threads": 1, "max_steps": 40,
                "epochs": 1000, "optimizer": {"type": "sgd", "learning_rate": 0.05}}
    if mode != "sync":
        training["staleness"] = job.choice([0, 1, 4, 16, "auto"])
        if training["staleness"] in (4, 16) and workers == 0:
            training["reuse_steps"] = job.choice([0, 1, 3])
    mail = {"transport": job.choice(["rma", "rma", "two_sided"]),
            "ring_bytes": job.choice([4096, 4608, 16384, 1 << 20]), "checksums": job.random() < 0.8,
            "timeout_seconds": 60, "delay_ms": job.choice([0, 0, 0.2, 3]),
            "delay_random_ms": job.choice([0, 0, 0.5, 5])}
    if mode != "sync" and job.random() < 0.4:
        mail["values"] = job.choice(["fp16", "bf16"])
    return owners, workers, trainers, {
        "seed": job.randint(1, 1 << 30),
        "data": {"format": "synthetic", "synthetic": {"rows": ROWS, "shrink": job.choice([1, 100, 100000])}},
        "embedding": {"dim": job.choice([1, 4, 16, 64]), "optimizer": {"type": "sgd", "learning_rate": 0.05}},
        "model": {"type": "dnn", "hidden": [16]},
        "training": training, "mail": mail, "checkpoint": {"at_end": False}}


def run_file(folder, name, sections):
    path = folder / f"{name}.yaml"
    path.write_text(json.dumps(sections | {"output": str(folder / name)}, indent=1) + "\n")
    return path


def train(path, ranks):
    return harness.persia("train", path, "--overwrite", ranks=ranks, timeout=JOB_TIMEOUT)


def complaint(outcome, sections, alone):
    """What is wrong with a job's outcome, or None. `alone`: the result of one process, in sync mode."""
    if outcome.code != 0:
        return f"exit code {outcome.code}"
    result, training = outcome.result, sections["training"]
    if result["steps"] != training["max_steps"]:
        return f"{result['steps']} steps"
    if alone is not None and abs(result["train_loss"] - alone["train_loss"]) > 1e-4:
        return f"train_loss {result['train_loss']}, of one process {alone['train_loss']}"
    bound = training.get("staleness", 0)
    most = 16 if bound == "auto" else bound
    if result["staleness"]["max"] > most:
        return f"staleness {result['staleness']['max']} above {most}"
    return None


def soak(seconds, seed, folder):
    """The number of jobs, or None after a failure."""
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        owners, workers, trainers, sections = choose(random.Random(f"{seed} {number}"))
        sections["roles"] = {"embedding": owners, "worker": workers}
        path = run_file(folder, f"job{number}", sections)
        alone = None
        if sections["training"]["mode"] == "sync":
            single = sections | {"roles": {"embedding": 1}}
            alone = train(run_file(folder, "alone", single), 1).result
        outcome = train(path, owners + workers + trainers)
        what = f"job {number} of seed {seed}: {owners} owners, {workers} workers, {trainers} trainers"
        wrong = complaint(outcome, sections, alone)
        if wrong is not None:
            print(f"soak: {what}: {wrong}\n{path.read_text()}{outcome}", flush=True)
            return None
        print(f"soak: {what}: {sections['training']['mode']}, {outcome.seconds:.1f} s", flush=True)
        number += 1
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="persia-soak-") as folder:
        jobs = soak(arguments.seconds, arguments.seed, Path(folder))
    if not jobs:
        sys.exit(1)
    print(f"soak: {jobs} jobs, nothing wrong")


if __name__ == "__main__":
    main()
