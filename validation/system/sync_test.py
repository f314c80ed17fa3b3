#!/usr/bin/env python3
"""Sync mode equals one-process training in double precision, and every transport gives the same bits."""

import json

import harness
from harness import PERSIA, criteo_line, run

STEPS = 50
REFERENCE_CHECK = PERSIA.parent / "reference_check"
LAYOUTS = [(owners, trainers) for owners in (1, 2) for trainers in (1, 2, 3)]
# Adagrad starts from 0.1: from 0 its first step has the size of the learning rate whatever the gradient, so that the
# sign of a gradient that is nothing but rounding would decide.
OPTIMIZERS = {
    "sgd": {"type": "sgd", "learning_rate": 0.1},
    "adagrad": {"type": "adagrad", "learning_rate": 0.05, "initial_accumulator": 0.1},
}
MODELS = {
    "lr": {"type": "lr"},
    "dnn": {"type": "dnn", "hidden": [16, 8]},
    "dlrm": {"type": "dlrm", "bottom": [16], "top": [16, 8]},
}


# The rates of 50 steps: a warm-up, then a fall that ends before the last step.
SCHEDULES = {
    "cosine": {"type": "cosine", "warm_up_steps": 10, "decay_steps": 30, "end": 0.1},
    "step": {"type": "step", "every_steps": 15, "factor": 0.5},
}


class Sync(harness.SystemTest):
    def setUp(self):
        super().setUp()
        # 500 rows in batches of 48: partial batches, repeated ids within and across trainers, several epochs.
        lines = [criteo_line(i * 5 % 7 % 2, [i, i % 13, -(i % 3)], [f"{i * 31 % 67:08x}", f"{i % 5:08x}", ""])
                 for i in range(500)]
        self.write("train.tsv", lines)
        self.write("test.tsv", lines[:60])

    def make(self, name, model, optimizer, owners, rows=None, dense=None, **training):
        return self.criteo_run(
            name, data={"shuffle": True}, model=MODELS[model], roles={"embedding": owners},
            embedding={"dim": 4, "optimizer": rows or OPTIMIZERS[optimizer]},
            training={"batch_size": 48, "epochs": 100, "max_steps": STEPS,
                      "optimizer": dense or OPTIMIZERS[optimizer], **training})

    def compare(self, model, optimizer, owners, trainers):
        name = f"{model}-{optimizer}-{owners}-{trainers}.yaml"
        self.compare_run(self.make(name, model, optimizer, owners), owners + trainers)

    def compare_run(self, run_file, ranks):
        self.train(run_file, ranks=ranks)
        outcome = run([str(REFERENCE_CHECK), str(run_file), str(STEPS), str(self.checkpoints(run_file)[-1])])
        self.assertEqual(outcome.code, 0, str(outcome))
        line = json.loads(outcome.out)
        print(run_file.name, outcome.out.strip())
        self.assertLess(line["worst_parameter"], 1e-4)
        self.assertLess(line["worst_row"], 1e-4)

    def test_every_layout_equals_the_double_precision_reference(self):
        for optimizer in OPTIMIZERS:
            for owners, trainers in LAYOUTS:
                with self.subTest(optimizer=optimizer, owners=owners, trainers=trainers):
                    self.compare("dnn", optimizer, owners, trainers)

    def test_every_model_equals_the_double_precision_reference(self):
        for model in ("lr", "dlrm"):
            for optimizer in OPTIMIZERS:
                with self.subTest(model=model, optimizer=optimizer):
                    self.compare(model, optimizer, 2, 2)

    def test_schedules_equal_the_double_precision_reference(self):
        for owners, trainers in ((1, 1), (2, 3)):
            with self.subTest(owners=owners, trainers=trainers):
                name = f"schedules-{owners}-{trainers}.yaml"
                rows, dense = ({"type": "sgd", "learning_rate": 0.2, "schedule": SCHEDULES[kind]}
                               for kind in ("step", "cosine"))
                self.compare_run(self.make(name, "dnn", "sgd", owners, rows=rows, dense=dense), owners + trainers)

    def test_rma_two_sided_and_direct_give_the_same_bits(self):
        checksums = {}
        for name, ranks, arguments in (("rma", 2, ["--set", "mail.transport=rma"]),
                                       ("two_sided", 2, ["--set", "mail.transport=two_sided"]),
                                       ("direct", 1, [])):
            run_file = self.make(f"{name}.yaml", "dlrm", "adagrad", 1)
            self.train(run_file, *arguments, ranks=ranks)
            checksums[name] = self.model_checksums(self.checkpoints(run_file)[-1])
        self.assertEqual(checksums["rma"], checksums["two_sided"])
        self.assertEqual(checksums["rma"], checksums["direct"])

    def test_transports_agree_with_several_owners_and_trainers(self):
        # Rows lie in the files in the order in which owners first saw them, so predictions are compared instead.
        results = {}
        for transport in ("rma", "two_sided"):
            run_file = self.make(f"many-{transport}.yaml", "dnn", "adagrad", 2)
            self.train(run_file, "--set", f"mail.transport={transport}", ranks=4)
            checkpoint = self.checkpoints(run_file)[-1]
            dense = [entry for entry in self.model_checksums(checkpoint) if "dense.h5" in entry]
            results[transport] = dense + self.predict(run_file, checkpoint, "--set", "data.test=[train.tsv]",
                                                      "--set", "roles.embedding=1")
        self.assertEqual(results["rma"], results["two_sided"])


if __name__ == "__main__":
    harness.main()
