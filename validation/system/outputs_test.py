"""What a run leaves behind, and what it must not touch: outputs, locks, the last log line, one voice of many ranks."""
import json
import os
import signal
import time

import harness
from harness import Job, command, persia


class Outputs(harness.SystemTest):
    def small_run(self, **sections):
        rows = [f"{i % 2},{i % 7},{i % 5}\n" for i in range(64)]
        self.write("train.csv", ["label,x,c\n"] + rows)
        self.write("test.csv", ["label,x,c\n"] + rows[:16])
        return self.csv_run(dense=["x"], categorical=["c"], **sections)

    def long_run(self, **sections):
        return self.small_run(training={"mode": "hybrid", "epochs": 1000000}, log_every_steps=20, **sections)

    def refuse(self, outcome, *texts):
        self.assertEqual(outcome.code, 2, str(outcome))
        for text in texts:
            self.assertIn(text, outcome.err)
        self.assertEqual(outcome.err.count("error:"), 1, str(outcome))

    def start(self, run_file, **options):
        job = Job(command("train", run_file, **options))
        self.addCleanup(lambda: job.process.poll() is None and job.stop())
        log = self.folder / "run" / "log.jsonl"
        deadline = time.monotonic() + 60
        while not (log.exists() and "interval" in log.read_text()):
            self.assertLess(time.monotonic(), deadline, "the training did not start")
            time.sleep(0.05)
        return job, log

    def test_an_earlier_trainings_checkpoints_are_replaced_only_when_told(self):
        run_file = self.small_run()
        self.train(run_file)
        saved = list((self.folder / "run" / "checkpoints").glob("step-*/manifest.json"))
        before = saved[0].read_bytes()
        self.refuse(persia("train", run_file), "--overwrite", "--resume")
        self.assertEqual(saved[0].read_bytes(), before)
        self.assertEqual(persia("train", run_file, "--overwrite").code, 0)

    def test_a_finished_training_says_that_nothing_was_left_to_do(self):
        run_file = self.small_run()
        self.train(run_file)
        outcome = persia("train", run_file, "--resume")
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertIn("nothing was left to do", outcome.err)
        self.assertIsNone(outcome.result["train_loss"])
        self.assertIn("checkpoint", outcome.result)

    def test_a_measurement_writes_nothing(self):
        run_file = self.small_run(checkpoint={"every_steps": 2})
        outcome = persia("bench", "step", run_file, "--json", "--steps", "10", "--warm-up", "2")
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(json.loads(outcome.out)["steps"], 10)
        self.assertFalse((self.folder / "run").exists())

    def test_values_travel_as_the_run_file_says(self):
        losses = {}
        for values, share in (("fp32", 1), ("fp16", 0.7), ("bf16", 0.7), ("int8", 0.6)):
            run_file = self.small_run(training={"mode": "sync", "epochs": 3, "batch_size": 16})
            outcome = persia("train", run_file, "--overwrite", "--set", f"mail.values={values}", ranks=3)
            self.assertEqual(outcome.code, 0, str(outcome))
            wire = outcome.result["wire"]
            self.assertLessEqual(wire["sent_bytes"], share * wire["raw_bytes"])
            losses[values] = outcome.result["train_loss"]
        self.assertNotEqual(losses["fp16"], losses["fp32"])
        for values, difference in (("fp16", 2e-4), ("bf16", 2e-3), ("int8", 2e-3)):
            self.assertAlmostEqual(losses[values], losses["fp32"], delta=difference)

    def test_the_service_is_measured_between_owners_and_clients(self):
        outcome = persia("bench", "service", "--json", "--seconds", "0.02", "--owners", 2, ranks=4)
        self.assertEqual(outcome.code, 0, str(outcome))
        lines = [json.loads(line) for line in outcome.out.splitlines()]
        self.assertEqual(len({line["case"] for line in lines}), 24)
        for line in lines:
            self.assertEqual((line["owners"], line["clients"]), (2, 2))
            self.assertGreater(line.get("ratio", line.get("p50_us")), 0)
        self.refuse(persia("bench", "service"), "mpirun")

    def test_training_data_without_a_usable_row_train_nothing(self):
        run_file = self.small_run(data={"on_bad_row": "skip"})
        self.write("train.csv", ["label,x,c\n", "yes,1,1\n", "no,2,2\n"])
        for ranks in (1, 3):
            self.refuse(persia("train", run_file, ranks=ranks), "no usable row")
        self.assertFalse(list((self.folder / "run").glob("checkpoints/step-*")))

    def test_places_that_cannot_be_written_are_named_before_the_first_step(self):
        run_file = self.small_run()
        (self.folder / "file").write_text("x")
        self.refuse(persia("train", run_file, "--set", f"checkpoint.directory={self.folder}/file"),
                    "checkpoint.directory")
        (self.folder / "run").mkdir(exist_ok=True)
        (self.folder / "run" / "log.jsonl").mkdir()
        self.refuse(persia("train", run_file), "log.jsonl")
        (self.folder / "run" / "log.jsonl").rmdir()
        self.train(run_file)
        self.refuse(persia("predict", run_file, "--output", self.folder / "file" / "p.csv"), "--output")
        (self.folder / "p.csv").mkdir()
        self.refuse(persia("predict", run_file, "--output", self.folder / "p.csv"), "is a folder")

    def test_mailboxes_that_cannot_fit_are_refused_by_one_rank(self):
        run_file = self.small_run(mail={"ring_bytes": 1 << 40})
        self.refuse(persia("train", run_file, ranks=3), "mail.ring_bytes", "MiB")

    def test_data_from_a_pipe_are_refused(self):
        run_file = self.small_run()
        os.unlink(self.folder / "train.csv")
        os.mkfifo(self.folder / "train.csv")
        self.refuse(persia("train", run_file), "train.csv")

    def test_checkpoints_may_lie_in_the_output_itself(self):
        run_file = self.small_run(checkpoint={"directory": "."})
        self.train(run_file)
        self.assertEqual(len(list((self.folder / "run").glob("step-*"))), 1)

    def test_a_second_job_in_the_same_output_is_refused_and_the_first_goes_on(self):
        run_file = self.long_run(checkpoint={"every_steps": 20})
        job, _ = self.start(run_file)
        self.refuse(persia("train", run_file, "--overwrite"), "another job is writing into")
        self.assertIsNone(job.process.poll())
        job.stop()

    def test_a_run_that_is_asked_to_stop_leaves_a_last_log_line(self):
        run_file = self.long_run()
        for number in (signal.SIGTERM, signal.SIGINT):
            job, log = self.start(run_file)
            job.process.send_signal(number)
            outcome = job.wait(30)
            self.assertEqual(outcome.code, 143, str(outcome))
            self.assertIn("asked to stop", outcome.err)
            last = json.loads(log.read_text().splitlines()[-1])
            self.assertEqual((last["event"], last["status"]), ("end", "failed"))
            log.unlink()

    def test_what_needs_no_mpi_is_done_once_by_many_ranks(self):
        data = self.folder / "data"
        outcome = persia("generate", "criteo", "--output", data, "--rows", "1000", "--test-rows", "100", ranks=3)
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(len((data / "train.tsv").read_text().splitlines()), 1000)
        self.refuse(persia("train", "--nix", "x.yaml", ranks=3), "--nix")

    def test_an_evaluation_with_other_columns_is_refused(self):
        run_file = self.small_run()
        self.train(run_file)
        self.refuse(persia("eval", run_file, "--set", "data.dense=[{name: x, transform: log1p}]", ranks=3), "data.dense")


if __name__ == "__main__":
    harness.main()
