#!/usr/bin/env python3
"""Wrong input ends a run at once with one message over all ranks and exit code 2, and nothing half-written."""

import resource

import harness
from harness import persia

CSV_HEADER = "label,x,c\n"
GOOD_ROWS = [f"{i % 2},{i},v{i % 5}\n" for i in range(40)]
RANKS = (1, 3)


class BadRunFile(harness.SystemTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", [CSV_HEADER, *GOOD_ROWS])
        self.write("test.csv", [CSV_HEADER, *GOOD_ROWS])

    def refuse(self, run_file, *texts, arguments=()):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                self.assert_user_error(persia("train", run_file, *arguments, ranks=ranks), *texts)
        self.assertEqual(self.checkpoints(run_file), [])

    def test_unknown_key_names_line_and_nearest(self):
        run_file = self.write("run.yaml", ["name: a\n", "training:\n", "  batchsize: 8\n"])
        self.refuse(run_file, "run.yaml:3", "batchsize", "batch_size")

    def test_unknown_key_on_the_command_line(self):
        run_file = self.csv_run(dense=["x"], categorical=["c"])
        self.refuse(run_file, "batchsize", "batch_size", arguments=["--set", "training.batchsize=8"])

    def test_wrong_type_names_line_and_key(self):
        run_file = self.write("run.yaml", ["name: a\n", "training:\n", "  batch_size: many\n"])
        self.refuse(run_file, "run.yaml:3", "batch_size", "many")

    def test_missing_run_file(self):
        self.refuse(self.folder / "absent.yaml", "absent.yaml")

    def test_empty_run_file(self):
        self.refuse(self.write("run.yaml", ""), "run.yaml", "empty")

    def test_run_file_without_data(self):
        self.refuse(self.write("run.yaml", "name: a\n"), "data.train")

    def test_run_file_beside_print_default(self):
        run_file = self.csv_run(dense=["x"], categorical=["c"])
        self.assert_user_error(persia("train", run_file, "--print-default"), "--print-default", "--check")
        self.assert_user_error(persia("train", "--set", "seed=2", "--print-default"), "--print-default")

    def test_network_larger_than_the_machine(self):
        run_file = self.csv_run(dense=["x"], categorical=["c"], model={"type": "dnn", "hidden": [1048576] * 3})
        self.refuse(run_file, "mlp.1", "8.0 TiB", "model.hidden")

    def test_duplicate_column(self):
        self.refuse(self.csv_run(dense=["x"], categorical=["c", "c"]), "categorical", "'c'")

    def test_roles_that_do_not_add_up(self):
        run_file = self.csv_run(dense=["x"], categorical=["c"], roles={"embedding": 2, "trainer": 3})
        self.assert_user_error(persia("train", run_file, ranks=3), "roles.embedding: 2 and roles.trainer: 3", "3 processes")


class BadData(harness.SystemTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", [CSV_HEADER, *GOOD_ROWS])
        self.write("test.csv", [CSV_HEADER, *GOOD_ROWS])
        self.run_path = self.csv_run(dense=["x"], categorical=["c"])

    def refuse(self, *texts):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                self.assert_user_error(persia("train", self.run_path, ranks=ranks), *texts)
        self.assertEqual(self.checkpoints(self.run_path), [])

    def refuse_row(self, row, *texts):
        """The bad row is the last but one of the training file."""
        self.write("train.csv", [CSV_HEADER, *GOOD_ROWS[:10], row + "\n", GOOD_ROWS[10]])
        self.refuse("train.csv:12", *texts)

    def test_missing_data_file(self):
        (self.folder / "train.csv").unlink()
        self.refuse("train.csv")

    def test_missing_test_file(self):
        (self.folder / "test.csv").unlink()
        self.refuse("test.csv")

    def test_empty_data_file(self):
        self.write("train.csv", "")
        self.refuse("train.csv", "empty")

    def test_file_of_wide_characters(self):
        (self.folder / "train.csv").write_text("".join([CSV_HEADER, *GOOD_ROWS]), encoding="utf-16")
        self.refuse("train.csv:1", "UTF-16", "iconv")

    def test_header_without_rows(self):
        self.write("train.csv", CSV_HEADER)
        self.refuse("train.csv")

    def test_missing_column(self):
        self.write("train.csv", ["label,x,d\n", *GOOD_ROWS])
        self.refuse("train.csv", "'c'")

    def test_too_few_fields(self):
        self.refuse_row("1,5", "train.csv:12: 2 fields, 3 expected", "data.on_bad_row: skip")

    def test_too_many_fields(self):
        self.refuse_row("1,5,a,b", "4 fields", "3 expected")

    def test_number_that_is_none_names_the_column(self):
        self.refuse_row("1,five,a", "x", "five")

    def test_label_that_is_neither_0_nor_1(self):
        for label in ("2", "-1", "0.5", "yes", ""):
            with self.subTest(label=label):
                self.refuse_row(f"{label},5,a", "label")

    def test_non_finite_dense_value_names_the_column(self):
        for value in ("inf", "-inf", "nan", "1e39"):
            with self.subTest(value=value):
                self.refuse_row(f"1,{value},a", "x", value)

    def test_duplicate_column_of_the_file(self):
        self.write("train.csv", ["label,x,x\n", *GOOD_ROWS])
        self.refuse("train.csv", "'x'")

    def test_duplicate_file(self):
        run_file = self.csv_run("twice.yaml", dense=["x"], categorical=["c"],
                                data={"train": ["train.csv", "train.csv"]})
        self.assert_user_error(persia("train", run_file), "train.csv")

    def test_criteo_row_with_a_letter_among_the_integers(self):
        self.write("train.tsv", [harness.criteo_line(0), harness.criteo_line(1, ["7", "x7"])])
        self.write("test.tsv", harness.criteo_line(0))
        self.run_path = self.criteo_run("criteo.yaml")
        self.refuse("train.tsv:2", "I2", "x7")

    def test_bad_row_far_behind_the_first_look(self):
        """Met by the reading thread in the middle of training, after 120,000 good rows."""
        self.write("train.csv", [CSV_HEADER, *GOOD_ROWS * 3000, "1,five,a\n"])
        self.run_path = self.csv_run(dense=["x"], categorical=["c"], training={"batch_size": 1024})
        self.refuse("train.csv:120002", "x", "five")


class BadCheckpoint(harness.SystemTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", [CSV_HEADER, *GOOD_ROWS])
        self.write("test.csv", [CSV_HEADER, *GOOD_ROWS])
        self.run_path = self.csv_run(dense=["x"], categorical=["c"])
        self.train(self.run_path, ranks=3)
        self.checkpoint = self.checkpoints(self.run_path)[-1]

    def refuse(self, *texts):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                outcome = persia("eval", self.run_path, "--checkpoint", self.checkpoint, ranks=ranks)
                self.assert_user_error(outcome, *texts)
        with self.subTest("resume"):
            self.assert_user_error(persia("train", self.run_path, "--resume"), *texts)

    def embedding_file(self):
        return next(self.checkpoint.glob("embedding-*.h5"))

    def test_truncated_file(self):
        path = self.embedding_file()
        path.write_bytes(path.read_bytes()[:-1])
        self.refuse(path.name)

    def test_altered_file(self):
        path = self.checkpoint / "dense.h5"
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        self.refuse("dense.h5")

    def test_missing_file(self):
        path = self.embedding_file()
        path.unlink()
        self.refuse(path.name)

    def test_damaged_manifest(self):
        path = self.checkpoint / "manifest.json"
        path.write_text(path.read_text()[:-20])
        self.refuse("manifest.json")

    def test_inspect_verifies_the_newest_of_a_directory(self):
        self.train(self.run_path, "--resume", "--set", "training.epochs=2", ranks=3)
        older, newest = self.checkpoints(self.run_path)
        self.assertEqual(persia("inspect", newest.parent, "--verify").code, 0)
        manifest = newest / "manifest.json"
        manifest.write_text(manifest.read_text()[:-20])
        self.assert_user_error(persia("inspect", newest.parent, "--verify"), str(manifest), older.name)
        manifest.unlink()
        self.assert_user_error(persia("inspect", newest.parent, "--verify"), newest.name, "manifest.json")
        outcome = persia("eval", self.run_path)
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(len(outcome.lines_with("a checkpoint is left out")), 1, str(outcome))

    def test_no_checkpoint(self):
        outcome = persia("eval", self.run_path, "--checkpoint", self.folder / "absent")
        self.assert_user_error(outcome, "absent")

    def test_checkpoint_of_another_model(self):
        for key, value in (("embedding.dim", 8), ("model.hidden", "[16]")):
            with self.subTest(key=key):
                arguments = ["--checkpoint", self.checkpoint, "--set", f"{key}={value}"]
                self.assert_user_error(persia("eval", self.run_path, *arguments), "in the checkpoint", "run file")


class FullDisk(harness.SystemTest):
    """A file size limit stands in for the full disk: 20 MB are enough for what MPI keeps in files."""

    LIMIT = 20_000_000

    def limit(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.LIMIT, self.LIMIT))

    def test_previous_checkpoint_stays_good(self):
        rows = [f"{i % 2},{i},v{i}\n" for i in range(4000)]
        self.write("train.csv", [CSV_HEADER, *rows])
        self.write("test.csv", [CSV_HEADER, *rows[:100]])
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                run_file = self.csv_run(f"run{ranks}.yaml", dense=["x"], categorical=["c"], embedding={"dim": 2048},
                                        training={"batch_size": 64},
                                        data={"dense": [{"name": "x", "transform": "log1p"}]})
                self.train(run_file, "--set", "training.max_steps=5", ranks=ranks)
                before = self.checkpoints(run_file)
                outcome = persia("train", run_file, "--resume", ranks=ranks, prepare=self.limit)
                self.assertNotEqual(outcome.code, 0, str(outcome))
                self.assertEqual(len(outcome.lines_with("cannot write")), 1, str(outcome))
                self.assertEqual(self.checkpoints(run_file), before)
                self.evaluate(run_file, ranks=ranks)
                self.train(run_file, "--resume", ranks=ranks)


if __name__ == "__main__":
    harness.main()
