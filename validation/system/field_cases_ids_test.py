#!/usr/bin/env python3
"""Faults that users of such trainers met with ids and tables (cases 9, 10, 11, 12)."""

import harness
from harness import persia


def rows_of(values):
    return ["label,c\n", *[f"{i % 2},{value}\n" for i, value in enumerate(values)]]


class IdTest(harness.SystemTest):
    def id_run(self, values, kind="integer", name="run.yaml", **sections):
        self.write("train.csv", rows_of(values))
        self.write("test.csv", rows_of(values))
        return self.csv_run(name, categorical=[{"name": "c", "type": kind}], model={"type": "lr"}, **sections)


class Case9IdsAreNeverFloatingPoint(IdTest):
    IDS = ["9007199254740992", "9007199254740993", "", "1234567890123456768", "1234567890123456789"]

    def test_case_9_neighbours_of_19_digits_stay_apart(self):
        for kind in ("integer", "unsigned", "string"):
            with self.subTest(kind):
                run_file = self.id_run(self.IDS, kind, f"{kind}.yaml")
                result = self.train(run_file).result
                self.assertEqual(result["tables"]["rows"], 5)
                # One step of equal size up or down for each row: labels 0 and 1 in turn.
                predictions = self.predict(run_file, self.checkpoints(run_file)[-1])
                self.assertEqual([float(p) > 0.5 for p in predictions], [False, True, False, True, False])

    def test_case_9_the_largest_numbers(self):
        run_file = self.id_run(["18446744073709551615", "9223372036854775808"], "unsigned")
        self.assertEqual(self.train(run_file).result["tables"]["rows"], 2)
        run_file = self.id_run(["9223372036854775807", "-9223372036854775808"], "integer")
        self.assertEqual(self.train(run_file).result["tables"]["rows"], 2)

    def test_case_9_numbers_that_do_not_fit_are_refused_or_texts(self):
        for number in ("18446744073709551616", "123456789012345678901"):
            for kind in ("integer", "unsigned"):
                with self.subTest(number=number, kind=kind):
                    run_file = self.id_run(["1", number], kind)
                    self.assert_user_error(persia("train", run_file), "train.csv:3", number)
            run_file = self.id_run(["1", number], "string")
            self.assertEqual(self.train(run_file).result["tables"]["rows"], 2)


class Case10NegativeIds(IdTest):
    IDS = ["-1", "-7", "-9223372036854775808", ""]

    def test_case_10_every_number_of_owners(self):
        seen = []
        for owners in (1, 2, 3, 4):
            with self.subTest(owners=owners):
                run_file = self.id_run(self.IDS, name=f"e{owners}.yaml", roles={"embedding": owners})
                result = self.train(run_file, ranks=owners + 1).result
                self.assertEqual(result["tables"]["rows"], 4)
                seen.append(self.predict(run_file, self.checkpoints(run_file)[-1], ranks=owners + 1))
        self.assertEqual(len(set(map(tuple, seen))), 1)

    def test_case_10_saved_with_2_owners_loaded_with_3(self):
        values = self.IDS * 2 + ["-1", "-7"]
        run_file = self.id_run(values, roles={"embedding": 2})
        self.train(run_file, ranks=3)
        checkpoint = self.checkpoints(run_file)[-1]
        expected = self.predict(run_file, checkpoint, ranks=3)
        self.assertGreater(len(set(expected)), 2)
        again = self.predict(run_file, checkpoint, "--set", "roles.embedding=3", ranks=4)
        self.assertEqual(again, expected)
        result = self.evaluate(run_file, "--set", "roles.embedding=3", ranks=4).result
        self.assertEqual(result["tables"]["rows"], 4)
        self.assertEqual(result["tables"]["unseen"], 0)


class Case11UnseenIds(IdTest):
    def test_case_11_unseen_ids_get_one_default_prediction(self):
        run_file = self.id_run(["1", "2", "3", "5", "6"] * 4, training={"epochs": 3})
        self.train(run_file)
        self.write("test.csv", rows_of(["1", "2", "4", "7", "8", "3", "5", "6"]))
        checkpoint = self.checkpoints(run_file)[-1]
        by_id = self.predict(run_file, checkpoint)
        default = set(by_id[2:5])
        self.assertEqual(len(default), 1)
        self.assertTrue(default.isdisjoint(by_id[:2] + by_id[5:]))
        result = self.evaluate(run_file).result
        self.assertEqual(result["tables"]["unseen"], 3)
        self.assertEqual(result["tables"]["rows"], 5)


class Case12NoCollisions(harness.SystemTest):
    def test_case_12_200000_texts_are_200000_rows(self):
        count = 200000
        self.write("train.csv", ["label,a,b\n", *[f"{i % 2},u{i},u{i}\n" for i in range(count)]])
        self.write("test.csv", ["label,a,b\n", "0,u1,u2\n", "1,u3,u4\n"])
        options = {"training": {"batch_size": 20000}, "embedding": {"dim": 1}, "model": {"type": "lr"}}
        own = self.csv_run("own.yaml", categorical=["a", "b"], **options)
        self.assertEqual(self.train(own, ranks=2).result["tables"]["rows"], 2 * count)
        shared = self.csv_run("shared.yaml", categorical=[{"name": name, "table": "users"} for name in "ab"], **options)
        self.assertEqual(self.train(shared, ranks=2).result["tables"]["rows"], count)

    def test_case_12_case_and_leading_zeros_make_different_ids(self):
        self.write("train.csv", rows_of(["A1", "a1", "0a1", "A1"]))
        self.write("test.csv", rows_of(["A1"]))
        run_file = self.csv_run(categorical=["c"])
        self.assertEqual(self.train(run_file).result["tables"]["rows"], 3)

    def test_case_12_criteo_hexadecimal_is_taken_as_written(self):
        lines = [harness.criteo_line(0, [], [text]) for text in ("0A1B2C3D", "0a1b2c3d")]
        self.write("train.tsv", lines)
        self.write("test.tsv", lines)
        result = self.train(self.criteo_run()).result
        self.assertEqual(result["tables"]["rows"], 25 + 2)


if __name__ == "__main__":
    harness.main()
