#!/usr/bin/env python3
"""Every number of ranks works, and a rank that is killed ends the job soon, by name, with nothing left over."""

import json
import os
import signal
import time

import harness
from harness import Job, command, persia

SYNTHETIC = {"format": "synthetic", "synthetic": {"rows": 4096, "shrink": 10000}}


class Ranks(harness.SystemTest):
    def test_1_2_3_4_and_8_ranks_train_and_evaluate(self):
        lines = [harness.criteo_line(i % 2, [i], [f"{i % 7:08x}"]) for i in range(200)]
        self.write("train.tsv", lines)
        self.write("test.tsv", lines)
        for ranks, embedding in ((1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (8, 3)):
            for mode in ("sync", "hybrid", "async"):
                with self.subTest(ranks=ranks, embedding=embedding, mode=mode):
                    run_file = self.criteo_run(roles={"embedding": embedding}, training={"mode": mode})
                    result = self.train(run_file, ranks=ranks).result
                    self.assertEqual(result["rows"], 200)
                    self.assertEqual(result["steps"], 25)
                    of_role = {"embedding": embedding, "trainer": ranks - embedding} if ranks > 1 else {"trainer": 1}
                    self.assertEqual(result["ranks"] | of_role, result["ranks"])


class EndlessTraining(harness.SystemTest):
    ROLES = ("embedding 0", "embedding 1", "trainer 0", "trainer 1")

    def start(self, until='"interval"', **sections):
        """A training without end, once it is under way; and its processes by rank."""
        run_file = self.run_file(
            data=SYNTHETIC, model={"type": "dnn", "hidden": [8]}, embedding={"dim": 4}, roles={"embedding": 2},
            training={"batch_size": 64, "epochs": 1000000, "threads": 1, **sections.pop("training", {})},
            log_every_steps=1, **sections)
        job = Job(command("train", run_file, "--overwrite", ranks=len(self.ROLES)))
        self.addCleanup(lambda: job.process.poll() is None and job.stop())
        log = self.folder / "run" / "log.jsonl"
        deadline = time.monotonic() + 60
        while not (log.exists() and until in log.read_text()):
            self.assertLess(time.monotonic(), deadline, "training did not start")
            self.assertIsNone(job.process.poll(), "training ended by itself")
            time.sleep(0.1)
        processes = job.processes()
        self.assertEqual(sorted(processes), list(range(len(self.ROLES))))
        return job, processes, log


class KilledRank(EndlessTraining):
    def kill_each_in_turn(self, ranks=range(4), **sections):
        for rank in ranks:
            role = self.ROLES[rank]
            with self.subTest(killed=role):
                job, processes, log = self.start(**sections)
                log.unlink()
                os.kill(processes[rank], signal.SIGKILL)
                outcome = job.wait(10)
                self.assertNotEqual(outcome.code, 0, str(outcome))
                self.assertTrue(outcome.lines_with(f"{role} (rank {rank}"), str(outcome))
                time.sleep(0.5)
                self.assertEqual(job.left_over(), [])

    def test_hybrid(self):
        self.kill_each_in_turn()

    def test_sync(self):
        self.kill_each_in_turn(training={"mode": "sync"})

    def test_two_sided_transport(self):
        self.kill_each_in_turn(mail={"transport": "two_sided"})

    def test_during_evaluations(self):
        self.kill_each_in_turn(ranks=(1, 2), until='"evaluation"', training={"evaluate_every_steps": 1})

    def test_during_saving(self):
        self.kill_each_in_turn(ranks=(0, 3), until='"checkpoint"', checkpoint={"every_steps": 1})

    def test_the_run_log_ends_with_one_failed_record(self):
        job, processes, log = self.start()
        os.kill(processes[0], signal.SIGKILL)
        job.wait(30)
        records = [json.loads(line) for line in log.read_text().splitlines()]
        ends = [record for record in records if record["event"] == "end"]
        self.assertEqual([record["status"] for record in ends], ["failed"], records[-3:])
        self.assertEqual(records[-1]["event"], "end")


class DamagedRing(EndlessTraining):
    RECORD = b"\x52\x50\x03\x00"  # magic and version of a record header, which has 48 bytes
    HEADER_BYTES = 48

    def flip_a_bit_behind_every_header(self, pid):
        """In the windows that this stopped process shares with the other ranks. How many headers stand there."""
        count = 0
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "r+b", buffering=0) as memory:
            shared = [line.split()[0] for line in maps if " rw-s " in line and "/osc_" in line]
            for begin, end in (map(lambda text: int(text, 16), span.split("-")) for span in shared):
                memory.seek(begin)
                content = memory.read(end - begin)
                at = content.find(self.RECORD)
                while 0 <= at < len(content) - self.HEADER_BYTES:
                    count += 1
                    memory.seek(begin + at + self.HEADER_BYTES)
                    memory.write(bytes([content[at + self.HEADER_BYTES] ^ 1]))
                    at = content.find(self.RECORD, at + 1)
        return count

    def test_a_bit_that_flips_in_a_ring_is_reported_with_peer_ring_and_place(self):
        """The owner is stopped until lookups wait in its rings; those are damaged, then it goes on."""
        job, processes, _ = self.start()
        os.kill(processes[0], signal.SIGSTOP)
        time.sleep(0.5)
        flipped = self.flip_a_bit_behind_every_header(processes[0])
        os.kill(processes[0], signal.SIGCONT)
        self.assertGreater(flipped, 0, "windows are no shared memory with a name of osc_")
        outcome = job.wait(10)
        self.assertEqual(outcome.code, 1, str(outcome))
        self.assertRegex(outcome.err, r"embedding 0 \(rank 0 on host \S+\) error: requests from rank [23]: the record at offset \d+ has "
                                      r"(checksum|magic) 0x[0-9a-f]+ where 0x[0-9a-f]+ is expected")


class ResumeAfterAFault(harness.SystemTest):
    def test_the_next_start_goes_on_from_the_newest_complete_checkpoint(self):
        lines = [harness.criteo_line(i % 2, [i], [f"{i % 7:08x}"]) for i in range(400)]
        self.write("train.tsv", lines)
        self.write("test.tsv", lines[:50])
        run_file = self.criteo_run(training={"epochs": 100000}, checkpoint={"every_steps": 50}, log_every_steps=10)
        job = Job(command("train", run_file, ranks=3))
        self.addCleanup(lambda: job.process.poll() is None and job.stop())
        deadline = time.monotonic() + 60
        while len(self.checkpoints(run_file)) < 2:
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(job.process.poll(), "training ended by itself")
            time.sleep(0.05)
        os.kill(job.processes()[1], signal.SIGKILL)
        self.assertNotEqual(job.wait(30).code, 0)
        steps = [int(path.name.removeprefix("step-")) for path in self.checkpoints(run_file)]
        last = max(steps)
        outcome = persia("train", run_file, "--resume", "--set", f"training.max_steps={last + 7}", ranks=3)
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(outcome.result["steps"], 7)


if __name__ == "__main__":
    harness.main()
