#!/usr/bin/env python3
"""Worker ranks change who does the work, and nothing else: the same training for any number of ranks of each kind."""

import json
import os
import signal
import time

import harness
from harness import PERSIA, Job, command, criteo_line, persia, run

STEPS = 50
REFERENCE_CHECK = PERSIA.parent / "reference_check"
LAYOUTS = [(1, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 2), (1, 3, 2)]  # embedding ranks, workers, trainers


def roles(owners, workers, trainers):
    return {"embedding": owners, "worker": workers, "trainer": trainers}


class Workers(harness.SystemTest):
    def setUp(self):
        super().setUp()
        # 500 rows in batches of 48: partial batches, repeated ids within and across trainers, several epochs.
        self.lines = [criteo_line(i * 5 % 7 % 2, [i, i % 13, -(i % 3)], [f"{i * 31 % 67:08x}", f"{i % 5:08x}", ""])
                      for i in range(500)]
        self.write("train.tsv", self.lines)
        self.write("test.tsv", self.lines[:60])

    def make(self, name, layout, **sections):
        optimizer = {"type": "adagrad", "learning_rate": 0.05, "initial_accumulator": 0.1}
        training = {"batch_size": 48, "epochs": 100, "max_steps": STEPS, "optimizer": optimizer}
        training.update(sections.pop("training", {}))
        return self.criteo_run(name, data={"shuffle": True}, model={"type": "dnn", "hidden": [16, 8]},
                               roles=roles(*layout), embedding={"dim": 4, "optimizer": optimizer}, training=training,
                               **sections)

    def trained(self, name, layout, *arguments, **sections):
        run_file = self.make(name, layout, **sections)
        return run_file, self.train(run_file, *arguments, ranks=sum(layout)).result

    def outcome_of(self, run_file):
        """Bytes of the dense network, and what the rows predict: every id is in the training rows."""
        checkpoint = self.checkpoints(run_file)[-1]
        return (self.model_checksums(checkpoint, ["dense.h5"]),
                self.predict(run_file, checkpoint, "--set", "data.test=[train.tsv]", "--set", "roles.embedding=1",
                             "--set", "roles.worker=0", "--set", "roles.trainer=1"))

    def test_sync_mode_equals_the_double_precision_reference(self):
        for layout in LAYOUTS:
            with self.subTest(layout=layout):
                run_file, _ = self.trained("reference.yaml", layout)
                outcome = run([str(REFERENCE_CHECK), str(run_file), str(STEPS), str(self.checkpoints(run_file)[-1])])
                self.assertEqual(outcome.code, 0, str(outcome))
                line = json.loads(outcome.out)
                self.assertLess(line["worst_parameter"], 1e-4)
                self.assertLess(line["worst_row"], 1e-4)

    def test_sync_mode_gives_the_bits_that_it_gives_without_workers(self):
        for owners, workers, trainers in LAYOUTS:
            with self.subTest(layout=(owners, workers, trainers)):
                with_workers, result = self.trained("with.yaml", (owners, workers, trainers))
                without, expected = self.trained("without.yaml", (owners, 0, trainers))
                self.assertEqual(self.outcome_of(with_workers), self.outcome_of(without))
                for key in ("steps", "rows", "auc", "log_loss", "train_loss"):
                    self.assertEqual(result[key], expected[key], key)
                self.assertEqual(result["ranks"], roles(owners, workers, trainers))

    def test_every_mode_trains_every_row_of_every_epoch_once(self):
        modes = [{"mode": "sync"}, *({"mode": mode, "staleness": staleness}
                                     for mode in ("hybrid", "async") for staleness in (0, 4))]
        for mode in modes:
            for layout in LAYOUTS:
                with self.subTest(mode=mode, layout=layout):
                    _, result = self.trained("rows.yaml", layout, training={**mode, "epochs": 3, "max_steps": 0})
                    self.assertEqual(result["steps"], 3 * 11)
                    self.assertEqual(result["read"]["rows"], 3 * 500)
                    self.assertLessEqual(result["staleness"]["max"], mode.get("staleness", 0))
                    self.assertEqual(result["rows"], 60)

    def test_both_transports_and_small_rings_give_the_same_bits(self):
        results = {}
        for transport, ring_bytes in (("rma", 4096), ("two_sided", 4096), ("rma", 1 << 20)):
            run_file, _ = self.trained("transport.yaml", (2, 2, 2),
                                       mail={"transport": transport, "ring_bytes": ring_bytes})
            results[transport, ring_bytes] = self.outcome_of(run_file)
        first, *others = results.values()
        for other in others:
            self.assertEqual(other, first)

    def test_int8_gives_the_same_bits_again_with_and_without_workers(self):
        for layout in ((2, 0, 3), (1, 1, 3), (2, 2, 2)):
            with self.subTest(layout=layout):
                first, again = (self.outcome_of(self.trained(name, layout, mail={"values": "int8"})[0])
                                for name in ("first.yaml", "again.yaml"))
                self.assertEqual(first, again)

    def test_a_training_that_stopped_goes_on_with_the_same_bits_for_any_workers(self):
        whole, last = self.trained("whole.yaml", (1, 2, 2), training={"epochs": 4, "max_steps": 0})
        parts = self.make("parts.yaml", (1, 2, 2), training={"epochs": 4, "max_steps": 0})
        self.train(parts, "--set", "training.max_steps=17", ranks=5)
        for layout, steps in (((1, 0, 2), 25), ((1, 3, 2), 0)):
            parts = self.make("parts.yaml", layout, training={"epochs": 4, "max_steps": steps})
            resumed = self.train(parts, "--resume", ranks=sum(layout)).result
        self.assertEqual(resumed["steps"], 44 - 25)
        self.assertEqual(resumed["log_loss"], last["log_loss"])
        self.assertEqual(self.outcome_of(parts), self.outcome_of(whole))

    def test_evaluations_and_checkpoints_on_the_way_change_nothing(self):
        plain, _ = self.trained("plain.yaml", (1, 2, 2))
        stops, _ = self.trained("stops.yaml", (1, 2, 2), training={"evaluate_every_steps": 7},
                                checkpoint={"every_steps": 9})
        self.assertEqual(self.outcome_of(stops), self.outcome_of(plain))

    def test_eval_and_predict_give_the_bits_that_they_give_without_workers(self):
        run_file, _ = self.trained("model.yaml", (1, 0, 1))
        checkpoint = self.checkpoints(run_file)[-1]
        expected = self.predict(run_file, checkpoint, ranks=2)
        quality = self.evaluate(run_file, ranks=2).result
        with_workers = ["--set", "roles.worker=2", "--set", "roles.trainer=2"]
        self.assertEqual(self.predict(run_file, checkpoint, *with_workers, ranks=5), expected)
        result = self.evaluate(run_file, *with_workers, ranks=5).result
        self.assertEqual(result["auc"], quality["auc"])
        self.assertAlmostEqual(result["log_loss"], quality["log_loss"], places=12)

    def test_the_environment_may_put_roles_anywhere(self):
        run_file = self.make("anywhere.yaml", (1, 2, 1))
        *flags, _, _ = harness.mpirun_flags(1)
        words = ["mpirun", *flags]
        for role in ("trainer", "worker", "embedding", "worker"):
            words += ["-np", "1", "-x", f"PERSIA_ROLE={role}", str(PERSIA), "train", str(run_file), ":"]
        words.pop()
        outcome = run(words)
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(outcome.result["steps"], STEPS)

    def test_bad_data_stop_the_job_with_one_message_and_code_2(self):
        self.write("train.tsv", self.lines[:300] + [criteo_line(1, ["x"], ["0"])] + self.lines)
        for mode in ("sync", "hybrid", "async"):
            with self.subTest(mode=mode):
                run_file = self.make("bad.yaml", (1, 2, 2), training={"mode": mode})
                outcome = persia("train", run_file, "--overwrite", ranks=5)
                self.assert_user_error(outcome, "train.tsv:301")
                self.assertEqual(len(outcome.lines_with("train.tsv:301")), 1, str(outcome))


class KilledRank(harness.SystemTest):
    ROLES = ("embedding 0", "worker 0", "worker 1", "trainer 0", "trainer 1")

    def test_a_rank_that_is_killed_ends_the_job_by_name(self):
        for killed, role in enumerate(self.ROLES):
            with self.subTest(killed=role):
                run_file = self.run_file(
                    data={"format": "synthetic", "synthetic": {"rows": 4096, "shrink": 10000}},
                    model={"type": "dnn", "hidden": [8]}, embedding={"dim": 4}, roles=roles(1, 2, 2),
                    training={"batch_size": 64, "epochs": 1000000, "threads": 1}, log_every_steps=1)
                job = Job(command("train", run_file, "--overwrite", ranks=len(self.ROLES)))
                self.addCleanup(lambda job=job: job.process.poll() is None and job.stop())
                log = self.folder / "run" / "log.jsonl"
                deadline = time.monotonic() + 60
                while not (log.exists() and '"interval"' in log.read_text()):
                    self.assertLess(time.monotonic(), deadline, "training did not start")
                    self.assertIsNone(job.process.poll(), "training ended by itself")
                    time.sleep(0.1)
                os.kill(job.processes()[killed], signal.SIGKILL)
                outcome = job.wait(30)
                self.assertNotEqual(outcome.code, 0, str(outcome))
                self.assertTrue(outcome.lines_with(f"{role} (rank {killed}"), str(outcome))
                time.sleep(0.5)
                self.assertEqual(job.left_over(), [])
                log.unlink()


if __name__ == "__main__":
    harness.main()
