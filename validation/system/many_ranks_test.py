"""More ranks than a machine has cores: 16 owners and 48 trainers, and the shared memory that their rings take."""
import os
import time

import harness

OWNERS, TRAINERS = 16, 48
RING_BYTES = 1 << 18


def shared_memory_bytes():
    room = os.statvfs("/dev/shm")
    return (room.f_blocks - room.f_bfree) * room.f_frsize


class ManyRanks(harness.SystemTest):
    def setUp(self):
        super().setUp()
        room = os.statvfs("/dev/shm")
        if room.f_bavail * room.f_frsize < 1 << 30:
            self.skipTest("/dev/shm has less than 1 GiB free")

    def run_of(self, **training):
        return self.run_file(
            data={"format": "synthetic", "synthetic": {"rows": 24000, "shrink": 1000}}, roles={"embedding": OWNERS},
            embedding={"dim": 8}, model={"type": "dnn", "hidden": [16]}, mail={"ring_bytes": RING_BYTES},
            training={"batch_size": 2400, "threads": 1, "epochs": 5, "max_steps": 50, **training})

    def test_sixty_four_ranks_train_what_one_process_does(self):
        run_file = self.run_of(mode="sync")
        many = self.train(run_file, ranks=OWNERS + TRAINERS, timeout=300).result
        alone = self.train(run_file, "--set", "roles.embedding=1").result
        self.assertEqual(many["steps"], 50)
        self.assertEqual(many["ranks"], {"embedding": OWNERS, "worker": 0, "trainer": TRAINERS})
        for name in ("train_loss", "log_loss", "auc"):
            self.assertAlmostEqual(many[name], alone[name], delta=1e-4)

    def test_their_rings_take_the_memory_that_the_formula_says(self):
        run_file = self.run_of(mode="hybrid", staleness=2)
        before = most = shared_memory_bytes()
        job = harness.Job(harness.command("train", run_file, "--overwrite", ranks=OWNERS + TRAINERS))
        self.addCleanup(lambda: job.process.poll() is None and job.stop())
        while job.process.poll() is None:
            most = max(most, shared_memory_bytes())
            time.sleep(0.2)
        outcome = job.wait(1)
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(outcome.result["steps"], 50)
        formula = 2 * OWNERS * TRAINERS * RING_BYTES  # src/mail/README.md
        self.assertAlmostEqual((most - before) / formula, 1, delta=0.1)


if __name__ == "__main__":
    harness.main()
