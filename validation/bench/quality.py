#!/usr/bin/env python3
"""Trains one run file in several variants with several seeds each, and compares the quality of the models.

usage: quality.py RUN.yaml [--build FOLDER] [--ranks N] [--seeds N] [--json] VARIANT...

A VARIANT is a comma-separated list of KEY=VALUE, given to the training with --set; "plain" changes nothing. The first
one is what the others are compared with, seed by seed. One line per variant: mean AUC and LogLoss, the spread of the
AUC over the seeds (largest less smallest), and the mean difference of the AUC with its standard error.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "system"))
import harness


def overrides_of(variant):
    return [] if variant == "plain" else variant.split(",")


def train(arguments, variant, seed):
    """The result of one training, whose files are thrown away."""
    with tempfile.TemporaryDirectory(prefix="persia-quality-") as output:
        words = [str(arguments.build / "persia"), "train", arguments.run_file]
        for override in [*overrides_of(variant), f"seed={seed}", f"output={output}", "checkpoint.at_end=false"]:
            words += ["--set", override]
        if arguments.ranks > 1:
            words = ["mpirun", *harness.mpirun_flags(arguments.ranks), *words]
        data = {name: value for name, value in os.environ.items() if name == "PERSIA_DATA_DIR"}
        done = subprocess.run(words, env=harness.environment(data), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"quality: {' '.join(words)} failed\n{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1].removeprefix("result "))


def summary(variant, results, baseline):
    aucs = [result["auc"] for result in results]
    differences = [own - other["auc"] for own, other in zip(aucs, baseline)]
    error = statistics.stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
    return {"case": f"quality {variant}", "seeds": len(aucs), "auc": statistics.mean(aucs),
            "log_loss": statistics.mean(result["log_loss"] for result in results), "auc_spread": max(aucs) - min(aucs),
            "auc_difference": statistics.mean(differences), "auc_difference_error": error}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run_file")
    parser.add_argument("variants", nargs="+", metavar="VARIANT")
    parser.add_argument("--build", type=lambda text: Path(text).resolve(), default=Path("build").resolve())
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    baseline = None
    for variant in arguments.variants:
        results = [train(arguments, variant, seed) for seed in range(1, arguments.seeds + 1)]
        baseline = baseline or results
        line = summary(variant, results, baseline)
        if arguments.json:
            print(json.dumps(line), flush=True)
        else:
            print(f"{variant:<40} AUC {line['auc']:.5f} (spread {line['auc_spread']:.5f})  LogLoss {line['log_loss']:.5f}"
                  f"  difference {line['auc_difference']:+.5f} +- {line['auc_difference_error']:.5f}", flush=True)


if __name__ == "__main__":
    main()
