#!/usr/bin/env python3
"""Faults that users of such trainers met with ranks, batches, threads and launches (cases 27, 28, 37, 39, 51)."""

import os
import sys
from pathlib import Path

import harness
from harness import command, criteo_line, mpirun_flags, persia, run

HEADER = "label,x,c\n"


def rows_of(count):
    return [f"{i % 2},{i},v{i % 4}\n" for i in range(count)]


class Case27EveryRowOnce(harness.SystemTest):
    def test_case_27_1_to_13_rows_on_1_to_4_trainers(self):
        """Each row is its own id: the table shows that every row was seen, the result how many were."""
        for count in range(1, 14):
            rows = [f"{i % 2},{i % 5},r{i}\n" for i in range(count)]
            self.write("train.csv", [HEADER, *rows])
            self.write("test.csv", [HEADER, *rows])
            run_file = self.csv_run(dense=[{"name": "x", "transform": "log1p"}], categorical=["c"],
                                    training={"batch_size": 4, "epochs": 2})
            quality = set()
            for trainers in (1, 2, 3, 4):
                with self.subTest(rows=count, trainers=trainers):
                    result = self.train(run_file, ranks=trainers + 1).result
                    self.assertEqual(result["rows"], count)
                    self.assertEqual(result["read"]["rows"], 2 * count)
                    self.assertEqual(result["steps"], 2 * -(-count // 4))
                    self.assertEqual(result["tables"]["rows"], count)
                    quality.add((result["auc"], round(result["log_loss"], 5)))
            self.assertEqual(len(quality), 1, quality)

    def test_case_27_metrics_of_one_model_have_equal_bits_on_every_number_of_trainers(self):
        self.write("train.csv", [HEADER, *rows_of(40)])
        run_file = self.csv_run(dense=["x"], categorical=["c"])
        self.write("test.csv", [HEADER, *rows_of(13)])
        self.train(run_file, ranks=2)
        seen = set()
        for ranks in (1, 2, 3, 4, 5):
            result = self.evaluate(run_file, ranks=ranks).result
            seen.add((result["auc"], result["log_loss"], result["rows"]))
        self.assertEqual(len(seen), 1, seen)


class Case28UnequalWork(harness.SystemTest):
    def test_case_28_files_of_9_1_and_0_usable_rows(self):
        bad = "1,none,v1\n"
        for name, rows in (("a", rows_of(9)), ("b", [bad, *rows_of(1)]), ("c", [bad, bad])):
            self.write(f"{name}.csv", [HEADER, *rows])
        for mode in ("sync", "hybrid", "async"):
            with self.subTest(mode):
                run_file = self.csv_run(dense=["x"], categorical=["c"],
                                        data={"train": ["?.csv"], "test": ["?.csv"], "on_bad_row": "skip"},
                                        training={"mode": mode, "batch_size": 2})
                result = self.train(run_file, ranks=4, timeout=30).result
                self.assertEqual(result["rows"], 10)
                self.assertEqual(result["read"]["rows"], 10)
                self.assertEqual(result["read"]["skipped_rows"], 3)


class Case37RanksAgreeOrStop(harness.SystemTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", [HEADER, *rows_of(40)])
        self.write("test.csv", [HEADER, *rows_of(40)])
        self.run_path = self.csv_run(dense=["x"], categorical=["c"])

    def launch(self, first, second):
        """Two ranks, then two others, which differ in what stands before and after `persia`."""
        words = ["mpirun", *mpirun_flags(2), *first, ":", "-np", "2", *second]
        return run(words)

    def persia_words(self, *arguments, run_file=None):
        return [str(harness.PERSIA), "train", str(run_file or self.run_path), *arguments]

    def test_case_37_a_different_value_on_the_command_line(self):
        outcome = self.launch(self.persia_words("--set", "training.optimizer.learning_rate=0.1"),
                              self.persia_words("--set", "training.optimizer.learning_rate=0.01"))
        self.assert_user_error(outcome, "training.optimizer.learning_rate", "0.1", "0.01")

    def test_case_37_a_variable_on_some_ranks_only(self):
        outcome = self.launch(self.persia_words(), ["env", "PERSIA_PROGRESS=1", *self.persia_words()])
        self.assert_user_error(outcome, "PERSIA_PROGRESS")

    def test_case_37_another_run_file_on_some_ranks(self):
        other = self.csv_run("other.yaml", dense=["x"], categorical=["c"], output=str(self.folder / "run"),
                             embedding={"dim": 16, "optimizer": {"type": "sgd", "learning_rate": 0.5}})
        outcome = self.launch(self.persia_words(), self.persia_words(run_file=other))
        self.assert_user_error(outcome, "embedding.dim", "4", "16")

    def test_case_37_a_pattern_that_matches_other_files_on_some_ranks(self):
        words = []
        for folder, count in (("one", 3), ("two", 4)):
            (self.folder / folder).mkdir()
            for i in range(count):
                self.write(f"{folder}/part{i}.csv", [HEADER, *rows_of(8)])
            words.append(["env", f"DATA={self.folder / folder}", *self.persia_words(
                run_file=self.csv_run(dense=["x"], categorical=["c"],
                                      data={"directory": "${DATA}", "train": ["part*.csv"], "test": ["part0.csv"]}))])
        outcome = self.launch(*words)
        self.assertEqual(outcome.code, 2, str(outcome))

    def test_case_37_a_file_that_differs_between_hosts(self):
        """The same path, another size: /proc/self/cwd leads each half of the ranks to a folder of its own."""
        for folder, count in (("one", 8), ("two", 9)):
            (self.folder / folder).mkdir()
            self.write(f"{folder}/part.csv", [HEADER, *rows_of(count)])
        words = self.persia_words(run_file=self.csv_run(
            dense=["x"], categorical=["c"],
            data={"directory": "/proc/self/cwd", "train": ["part.csv"], "test": ["part.csv"]}))
        outcome = self.launch(["--wdir", str(self.folder / "one"), *words],
                              ["--wdir", str(self.folder / "two"), *words])
        self.assert_user_error(outcome, "part.csv", "bytes")


class Case39BadPlacementIsSaid(harness.SystemTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", [HEADER, *rows_of(40)])
        self.write("test.csv", [HEADER, *rows_of(40)])
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one core only")

    def warnings(self, bind, threads, prepare=None):
        run_file = self.csv_run(dense=["x"], categorical=["c"], training={"threads": threads})
        words = ["mpirun", *mpirun_flags(2, bind), str(harness.PERSIA), "train", str(run_file)]
        outcome = run(words, prepare=prepare)
        self.assertEqual(outcome.code, 0, str(outcome))
        return [line for line in outcome.lines_with("thread") if "core" in line]

    def test_case_39_two_threads_bound_to_one_core(self):
        warnings = self.warnings("core", 2)
        self.assertEqual(len(warnings), 1, warnings)
        self.assertIn("--bind-to none", warnings[0])

    def test_case_39_unbound_threads_need_no_warning(self):
        self.assertEqual(self.warnings("none", 2), [])

    def test_case_39_more_threads_than_the_job_may_use(self):
        warnings = self.warnings("none", 2, prepare=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
        self.assertEqual(len(warnings), 1, warnings)


class Case51NothingGrowsWithSteps(harness.SystemTest):
    def peaks_after(self, epochs):
        """Peak resident KiB of each rank; no rank may hold more than a few files (measured.py)."""
        # Small rings have been through all their pages early; large ones would still be touching new ones.
        run_file = self.criteo_run(training={"mode": "hybrid", "batch_size": 50, "epochs": epochs}, log_every_steps=20,
                                   mail={"ring_bytes": 65536}, output=str(self.folder / f"run{epochs}"))
        peaks = self.folder / f"peaks{epochs}"
        peaks.mkdir()
        measured = Path(__file__).with_name("measured.py")
        outcome = run(["mpirun", *mpirun_flags(3), sys.executable, str(measured), str(peaks), str(harness.PERSIA), "train",
                       str(run_file)])
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(outcome.result["tables"]["rows"], 25 + 97)
        return [int((peaks / str(rank)).read_text()) for rank in range(3)]

    def test_case_51_300_epochs_of_a_small_file(self):
        lines = [criteo_line(i % 2, [i], [f"{i % 97:08x}"]) for i in range(1000)]
        self.write("train.tsv", lines)
        self.write("test.tsv", lines[:50])
        for rank, (early, late) in enumerate(zip(self.peaks_after(20), self.peaks_after(300))):
            self.assertLessEqual(late - early, 4096, (rank, early, late))


if __name__ == "__main__":
    harness.main()
