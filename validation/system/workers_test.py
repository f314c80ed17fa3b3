#!/usr/bin/env python3
"""Worker ranks change who does the work, and nothing else: the same training for any number of ranks of each kind."""

import gzip
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

    def test_the_result_tells_where_the_time_of_workers_goes(self):
        run_file, result = self.trained("shares.yaml", (1, 2, 2), training={"mode": "hybrid"})
        self.assertEqual(set(result["workers"]), {"read", "lookup_wait", "idle", "pool", "send"})
        self.assertAlmostEqual(sum(result["workers"].values()), 1, places=6)
        self.assertGreater(result["workers"]["pool"], 0)
        end = json.loads((self.folder / "shares" / "log.jsonl").read_text().splitlines()[-1])
        self.assertEqual(end["workers"], result["workers"])
        self.assertEqual(set(self.evaluate(run_file, ranks=5).result["workers"]), set(result["workers"]))

    def test_bytes_of_owners_are_those_without_workers_and_batches_come_on_top(self):
        _, without = self.trained("without.yaml", (1, 0, 2))
        _, with_workers = self.trained("with.yaml", (1, 2, 2))
        _, halves = self.trained("halves.yaml", (1, 2, 2), mail={"values": "fp16"})
        # Of a row of training: its number, label, 13 dense values, and 26 pooled rows of 4 there and back.
        width, trained, scored = 26 * 4, 4 * 500 + 6 * 48, 60
        batches = trained * (8 + 4 * (1 + 13 + 2 * width)) + scored * (8 + 4 * (1 + 13 + width))
        self.assertEqual(with_workers["wire"]["raw_bytes"], without["wire"]["raw_bytes"] + batches)
        self.assertEqual(with_workers["wire"]["sent_bytes"], without["wire"]["sent_bytes"] + batches)
        self.assertEqual(halves["wire"]["raw_bytes"], with_workers["wire"]["raw_bytes"])
        self.assertLess(halves["wire"]["sent_bytes"], 0.65 * halves["wire"]["raw_bytes"])

    def test_halves_between_ranks_train_as_well(self):
        for values in ("fp16", "bf16"):
            _, without = self.trained("without.yaml", (1, 0, 2), mail={"values": values})
            _, with_workers = self.trained("with.yaml", (1, 2, 2), mail={"values": values})
            self.assertAlmostEqual(with_workers["log_loss"], without["log_loss"], delta=0.02)

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


class Waiting(harness.SystemTest):
    TIMEOUT = 3  # seconds

    def test_slow_files_are_waited_for(self):
        """Between its first and last rows the file has lines to skip that take much longer than mail.timeout_seconds."""
        rows = "".join(f"{i % 2},{i % 7},{i % 5}\n" for i in range(256))
        with gzip.open(self.folder / "slow.csv.gz", "wt", compresslevel=1) as file:
            file.write("label,x,c\n" + rows)
            for _ in range(500):
                file.write("\n" * (1 << 20))
            file.write(rows)
        for mode in ("sync", "hybrid"):
            with self.subTest(mode=mode):
                run_file = self.csv_run(train="slow.csv.gz", dense=["x"], data={"test": []},
                                        categorical=[{"name": "c", "type": "integer"}], roles=roles(1, 2, 2),
                                        training={"mode": mode}, mail={"timeout_seconds": self.TIMEOUT})
                result = self.train(run_file, ranks=5, timeout=300).result
                self.assertEqual(result["steps"], 64)
                self.assertGreater(result["seconds"], 1.3 * self.TIMEOUT, "the file is not slow on this machine")

    def test_an_owner_that_is_stuck_is_named_by_the_worker_behind_which_it_is(self):
        for mode in ("sync", "hybrid"):
            with self.subTest(mode=mode):
                run_file = self.run_file(
                    data={"format": "synthetic", "synthetic": {"rows": 4096, "shrink": 10000}},
                    model={"type": "dnn", "hidden": [8]}, embedding={"dim": 4}, roles=roles(2, 2, 2),
                    training={"batch_size": 64, "epochs": 1000000, "threads": 1, "mode": mode}, log_every_steps=1,
                    mail={"timeout_seconds": 4})
                job, processes = started(self, run_file, 6)
                self.addCleanup(lambda pid=processes[1]: harness.is_alive(pid) and os.kill(pid, signal.SIGKILL))
                os.kill(processes[1], signal.SIGSTOP)
                stopped = time.monotonic()
                outcome = job.wait(60)
                self.assertLess(time.monotonic() - stopped, 4 + 10, str(outcome))
                # 1, or 143 where mpirun ends a rank before it has the code of the one that failed.
                self.assertIn(outcome.code, (1, 143), str(outcome))
                self.assertRegex(outcome.err, r"worker [01] \(rank [23] .*owners said nothing for 4 s")
                self.assertTrue(outcome.lines_with("owners 1"), str(outcome))


def started(test, run_file, ranks):
    """A job that trains, and its processes by rank."""
    job = Job(command("train", run_file, "--overwrite", ranks=ranks))
    test.addCleanup(lambda: job.process.poll() is None and job.stop())
    log = test.folder / "run" / "log.jsonl"
    deadline = time.monotonic() + 60
    while not (log.exists() and '"interval"' in log.read_text()):
        test.assertLess(time.monotonic(), deadline, "training did not start")
        test.assertIsNone(job.process.poll(), "training ended by itself")
        time.sleep(0.1)
    log.unlink()
    return job, job.processes()


class KilledRank(harness.SystemTest):
    ROLES = ("embedding 0", "worker 0", "worker 1", "trainer 0", "trainer 1")

    def test_a_rank_that_is_killed_ends_the_job_by_name(self):
        for killed, role in enumerate(self.ROLES):
            with self.subTest(killed=role):
                run_file = self.run_file(
                    data={"format": "synthetic", "synthetic": {"rows": 4096, "shrink": 10000}},
                    model={"type": "dnn", "hidden": [8]}, embedding={"dim": 4}, roles=roles(1, 2, 2),
                    training={"batch_size": 64, "epochs": 1000000, "threads": 1}, log_every_steps=1)
                job, processes = started(self, run_file, len(self.ROLES))
                os.kill(processes[killed], signal.SIGKILL)
                outcome = job.wait(30)
                self.assertNotEqual(outcome.code, 0, str(outcome))
                self.assertTrue(outcome.lines_with(f"{role} (rank {killed}"), str(outcome))
                time.sleep(0.5)
                self.assertEqual(job.left_over(), [])


if __name__ == "__main__":
    harness.main()
