#!/usr/bin/env python3
"""Faults that users of such trainers met with input files (cases 1, 3, 5, 6)."""

import gzip

import harness
from harness import criteo_line, persia


def lines_of(count):
    return [criteo_line(i % 2, [i, i % 5], [f"{i % 11:08x}", f"{i % 3:08x}"]) for i in range(count)]


class Case1DamagedGzip(harness.SystemTest):
    def damaged(self, content):
        middle = len(content) // 2
        return {
            "60 % of the bytes": content[:len(content) * 6 // 10],
            "without its trailer": content[:-4],
            "one byte flipped": content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1:],
        }

    def check_each(self, num_lines, ranks):
        good = gzip.compress("".join(lines_of(num_lines)).encode())
        self.write("test.tsv", lines_of(20))
        run_file = self.criteo_run(train="train.tsv.gz", training={"batch_size": 256})
        self.write("train.tsv.gz", good)
        self.train(run_file, "--set", "training.max_steps=2", ranks=ranks)
        before = self.checkpoints(run_file)
        for name, content in self.damaged(good).items():
            with self.subTest(name):
                self.write("train.tsv.gz", content)
                outcome = persia("train", run_file, "--resume", ranks=ranks)
                self.assertTrue(outcome.lines_with("ends early") or outcome.lines_with("damaged"), str(outcome))
                self.assert_user_error(outcome, "train.tsv.gz", "rows")
                self.assertEqual(self.checkpoints(run_file), before)
                self.evaluate(run_file, ranks=ranks)

    def test_case_1_found_by_the_first_look(self):
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                self.check_each(1000, ranks)

    def test_case_1_found_by_the_thread_that_reads_ahead(self):
        self.check_each(130000, 3)


class Case3BytesAroundTheText(harness.SystemTest):
    def check_each(self, suffix, make_run, lines):
        text = "".join(lines)
        variants = {"lf": text, "crlf": text.replace("\n", "\r\n"), "no final newline": text[:-1],
                    "empty last line": text + "\n"}
        seen = {}
        for name, content in variants.items():
            self.write(f"train.{suffix}", content.encode())
            self.write(f"test.{suffix}", content.encode())
            run_file = make_run(f"{name.replace(' ', '_')}.yaml")
            result = self.train(run_file, "--set", "training.epochs=3").result
            self.assertEqual(result["rows"], 6)
            seen[name] = (result["tables"]["rows"], self.predict(run_file, self.checkpoints(run_file)[-1]))
        for name, outcome in seen.items():
            self.assertEqual(outcome, seen["lf"], name)

    def test_case_3_criteo(self):
        self.check_each("tsv", self.criteo_run, lines_of(6))

    def test_case_3_csv(self):
        lines = ["label,x,c\n", *[f"{i % 2},{i},v{i % 3}\n" for i in range(6)]]
        self.check_each("csv", lambda name: self.csv_run(name, dense=["x"], categorical=["c"]), lines)


class Case5ColumnsAreNeverTakenForOthers(harness.SystemTest):
    def test_case_5_rows_without_a_label(self):
        lines = lines_of(40)
        self.write("train.tsv", lines)
        self.write("test.tsv", lines[:5])
        self.write("bare.tsv", [line.partition("\t")[2] for line in lines[:5]])
        run_file = self.criteo_run()
        self.train(run_file)
        checkpoint = self.checkpoints(run_file)[-1]
        expected = self.predict(run_file, checkpoint)

        bare = ["--set", "data.test=[bare.tsv]"]
        outcome = persia("eval", run_file, *bare)
        self.assert_user_error(outcome, "bare.tsv:1", "39 fields", "40 expected", "data.label")

        self.assertEqual(self.predict(run_file, checkpoint, *bare, "--set", "data.label.name=none"), expected)
        outcome = persia("predict", run_file, "--checkpoint", checkpoint, "--output", self.folder / "p.csv", *bare,
                         "--set", "data.label.name=none")
        self.assertNotIn("auc", outcome.out.lower())


class Case6BlanksAreValues(harness.SystemTest):
    def test_case_6_blank_integers_and_categories(self):
        words = ["0", "-1", "a", "b"]
        lines = []
        for i in range(200):
            integers = [""] * 13 if i < 50 else [i % 7] * 13
            categories = [""] * 26 if 50 <= i < 100 else [words[i % 4]] * 26
            lines.append(criteo_line(i % 2, integers, categories))
        self.write("train.tsv", lines)
        self.write("test.tsv", [criteo_line(0, [""] * 13), criteo_line(0, ["0"] * 13),
                                *[criteo_line(0, [3] * 13, [word] * 26) for word in ["", *words]]])
        run_file = self.criteo_run(training={"batch_size": 32, "epochs": 5})
        result = self.train(run_file).result
        self.assertLess(result["log_loss"], 10)
        self.assertEqual(result["read"]["blank_dense"], 5 * 50 * 13)
        self.assertEqual(result["read"]["blank_categories"], 5 * 50 * 26)
        self.assertEqual(result["tables"]["rows"], 26 * 5)
        blank_integer, zero_integer, *by_category = self.predict(run_file, self.checkpoints(run_file)[-1])
        self.assertEqual(blank_integer, zero_integer)  # a blank is 0 after the transform
        self.assertEqual(len(set(by_category)), 5)


if __name__ == "__main__":
    harness.main()
