#!/usr/bin/env python3
"""A job that is stuck ends soon after mail.timeout_seconds, and every rank that can speak says where it stands.

SIGSTOP makes a rank silent without ending it: the stopped one is named, each other rank gives one block, and the exit code is 1.
"""

import os
import re
import signal
import time

import harness
from harness import Job, command

TIMEOUT = 3
SYNTHETIC = {"format": "synthetic", "synthetic": {"rows": 4096, "shrink": 10000}}
BLOCK = re.compile(r"(embedding|worker|trainer) (\d+) \(rank (\d+) on host \S+\) error: .*(nothing moved for|nothing has moved for)")


class StuckJob(harness.SystemTest):
    def start(self, ranks, until, **sections):
        """A training without end, once `until` is true; and its processes by rank."""
        sections["training"] = {"batch_size": 64, "epochs": 1000000, "threads": 1, **sections.pop("training", {})}
        run_file = self.run_file(
            data={**SYNTHETIC, **sections.pop("data", {})}, model={"type": "dnn", "hidden": [8]},
            embedding=sections.pop("embedding", {"dim": 4}), mail={"timeout_seconds": TIMEOUT}, log_every_steps=1, **sections)
        job = Job(command("train", run_file, ranks=ranks))
        self.addCleanup(lambda: job.process.poll() is None and job.stop())
        deadline = time.monotonic() + 60
        while not until():
            self.assertLess(time.monotonic(), deadline, "training did not get there")
            self.assertIsNone(job.process.poll(), "training ended by itself")
            time.sleep(0.02)
        return job, job.processes()

    def log_has(self, text):
        log = self.folder / "run" / "log.jsonl"
        return log.exists() and text in log.read_text()

    def stop_and_wait(self, job, processes, rank):
        """Stops a rank for good. The outcome, which came in time and with one block from every other rank."""
        self.addCleanup(lambda: harness.is_alive(processes[rank]) and os.kill(processes[rank], signal.SIGKILL))
        os.kill(processes[rank], signal.SIGSTOP)
        begin = time.monotonic()
        outcome = job.wait(TIMEOUT + 30)
        self.assertLess(time.monotonic() - begin, TIMEOUT + 10, str(outcome))
        self.assertEqual(outcome.code, 1, str(outcome))
        spoke = {int(match.group(3)) for match in map(BLOCK.search, outcome.err.splitlines()) if match}
        self.assertEqual(spoke, set(processes) - {rank}, str(outcome))
        time.sleep(0.5)
        self.assertEqual(job.left_over(), [])
        return outcome

    def assert_named(self, outcome, role, rank):
        self.assertTrue(outcome.lines_with(f"stopped (SIGSTOP; kill -CONT wakes): {role} (rank {rank} "), str(outcome))

    def test_a_stopped_trainer_in_sync_mode(self):
        job, processes = self.start(4, lambda: self.log_has('"interval"'), roles={"embedding": 2}, training={"mode": "sync"})
        outcome = self.stop_and_wait(job, processes, 3)
        self.assert_named(outcome, "trainer 1", 3)
        self.assertTrue(outcome.lines_with("waits for the gradients of trainers"), str(outcome))

    def test_a_stopped_trainer_while_others_sum_gradients(self):
        job, processes = self.start(4, lambda: self.log_has('"interval"'), roles={"embedding": 1}, training={"mode": "hybrid"})
        outcome = self.stop_and_wait(job, processes, 3)
        self.assert_named(outcome, "trainer 2", 3)
        self.assertTrue(outcome.lines_with("the other trainers' part of the sum of gradients"), str(outcome))

    def test_a_stopped_owner(self):
        job, processes = self.start(4, lambda: self.log_has('"interval"'), roles={"embedding": 2}, training={"mode": "hybrid"})
        outcome = self.stop_and_wait(job, processes, 0)
        self.assert_named(outcome, "embedding 0", 0)
        self.assertTrue(outcome.lines_with("waits for owners 0"), str(outcome))

    def test_a_stopped_worker(self):
        job, processes = self.start(4, lambda: self.log_has('"interval"'), roles={"embedding": 1, "worker": 2})
        outcome = self.stop_and_wait(job, processes, 1)
        self.assert_named(outcome, "worker 0", 1)
        self.assertTrue(outcome.lines_with("workers [0]"), str(outcome))

    def test_a_job_that_moves_and_is_asked_to_stop_says_just_that(self):
        job, _ = self.start(4, lambda: self.log_has('"interval"'), roles={"embedding": 2})
        job.process.terminate()
        outcome = job.wait(10)
        self.assertNotEqual(outcome.code, 0, str(outcome))
        self.assertEqual(len(outcome.lines_with("asked to stop")), 1, str(outcome))
        self.assertEqual(outcome.lines_with("moved for"), [], str(outcome))

    def test_a_stopped_owner_during_an_evaluation(self):
        job, processes = self.start(
            4, lambda: self.log_has('"evaluation"'), roles={"embedding": 2}, training={"evaluate_every_steps": 1},
            data={"synthetic": {"rows": 100000, "shrink": 10000}})
        outcome = self.stop_and_wait(job, processes, 1)
        self.assert_named(outcome, "embedding 1", 1)
        self.assertTrue(outcome.lines_with("evaluating the model of step"), str(outcome))

    def test_an_owner_that_is_stopped_while_it_saves(self):
        """The trainers have no deadline there, since saving may take hours: that it is stopped ends the job."""
        job, processes = self.start(
            4, lambda: self.log_has('"checkpoint"'), roles={"embedding": 2}, checkpoint={"every_steps": 1, "keep": 1},
            embedding={"dim": 64}, data={"synthetic": {"rows": 4096, "shrink": 100}})
        for _ in range(100):
            os.kill(processes[1], signal.SIGSTOP)
            time.sleep(0.3)
            if list((self.folder / "run" / "checkpoints").glob("step-*.*")):
                break
            os.kill(processes[1], signal.SIGCONT)
            time.sleep(0.05)
        outcome = self.stop_and_wait(job, processes, 1)
        self.assert_named(outcome, "embedding 1", 1)
        self.assertTrue(outcome.lines_with("saving the checkpoint of step"), str(outcome))
        self.assertTrue(outcome.lines_with("waiting for the owners' answers: those of owners 1"), str(outcome))


if __name__ == "__main__":
    harness.main()
