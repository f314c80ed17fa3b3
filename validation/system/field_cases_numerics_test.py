#!/usr/bin/env python3
"""Faults that users of such trainers met with metrics and numbers (cases 17, 22, 23, 25, 48)."""

import math
import random

import harness
from harness import persia


class Case17UndefinedIsSaid(harness.SystemTest):
    def test_case_17_one_class_only(self):
        header = "label,x,c\n"
        self.write("train.csv", [header, *[f"{i % 2},{i % 3},v{i % 4}\n" for i in range(40)]])
        self.write("test.csv", [header, "0,1,v1\n", "1,2,v2\n"])
        run_file = self.csv_run(dense=["x"], categorical=["c"])
        self.train(run_file)
        for label in (0, 1):
            for ranks in (1, 3):
                with self.subTest(label=label, ranks=ranks):
                    self.write("test.csv", [header, *[f"{label},{i},v{i}\n" for i in range(8)]])
                    result = self.evaluate(run_file, ranks=ranks).result
                    self.assertIsNone(result["auc"])
                    self.assertTrue(result["auc_reason"])
                    self.assertTrue(math.isfinite(result["log_loss"]))
                    self.assertEqual(result["rows"], 8)
        self.write("test.csv", header)
        self.assert_user_error(persia("eval", run_file), "test.csv")


class Case22ARunThatCannotLearnSaysWhy(harness.SystemTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(7)
        rows = []
        for i in range(2000):
            category = draw.choice("abcd")
            label = (category in "ab") ^ (draw.random() < 0.1)
            rows.append(f"{int(label)},{1_600_000_000_000_000_000 + 1_000_000_000 * i},{category}\n")
        self.write("train.csv", ["label,time,c\n", *rows])
        self.write("test.csv", ["label,time,c\n", *rows])

    def run_with(self, transform):
        return self.csv_run(f"{transform}.yaml", dense=[{"name": "time", "transform": transform}], categorical=["c"],
                            training={"batch_size": 50, "epochs": 5})

    def test_case_22_raw_nanoseconds_are_named_before_and_after(self):
        outcome = self.train(self.run_with("none"))
        warnings = [line for line in outcome.lines_with("time") if "standardise" in line]
        self.assertEqual(len(warnings), 1, str(outcome))
        self.assertIn("e+18", warnings[0])
        result = outcome.result
        if result["auc"] is None or result["auc"] < 0.6:
            self.assertIn(result["predictions"], ("constant", "saturated"))
            self.assertTrue(outcome.lines_with("did not learn"), str(outcome))

    def test_case_22_standardised_it_learns(self):
        outcome = self.train(self.run_with("standardise"))
        self.assertGreaterEqual(outcome.result["auc"], 0.88)
        self.assertFalse(outcome.lines_with("standardise"), str(outcome))


class Case23TransformsAreFinite(harness.SystemTest):
    VALUES = ["-3", "-2", "-1", "0", "1", "5", ""]
    LOG1P = [-1.3862944, -1.0986123, -0.6931472, 0.0, 0.6931472, 1.7917595, 0.0]

    def test_case_23_log1p_keeps_the_sign(self):
        """Logistic regression with one dense column: logit = w f(x) + b, so f follows from predictions."""
        header = "label,x\n"
        self.write("train.csv", [header, *[f"{int(value or 0) % 2},{value}\n" for value in self.VALUES]])
        self.write("test.csv", [header, *[f"0,{value}\n" for value in [*self.VALUES, "-2147483648", "2147483647"]]])
        run_file = self.csv_run(dense=[{"name": "x", "transform": "log1p"}], model={"type": "lr"},
                                training={"epochs": 3})
        self.train(run_file)
        logits = [math.log(p / (1 - p)) for p in map(float, self.predict(run_file, self.checkpoints(run_file)[-1]))]
        bias = logits[3]
        weight = (logits[4] - bias) / math.log(2)
        for logit, expected in zip(logits, [*self.LOG1P, -math.log1p(2147483648), math.log1p(2147483647)]):
            self.assertAlmostEqual((logit - bias) / weight, expected, delta=1e-4 * max(1, abs(expected)))

    def test_case_23_standardised_test_values_beyond_the_training_range(self):
        header = "label,x\n"
        self.write("train.csv", [header, *[f"{i % 2},{i - 3}\n" for i in range(8)]])
        self.write("test.csv", [header, "0,-2147483648\n", "1,2147483647\n"])
        for transform in ("standardise", "log1p", "none"):
            with self.subTest(transform):
                run_file = self.csv_run(f"{transform}.yaml", dense=[{"name": "x", "transform": transform}],
                                        model={"type": "lr"})
                self.assertTrue(math.isfinite(self.train(run_file).result["log_loss"]))

    def test_case_23_what_fp32_does_not_hold_is_refused(self):
        self.write("test.csv", "label,x\n0,1\n")
        run_file = self.csv_run(dense=["x"], model={"type": "lr"})
        for value in ("1e39", "inf", "-inf", "nan"):
            with self.subTest(value):
                self.write("train.csv", f"label,x\n0,1\n1,{value}\n")
                self.assert_user_error(persia("train", run_file), "train.csv:3", "x", value)


class Case25MeansWhateverTheRanks(harness.SystemTest):
    def test_case_25_one_step_is_one_half_in_every_layout(self):
        self.write("train.csv", ["label,x,c\n", *["1,1,k\n"] * 8])
        # Logits: weight + bias + row, bias alone, weight + bias.
        self.write("test.csv", ["label,x,c\n", "1,1,k\n", "1,0,other\n", "1,1,other\n"])
        logits = [1.5, 0.5, 1.0]
        for trainers in (1, 2, 4):
            for owners in (1, 2):
                with self.subTest(trainers=trainers, owners=owners):
                    run_file = self.csv_run(
                        dense=["x"], categorical=["c"], model={"type": "lr"}, roles={"embedding": owners},
                        embedding={"dim": 1, "init": {"type": "zero"},
                                   "optimizer": {"type": "sgd", "learning_rate": 1}},
                        training={"optimizer": {"type": "sgd", "learning_rate": 1}})
                    ranks = trainers + owners
                    self.assertEqual(self.train(run_file, ranks=ranks).result["steps"], 1)
                    predictions = self.predict(run_file, self.checkpoints(run_file)[-1], ranks=ranks)
                    for probability, logit in zip(predictions, logits):
                        self.assertAlmostEqual(float(probability), 1 / (1 + math.exp(-logit)), delta=1e-7)


class Case48TimeIsAnInteger(harness.SystemTest):
    def test_case_48_neighbouring_times_stay_apart(self):
        for unit in (1, 1_000_000_000):
            times = [1700000100 * unit, 1700000001 * unit, 1700000050 * unit]
            with self.subTest(unit=unit):
                rows = ["label,time\n", *[f"{i % 2},{time}\n" for i, time in enumerate(times)]]
                self.write("train.csv", rows)
                self.write("test.csv", rows)
                run_file = self.csv_run(dense=[{"name": "time", "transform": "standardise"}], model={"type": "lr"},
                                        training={"epochs": 2})
                self.train(run_file)
                predictions = self.predict(run_file, self.checkpoints(run_file)[-1])
                logits = [math.log(p / (1 - p)) for p in map(float, predictions)]
                # Linear in time: the middle one lies 49/99 of the way between the others.
                share = (logits[2] - logits[1]) / (logits[0] - logits[1])
                self.assertAlmostEqual(share, 49 / 99, delta=1e-4)

    def test_case_48_times_as_ids_stay_apart(self):
        times = [1700000100, 1700000001, 1700000050]
        rows = ["label,time\n", *[f"{i % 2},{time}\n" for i, time in enumerate(times)]]
        self.write("train.csv", rows)
        self.write("test.csv", rows)
        run_file = self.csv_run(categorical=[{"name": "time", "type": "integer"}])
        self.assertEqual(self.train(run_file).result["tables"]["rows"], 3)


if __name__ == "__main__":
    harness.main()
