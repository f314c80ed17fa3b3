#!/usr/bin/env python3
"""Trainings whose tables have less room than there are ids: what stays, what is counted, what the journal tells."""

import json

import harness
from harness import criteo_line

LIMIT = 320


def lines_of(count):
    """Every row has its own ids in 26 columns, half of them seen before."""
    return [criteo_line(i % 2, [i % 7], [f"{c:02x}{i // 2:06x}" for c in range(26)]) for i in range(count)]


class Eviction(harness.SystemTest):
    def setUp(self):
        super().setUp()
        self.write("train.tsv", lines_of(2000))
        self.write("test.tsv", lines_of(200))

    def evicting_run(self, name="run.yaml", eviction=None, mode="hybrid", **sections):
        eviction = {"policy": "lru", "max_rows": LIMIT, "journal": "rows", **(eviction or {})}
        eviction = {key: value for key, value in eviction.items() if value is not None}
        return self.criteo_run(name, training={"mode": mode, "batch_size": 20, "epochs": 1},
                               embedding={"dim": 4, "eviction": eviction}, **sections)

    def journal_lines(self):
        files = sorted((self.folder / "run").glob("evicted-*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]

    def test_a_full_table_keeps_its_limit_and_the_journal_has_every_row_that_went(self):
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                for old in (self.folder / "run").glob("evicted-*"):
                    old.unlink()
                outcome = self.train(self.evicting_run(), ranks=ranks)
                tables = outcome.result["tables"]
                self.assertLessEqual(tables["rows"], 26 * (LIMIT + 32))
                self.assertGreaterEqual(tables["rows"], 26 * LIMIT * 0.9)
                self.assertGreater(tables["evicted"], 26 * 500)
                lines = self.journal_lines()
                self.assertEqual(len(lines), tables["evicted"])
                self.assertEqual({line["table"] for line in lines}, {f"C{i}" for i in range(1, 27)})
                self.assertTrue(all(len(line["values"]) == 4 for line in lines))

    def test_rows_that_nobody_used_for_ttl_steps_are_gone(self):
        outcome = self.train(self.evicting_run(eviction={"policy": "none", "ttl_steps": 5, "max_rows": None}))
        self.assertGreater(outcome.result["tables"]["evicted"], 26 * 700)

    def test_evaluation_asks_as_of_the_model_s_step(self):
        """More test batches than the time to live, and rows used in the last step only."""
        lines = [criteo_line(i % 2, [], [f"{i % 10:x}"] * 26) for i in range(1000)]
        self.write("train.tsv", lines)
        self.write("test.tsv", lines)
        run_file = self.evicting_run(eviction={"policy": "none", "max_rows": None, "journal": None, "ttl_steps": 5})
        trained = self.train(run_file, "--set", "training.batch_size=10")
        evaluated = self.evaluate(run_file, "--set", "training.batch_size=10")
        for outcome in (trained, evaluated):
            self.assertEqual(outcome.result["tables"]["unseen"], 0, str(outcome))
        self.assertEqual(trained.result["auc"], evaluated.result["auc"])

    def test_a_resumed_training_ends_with_the_same_bits(self):
        whole = self.train(self.evicting_run("whole.yaml", mode="sync", output=str(self.folder / "whole")))
        half = self.evicting_run("half.yaml", mode="sync", output=str(self.folder / "half"))
        self.train(half, "--set", "training.max_steps=47")
        resumed = self.train(half, "--resume")
        for key in ("auc", "log_loss"):
            self.assertEqual(whole.result[key], resumed.result[key], key)
        names = ["embedding-0000-of-0001.h5"]
        self.assertEqual(*(self.model_checksums(self.checkpoints(run)[-1], names) for run in ("whole", "half")))

    def test_a_training_goes_on_with_an_eviction_that_it_began_without(self):
        run_file = self.evicting_run(eviction={"policy": "none", "max_rows": None, "journal": None})
        before = self.train(run_file, "--set", "training.max_steps=50")
        self.assertEqual(before.result["tables"]["rows"], 26 * 500)
        after = self.train(self.evicting_run(), "--resume")
        self.assertLessEqual(after.result["tables"]["rows"], 26 * (LIMIT + 32))

    def test_a_table_on_disk_trains_and_resumes_to_the_bits_of_one_in_memory(self):
        """Half of the tables have eight times as many rows as memory may hold, half fit; evaluation included."""
        self.write("train.tsv", [criteo_line(i % 2, [i % 7], [f"{c:02x}{i // 2 if c % 2 else i % 100:06x}"
                                                              for c in range(26)]) for i in range(2000)])
        disk = {"max_rows": 128, "journal": None, "directory": str(self.folder / "scratch")}
        for ranks, mode in ((1, "hybrid"), (2, "sync")):
            with self.subTest(ranks=ranks):
                name = f"r{ranks}"
                in_memory = {"policy": "none", "max_rows": None, "journal": None}
                runs = {kind: self.evicting_run(f"{kind}.yaml", eviction=eviction, mode=mode,
                                                output=str(self.folder / f"{name}-{kind}"))
                        for kind, eviction in (("memory", in_memory), ("disk", disk))}
                whole = self.train(runs["memory"], "--set", "training.epochs=3", ranks=ranks).result
                self.train(runs["disk"], "--set", "training.epochs=2", ranks=ranks)
                resumed = self.train(runs["disk"], "--resume", "--set", "training.epochs=3", ranks=ranks).result
                again = self.evaluate(runs["disk"], ranks=ranks).result
                for key in ("auc", "log_loss"):
                    self.assertEqual(whole[key], resumed[key], key)
                    self.assertEqual(whole[key], again[key], key)
                tables = resumed["tables"]
                self.assertEqual((tables["rows"], tables["evicted"]), (13 * 1100, 0))
                self.assertGreater(tables["disk_rows"], 13 * 800)
                self.assertGreater(tables["found_on_disk"], 13 * 800)
                self.assertGreater(tables["memory_hit_rate"], 0.4)
                self.assertLess(tables["memory_hit_rate"], 0.9)
                self.assertNotIn("memory_hit_rate", again["tables"])
        self.assertEqual(list((self.folder / "scratch").iterdir()), [])

    def test_a_folder_that_cannot_hold_the_rows_is_told_before_anything_starts(self):
        (self.folder / "file").write_text("")
        run_file = self.evicting_run(eviction={"journal": None, "directory": str(self.folder / "file" / "x")})
        for ranks in (1, 2):
            outcome = harness.persia("train", run_file, ranks=ranks)
            self.assertEqual(outcome.code, 2, str(outcome))
            self.assertIn("eviction.directory", outcome.err)

    def test_ids_that_are_not_admitted_are_counted(self):
        run_file = self.criteo_run(embedding={"dim": 4, "admission": {"policy": "probability", "probability": 0.25}})
        tables = self.train(run_file).result["tables"]
        self.assertEqual(tables["rows"] + tables["not_admitted"], 26 * 1000)
        self.assertAlmostEqual(tables["rows"], 26 * 250, delta=26 * 20)

    def test_ids_get_their_row_at_the_second_sight_also_across_a_resume(self):
        run_file = self.criteo_run(training={"batch_size": 20, "epochs": 1, "mode": "sync"},
                                   embedding={"dim": 4, "admission": {"policy": "sightings", "sightings": 2}})
        # Both rows of an id stand in one batch, which is one sighting.
        tables = self.train(run_file, "--set", "training.epochs=2").result["tables"]
        self.assertEqual((tables["rows"], tables["not_admitted"]), (26 * 1000, 26 * 1000))
        self.train(run_file)
        resumed = self.train(run_file, "--resume", "--set", "training.epochs=2").result["tables"]
        self.assertEqual(resumed["rows"], 26 * 1000)

    def test_a_policy_without_a_limit_is_refused(self):
        outcome = harness.persia("train", self.evicting_run(eviction={"max_rows": None}))
        self.assertEqual(outcome.code, 2, str(outcome))
        self.assertIn("neither max_rows nor max_bytes", outcome.err)


if __name__ == "__main__":
    harness.main()
