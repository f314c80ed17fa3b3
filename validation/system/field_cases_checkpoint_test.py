#!/usr/bin/env python3
"""Faults that users of such trainers met with checkpoints (cases 31, 32)."""

import harness

HEADER = "label,c,list\n"


class Case31AnyShapeToAnyShape(harness.SystemTest):
    def test_case_31_3_ids_on_4_owners_and_a_table_never_touched(self):
        self.write("train.csv", [HEADER, *[f"{i % 2},id{i % 3},\n" for i in range(30)]])
        self.write("test.csv", [HEADER, *[f"{i % 2},id{i % 4},\n" for i in range(8)]])
        run_file = self.csv_run(categorical=["c", {"name": "list", "separator": "|"}], roles={"embedding": 4})
        result = self.train(run_file, ranks=5).result
        self.assertEqual(result["tables"]["rows"], 3)
        checkpoint = self.checkpoints(run_file)[-1]
        expected = self.predict(run_file, checkpoint, ranks=5)
        self.assertEqual(len(set(expected)), 4)
        for owners in (1, 2, 3, 4, 8):
            with self.subTest(owners=owners):
                arguments = ["--set", f"roles.embedding={owners}"]
                self.assertEqual(self.predict(run_file, checkpoint, *arguments, ranks=owners + 1), expected)
                result = self.evaluate(run_file, *arguments, ranks=owners + 1).result
                self.assertEqual(result["tables"]["rows"], 3)
        with self.subTest("one process"):
            self.assertEqual(self.predict(run_file, checkpoint, "--set", "roles.embedding=1"), expected)


class Case32PositionAndOrderAreSaved(harness.SystemTest):
    def test_case_32_resume_in_mid_epoch_goes_on_in_the_same_order(self):
        """Row number as id, one update each: a row that came twice or not at all, or in another batch, changes the
        model; so do second epochs in another order."""
        rows = ["label,row\n", *[f"{i * 7 % 3 % 2},{i}\n" for i in range(64)]]
        self.write("train.csv", rows)
        self.write("test.csv", rows)
        options = {"categorical": [{"name": "row", "type": "integer"}], "data": {"shuffle": True},
                   "training": {"batch_size": 4, "epochs": 2}}
        whole = self.csv_run("whole.yaml", **options)
        self.train(whole, ranks=2)
        expected = self.model_checksums(self.checkpoints(whole)[-1])
        for stop in (5, 16, 21):
            with self.subTest(stop_after=stop):
                parts = self.csv_run(f"parts{stop}.yaml", **options)
                self.train(parts, "--set", f"training.max_steps={stop}", ranks=2)
                result = self.train(parts, "--resume", ranks=2).result
                self.assertEqual(result["steps"], 32 - stop)
                self.assertEqual(result["tables"]["rows"], 64)
                self.assertEqual(self.model_checksums(self.checkpoints(parts)[-1]), expected)

    def test_case_32_one_epoch_has_every_row_once_and_another_seed_another_order(self):
        rows = ["label,row\n", *[f"1,{i}\n" for i in range(64)]]
        self.write("train.csv", rows)
        self.write("test.csv", rows)
        options = {"categorical": [{"name": "row", "type": "integer"}], "model": {"type": "lr"},
                   "embedding": {"dim": 1, "init": {"type": "zero"}, "optimizer": {"type": "sgd", "learning_rate": 1}},
                   "data": {"shuffle": True}, "training": {"batch_size": 4}}
        seen = []
        for seed in (1, 2):
            run_file = self.csv_run(f"seed{seed}.yaml", seed=seed, **options)
            self.train(run_file, "--set", "training.max_steps=5")
            half_way = self.checkpoints(run_file)[-1]
            touched = [float(p) for p in self.predict(run_file, half_way)]
            untouched = min(touched)  # bias alone; an update of a positive row lifts it
            seen.append(tuple(p > untouched for p in touched))
            self.assertEqual(sum(seen[-1]), 20)
            result = self.train(run_file, "--resume").result
            self.assertEqual(result["tables"]["rows"], 64)
        self.assertNotEqual(*seen)


if __name__ == "__main__":
    harness.main()
