"""What bounds staleness, what measures it, and how evenly owners are loaded."""
import json

import harness


class Staleness(harness.SystemTest):
    def generate(self, *arguments):
        outcome = harness.persia("generate", "criteo", "--output", self.folder, "--test-rows", 500, *arguments)
        self.assertEqual(outcome.code, 0, str(outcome))

    def synthetic_run(self, mail=None, **training):
        return self.run_file(
            data={"format": "synthetic", "synthetic": {"rows": 20000, "shrink": 1000}}, embedding={"dim": 4},
            model={"type": "dnn", "hidden": [16]}, mail=mail or {}, checkpoint={"at_end": False},
            training={"mode": "hybrid", "batch_size": 200, "threads": 1, **training})

    def events(self, run_file, name):
        lines = (self.folder / run_file.stem / "log.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["event"] == name]

    def test_updates_of_other_trainers_are_measured_between_look_up_and_update(self):
        result = self.train(self.synthetic_run(mail={"delay_ms": 1}), ranks=4).result
        others = result["others_updates"]
        self.assertGreater(others["mean"], 0)
        self.assertEqual(len(others["histogram"]), others["max"] + 1)
        alone = self.train(self.synthetic_run(), ranks=2).result
        self.assertNotIn("others_updates", alone, "there is no other trainer")

    def test_no_staleness_leaves_own_updates_out_of_nothing(self):
        result = self.train(self.synthetic_run(mail={"delay_ms": 1}, staleness=0), ranks=3).result
        self.assertEqual(result["staleness"]["histogram"], [result["steps"]])

    def test_auto_raises_the_bound_while_trainers_wait_for_a_slow_network(self):
        run_file = self.synthetic_run(mail={"delay_ms": 5}, staleness="auto", epochs=5)
        result = self.train(run_file, ranks=3, timeout=120).result
        raised = self.events(run_file, "staleness")
        self.assertTrue(raised, "the log has no change of the bound")
        self.assertGreater(max(event["bound"] for event in raised), 4)
        self.assertLessEqual(result["staleness"]["max"], 16)
        self.assertIn("bound", result["staleness"])

    def test_auto_keeps_to_its_most(self):
        run_file = self.synthetic_run(mail={"delay_ms": 5}, staleness="auto", staleness_max=2)
        self.assertLessEqual(self.train(run_file, ranks=3).result["staleness"]["max"], 2)

    def test_rows_that_every_batch_looks_up_are_sent_less_often(self):
        self.generate("--rows", 20000, "--zipf", 1.2)
        training = {"mode": "hybrid", "batch_size": 500, "staleness": 4, "epochs": 4}
        results = []
        for reuse in (0, 2):
            run_file = self.criteo_run(roles={"embedding": 2}, training=training | {"reuse_steps": reuse})
            results.append(self.train(run_file, ranks=4).result)
        without, with_reuse = results
        self.assertLess(with_reuse["wire"]["sent_bytes"], 0.9 * without["wire"]["sent_bytes"])
        self.assertEqual(with_reuse["wire"]["raw_bytes"], without["wire"]["raw_bytes"])
        self.assertLessEqual(with_reuse["staleness"]["max"], 4)
        self.assertGreater(with_reuse["staleness"]["mean"], 2)
        self.assertAlmostEqual(with_reuse["log_loss"], without["log_loss"], delta=0.005)

    def test_rows_kept_for_longer_than_the_staleness_allows_are_refused(self):
        run_file = self.synthetic_run(staleness=2, reuse_steps=3)
        self.assert_user_error(harness.persia("train", run_file), "training.reuse_steps is 3", "staleness")
        workers = self.run_file(
            "workers.yaml", data={"format": "synthetic", "synthetic": {"rows": 2000, "shrink": 1000}},
            roles={"worker": 1}, training={"mode": "hybrid", "reuse_steps": 1})
        self.assert_user_error(harness.persia("train", workers, ranks=3), "worker ranks", "reuse_steps")

    def test_owners_are_evenly_loaded_whatever_ids_are_frequent(self):
        self.generate("--rows", 20000, "--zipf", 1.2)
        run_file = self.criteo_run(roles={"embedding": 4}, training={"mode": "hybrid", "batch_size": 2000})
        result = self.train(run_file, ranks=6).result
        for name in ("rows_per_s", "bytes_per_s"):
            self.assertLessEqual(result["owners"][name]["most_over_mean"], 1.3, name)
        (event,) = self.events(run_file, "owners")
        self.assertEqual([load["owner"] for load in event["loads"]], [0, 1, 2, 3])
        looked_up = sum(load["lookup_rows"] for load in event["loads"])
        updated = sum(load["update_rows"] for load in event["loads"])
        self.assertGreater(updated, 0)
        self.assertGreater(looked_up, updated, "the evaluation looks up too")


if __name__ == "__main__":
    harness.main()
