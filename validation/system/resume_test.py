#!/usr/bin/env python3
"""A training that stopped at a checkpoint and went on ends with the same bits as one that never stopped (sync)."""

import shutil

import harness
from harness import criteo_line, persia

OPTIMIZERS = {
    "sgd": {"type": "sgd", "learning_rate": 0.1},
    "adagrad": {"type": "adagrad", "learning_rate": 0.05},
    "adam": {"type": "adam", "learning_rate": 0.01},
}


class Resume(harness.SystemTest):
    def setUp(self):
        super().setUp()
        lines = [criteo_line(i * 5 % 7 % 2, [i, i % 13], [f"{i * 31 % 67:08x}", f"{i % 5:08x}"]) for i in range(300)]
        self.write("train.tsv", lines)
        self.write("test.tsv", lines[:60])

    def make(self, name, optimizer="adam", precision="fp32", schedule=None, **sections):
        dense = OPTIMIZERS["adagrad" if optimizer == "rowwise_adagrad" else optimizer]
        if schedule is not None:
            dense = {**dense, "schedule": schedule}
        rows = {**dense, "type": optimizer}
        return self.criteo_run(name, data={"shuffle": True, "shuffle_rows": 64},
                               embedding={"dim": 4, "precision": precision, "optimizer": rows},
                               training={"batch_size": 16, "epochs": 2, "optimizer": dense}, **sections)

    def compare(self, ranks, **options):
        for name in ("whole", "parts"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        whole = self.make("whole.yaml", **options)
        last = self.train(whole, ranks=ranks).result
        parts = self.make("parts.yaml", **options)
        self.train(parts, "--set", "training.max_steps=11", ranks=ranks)
        resumed = self.train(parts, "--resume", ranks=ranks).result
        self.assertEqual(resumed["steps"], 38 - 11)
        self.assertEqual((resumed["auc"], resumed["log_loss"]), (last["auc"], last["log_loss"]))
        self.assert_same_model(parts, whole, ranks)

    def assert_same_model(self, one, other, ranks):
        """Files of one trainer have equal bytes. Of several, new rows come in the order in which lookups arrived, so
        that the rows are compared by what they predict: every id is in the training rows."""
        one, other = (self.checkpoints(run_file)[-1] for run_file in (one, other))
        everything = ["--set", "data.test=[train.tsv]"]
        self.assertEqual(self.predict(self.folder / "whole.yaml", one, *everything, ranks=ranks),
                         self.predict(self.folder / "whole.yaml", other, *everything, ranks=ranks))
        names = ["dense.h5"] if ranks > 2 else None
        self.assertEqual(self.model_checksums(one, names), self.model_checksums(other, names))

    def test_every_optimizer_and_precision(self):
        for optimizer in (*OPTIMIZERS, "rowwise_adagrad"):
            for precision in ("fp32", "fp16", "bf16"):
                with self.subTest(optimizer=optimizer, precision=precision):
                    self.compare(1, optimizer=optimizer, precision=precision)

    def test_every_schedule(self):
        """Of 38 steps, with the break in the warm-up and after it."""
        for warm_up in (4, 15):
            for kind in ({"type": "constant"}, {"type": "step", "every_steps": 6, "factor": 0.5},
                         {"type": "polynomial", "decay_steps": 20, "power": 2}, {"type": "cosine", "decay_steps": 20}):
                with self.subTest(warm_up=warm_up, kind=kind):
                    self.compare(1, schedule={**kind, "warm_up_steps": warm_up})
        self.compare(3, schedule={"type": "cosine", "decay_steps": 20, "warm_up_steps": 4})

    def test_over_ranks(self):
        for ranks, owners in ((2, 1), (3, 2), (4, 1)):
            with self.subTest(ranks=ranks, owners=owners):
                self.compare(ranks, roles={"embedding": owners})

    def test_checkpoints_on_the_way_change_nothing_and_the_oldest_go(self):
        whole = self.make("whole.yaml")
        self.train(whole, ranks=3)
        often = self.make("often.yaml", checkpoint={"every_steps": 5, "keep": 3})
        self.train(often, ranks=3)
        kept = [int(path.name.removeprefix("step-")) for path in self.checkpoints(often)]
        self.assertEqual(kept, [30, 35, 38])
        self.assert_same_model(often, whole, 3)

    def test_resume_without_a_checkpoint_starts_anew(self):
        run_file = self.make("run.yaml")
        outcome = persia("train", run_file, "--resume")
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(outcome.result["steps"], 38)

    def test_resume_with_another_batch_size_is_refused(self):
        run_file = self.make("run.yaml")
        self.train(run_file, "--set", "training.max_steps=3")
        outcome = persia("train", run_file, "--resume", "--set", "training.batch_size=8")
        self.assert_user_error(outcome, "training.batch_size", "16", "8")

    def test_a_finished_training_that_is_resumed_evaluates_and_ends(self):
        run_file = self.make("run.yaml")
        first = self.train(run_file, ranks=2).result
        again = self.train(run_file, "--resume", ranks=2).result
        self.assertEqual(again["steps"], 0)
        self.assertEqual((again["auc"], again["log_loss"]), (first["auc"], first["log_loss"]))


if __name__ == "__main__":
    harness.main()
