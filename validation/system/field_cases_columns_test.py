#!/usr/bin/env python3
"""Faults that users of such trainers met with run files and columns (cases 41, 43, 45, 46)."""

import math

import harness
from harness import persia


class Case41WhatIsWrittenIsUsedOrRefused(harness.SystemTest):
    def refuse(self, *texts, **sections):
        self.assert_user_error(persia("train", self.run_file(**sections)), *texts)

    def test_case_41_a_file_beside_synthetic_data(self):
        self.refuse("data.train", "synthetic", data={"format": "synthetic", "train": ["a.txt"]})

    def test_case_41_layers_beside_logistic_regression(self):
        self.refuse("model.hidden", "lr", data={"format": "synthetic"}, model={"type": "lr", "hidden": [64]})

    def test_case_41_staleness_beside_sync(self):
        self.refuse("training.staleness", "sync", data={"format": "synthetic"},
                    training={"mode": "sync", "staleness": 4})

    def test_case_41_a_missing_file_is_not_replaced_by_made_data(self):
        self.refuse("absent.tsv", data={"format": "criteo", "train": ["absent.tsv"], "test": ["absent.tsv"]})


class Case43GroupsOfColumnsMayBeEmpty(harness.SystemTest):
    def setUp(self):
        super().setUp()
        rows = [f"{i % 2},{i},{i % 3},{i % 5},a{i % 3},b{i % 4},c{i % 5}\n" for i in range(60)]
        rows.insert(0, "label,x,y,z,a,b,c\n")
        self.write("train.csv", rows)
        self.write("test.csv", rows)

    def check_each(self, models, **columns):
        for name, model in models.items():
            for ranks in (1, 3):
                with self.subTest(model=name, ranks=ranks):
                    run_file = self.csv_run(model=model, **columns)
                    self.assertEqual(persia("train", run_file, "--check").code, 0)
                    result = self.train(run_file, ranks=ranks).result
                    self.assertTrue(math.isfinite(result["log_loss"]))

    def test_case_43_no_dense_column(self):
        models = {"lr": {"type": "lr"}, "dnn": {"type": "dnn", "hidden": [8]}}
        self.check_each(models, categorical=["a", "b", "c"])

    def test_case_43_no_dense_column_for_dlrm(self):
        run_file = self.csv_run(model={"type": "dlrm", "bottom": [8], "top": [8]}, categorical=["a", "b", "c"])
        outcome = persia("train", run_file)
        if outcome.code == 0:
            self.assertTrue(math.isfinite(outcome.result["log_loss"]))
        else:
            self.assert_user_error(outcome, "dlrm", "dense")

    def test_case_43_no_categorical_column(self):
        models = {"lr": {"type": "lr"}, "dnn": {"type": "dnn", "hidden": [8]}}
        self.check_each(models, dense=[{"name": name, "transform": "log1p"} for name in "xyz"])


class ListTest(harness.SystemTest):
    """Logistic regression over one list column: predictions show the pooled rows."""

    def list_run(self, name, train, test, **column):
        self.write("train.csv", ["label,tags\n", *train])
        self.write("test.csv", ["label,tags\n", *test])
        return self.csv_run(name, categorical=[{"name": "tags", "separator": "|", **column}], model={"type": "lr"},
                            embedding={"dim": 2, "optimizer": {"type": "sgd", "learning_rate": 0.5}})

    def predictions(self, run_file):
        return self.predict(run_file, self.checkpoints(run_file)[-1])


class Case45LengthLimitsActAsWritten(ListTest):
    def test_case_45_keep_last_keep_first_and_no_limit(self):
        train = [f"{i % 2},{'abcdef'[i % 6]}\n" for i in range(24)]
        lists = ["a|b|c|d|e|f", "c|d|e|f", "a|b|c|d"]
        for name, column, same_as, cut in (("last", {"max_length": 4, "keep": "last"}, 1, 1),
                                           ("first", {"max_length": 4, "keep": "first"}, 2, 1),
                                           ("unset", {}, 0, 0)):
            with self.subTest(name):
                run_file = self.list_run(f"{name}.yaml", train, [f"0,{text}\n" for text in lists], **column)
                self.train(run_file)
                predictions = self.predictions(run_file)
                self.assertEqual(predictions[0], predictions[same_as])
                self.assertEqual(len(set(predictions)), 2 if cut else 3)
                self.assertEqual(self.evaluate(run_file).result["read"]["truncated_lists"], cut)


class Case46EmptinessHasNoWeight(ListTest):
    def test_case_46_empty_lists_and_repeated_values(self):
        train = ["1,a|b\n", "0,\n", "1,c\n", "1,a\n"] * 4
        test = ["0,\n", "0,a\n", "0,a|a\n", "0,a|unseen\n"]
        for pooling in ("sum", "mean", "sqrtn"):
            for ranks in (1, 3):
                with self.subTest(pooling=pooling, ranks=ranks):
                    run_file = self.list_run(f"{pooling}{ranks}.yaml", train, test, pooling=pooling)
                    result = self.train(run_file, ranks=ranks).result
                    self.assertTrue(math.isfinite(result["log_loss"]))
                    self.assertEqual(result["tables"]["rows"], 3)
                    logits = [math.log(p / (1 - p)) for p in map(float, self.predictions(run_file))]
                    empty, one, twice, half = (logit - logits[0] for logit in logits)
                    self.assertEqual(empty, 0)
                    self.assertGreater(one, 0.01)
                    factor = {"sum": 2, "mean": 1, "sqrtn": math.sqrt(2)}[pooling]
                    self.assertAlmostEqual(twice / one, factor, delta=1e-3)
                    self.assertAlmostEqual(half / one, factor / 2, delta=1e-3)

    def test_case_46_a_batch_of_empty_lists_only(self):
        run_file = self.list_run("empty.yaml", ["1,\n", "0,\n"] * 8, ["1,\n"], pooling="mean")
        result = self.train(run_file, ranks=2).result
        self.assertTrue(math.isfinite(result["log_loss"]))
        self.assertEqual(result["tables"]["rows"], 0)


if __name__ == "__main__":
    harness.main()
