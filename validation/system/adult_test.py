#!/usr/bin/env python3
"""The public Adult data set, as PERSIA's own example trains it: quality of hybrid against sync. PERSIA_DATA_DIR names
the folder that holds adult/."""

import os
import unittest
from pathlib import Path

import harness

DATA = os.environ.get("PERSIA_DATA_DIR", "")
RUN_FILE = Path(__file__).resolve().parents[2] / "inputs" / "adult.yaml"


@unittest.skipUnless(DATA and Path(DATA, "adult").is_dir(), "PERSIA_DATA_DIR has no folder adult")
class Adult(harness.SystemTest):
    def result_of(self, mode):
        arguments = ["--set", f"training.mode={mode}", "--set", f"output={self.folder / mode}"]
        outcome = self.train(RUN_FILE, *arguments, ranks=4, timeout=120, env={"PERSIA_DATA_DIR": DATA})
        print(f"{mode}: auc {outcome.result['auc']:.4f}, log loss {outcome.result['log_loss']:.4f}, "
              f"{outcome.seconds:.1f} s", flush=True)
        return outcome

    def test_hybrid_reaches_the_quality_in_time_and_sync_is_close(self):
        hybrid = self.result_of("hybrid")
        self.assertGreaterEqual(hybrid.result["auc"], 0.905)
        self.assertLessEqual(hybrid.result["log_loss"], 0.32)
        self.assertLessEqual(hybrid.seconds, 60)
        sync = self.result_of("sync")
        self.assertLessEqual(abs(sync.result["auc"] - hybrid.result["auc"]), 0.002)


if __name__ == "__main__":
    harness.main()
