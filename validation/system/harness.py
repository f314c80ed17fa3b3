"""Starts persia the way people do, on one machine, and looks at what comes out. Standard library only.

PERSIA_BUILD names the build folder. A test file ends with `harness.main()`; its exit code is 0 when all tests passed,
1 when one failed or none ran, and 77 when all were skipped.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import dataclass
from pathlib import Path

PERSIA = Path(os.environ.get("PERSIA_BUILD", "build")).resolve() / "persia"
SKIPPED = 77


@dataclass
class Outcome:
    """What a finished command left behind."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def result(self):
        """The object of the last line on standard output, `result {json}`; strict JSON, so no bare NaN."""
        lines = self.out.splitlines()
        if not lines or not lines[-1].startswith("result "):
            raise AssertionError(f"no result line at the end of standard output\n{self}")
        return json.loads(lines[-1][len("result "):], parse_constant=_refuse_constant)

    def lines_with(self, text):
        return [line for line in self.err.splitlines() if text in line]

    def __str__(self):
        return f"exit code {self.code} after {self.seconds:.1f} s\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def _refuse_constant(name):
    raise AssertionError(f"{name} is no JSON number")


def mpirun_flags(ranks, bind="none"):
    """More ranks than cores are allowed; idle ranks then yield the core. Open MPI 4.1 and 5.0."""
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=True).stdout
    over = ["--oversubscribe"] if "(Open MPI) 4." in version else ["--map-by", ":OVERSUBSCRIBE"]
    return over + ["--bind-to", bind, "--mca", "mpi_yield_when_idle", "1", "-np", str(ranks)]


def command(*arguments, ranks=1):
    """persia with these arguments; through mpirun from two ranks on."""
    own = [str(PERSIA), *map(str, arguments)]
    return own if ranks == 1 else ["mpirun", *mpirun_flags(ranks), *own]


def environment(extra=None):
    result = {key: value for key, value in os.environ.items() if not key.startswith(("PERSIA_", "OMPI_", "PMIX_"))}
    if os.geteuid() == 0:
        result.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    result.update(extra or {})
    return result


class Job:
    """A command under way. Ends with everything it started, whatever happens."""

    def __init__(self, words, env=None, cwd=None, prepare=None):
        self._printed = tempfile.TemporaryDirectory(prefix="persia-printed-")
        out, err = (open(Path(self._printed.name, name), "w") for name in ("out", "err"))
        self._started = time.monotonic()
        self._seen = set()
        with out, err:
            self.process = subprocess.Popen(
                words, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environment(env), cwd=cwd,
                preexec_fn=prepare, start_new_session=True)

    def processes(self):
        """Process ids by MPI rank, of what this job started."""
        found = {}
        for pid in descendants(self.process.pid):
            rank = environment_of(pid).get("OMPI_COMM_WORLD_RANK")
            if rank is not None and program_of(pid) == str(PERSIA):
                found[int(rank)] = pid
        self._seen.update(found.values())
        return found

    def wait(self, timeout):
        """The outcome. Fails the test, with what was printed, if the command runs longer than `timeout` seconds."""
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.stop()
            raise AssertionError(f"still running after {timeout} s\n{self._outcome()}") from None
        return self._outcome()

    def stop(self):
        """Ends the job: mpirun ends its ranks when asked, and what is left of them is killed."""
        pids = descendants(self.process.pid)
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pid in pids:
            if is_alive(pid) and program_of(pid) == str(PERSIA):
                os.kill(pid, signal.SIGKILL)

    def left_over(self):
        """Ranks seen by processes() that still live."""
        return [pid for pid in self._seen if is_alive(pid)]

    def _outcome(self):
        seconds = time.monotonic() - self._started
        out, err = (Path(self._printed.name, name).read_text(errors="replace") for name in ("out", "err"))
        self._printed.cleanup()
        return Outcome(self.process.returncode, out, err, seconds)


def descendants(pid):
    """All processes below `pid`."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, queue = [], [pid]
    while queue:
        children = parents.get(queue.pop(), [])
        found += children
        queue += children
    return found


def environment_of(pid):
    try:
        pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return dict(pair.decode(errors="replace").split("=", 1) for pair in pairs if b"=" in pair)


def program_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def run(words, timeout=60, **options):
    return Job(words, **options).wait(timeout)


def persia(*arguments, ranks=1, timeout=60, **options):
    return run(command(*arguments, ranks=ranks), timeout=timeout, **options)


def criteo_line(label, integers=None, categories=None):
    """One row of a Criteo file; short lists are filled with a fixed value, label None leaves the field out."""
    integers = list(integers or []) + [1] * (13 - len(integers or []))
    categories = list(categories or []) + ["0a0b0c0d"] * (26 - len(categories or []))
    fields = ([] if label is None else [label]) + integers + categories
    return "\t".join(map(str, fields)) + "\n"


class SystemTest(unittest.TestCase):
    """A test with a folder of its own and a small run file that every test changes to its needs."""

    longMessage = True

    def setUp(self):
        if not PERSIA.exists():
            self.fail(f"{PERSIA} is not there; PERSIA_BUILD names the build folder")
        self.folder = Path(tempfile.mkdtemp(prefix="persia-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text("".join(content))
        return path

    def run_file(self, name="run.yaml", **sections):
        """A run file with these top-level keys (JSON is YAML). `output` is a folder beside it, named after it."""
        sections.setdefault("output", str(self.folder / Path(name).stem))
        return self.write(name, json.dumps(sections, indent=1) + "\n")

    def csv_run(self, name="run.yaml", dense=(), categorical=(), train="train.csv", test="test.csv", **sections):
        """A small deterministic run on CSV files: logistic regression, sync, SGD, no shuffling."""
        data = {"format": "csv", "train": [train], "test": [test], "dense": list(dense),
                "categorical": list(categorical), "label": {"name": "label"}, "shuffle": False}
        data.update(sections.pop("data", {}))
        training = {"mode": "sync", "batch_size": 8, "threads": 1, "optimizer": {"type": "sgd", "learning_rate": 0.5}}
        training.update(sections.pop("training", {}))
        sections.setdefault("embedding", {"dim": 4, "optimizer": {"type": "sgd", "learning_rate": 0.5}})
        sections.setdefault("model", {"type": "dnn", "hidden": [8]})
        return self.run_file(name, data=data, training=training, **sections)

    def criteo_run(self, name="run.yaml", train="train.tsv", test="test.tsv", **sections):
        data = {"format": "criteo", "train": [train], "test": [test], "shuffle": False}
        data.update(sections.pop("data", {}))
        training = {"mode": "sync", "batch_size": 8, "threads": 1, "optimizer": {"type": "sgd", "learning_rate": 0.1}}
        training.update(sections.pop("training", {}))
        sections.setdefault("embedding", {"dim": 4})
        sections.setdefault("model", {"type": "dnn", "hidden": [8]})
        return self.run_file(name, data=data, training=training, **sections)

    def train(self, run_file, *arguments, **options):
        """A training that may replace what an earlier one of this test left, and that must succeed."""
        replaces = [] if "--resume" in arguments else ["--overwrite"]
        outcome = persia("train", run_file, *replaces, *arguments, **options)
        self.assertEqual(outcome.code, 0, str(outcome))
        return outcome

    def evaluate(self, run_file, *arguments, **options):
        outcome = persia("eval", run_file, *arguments, **options)
        self.assertEqual(outcome.code, 0, str(outcome))
        return outcome

    def predict(self, run_file, checkpoint, *arguments, **options):
        """The probabilities by row, as the texts of the file: equal texts are equal bits."""
        output = self.folder / "predictions.csv"
        outcome = persia("predict", run_file, "--checkpoint", checkpoint, "--output", output, *arguments, **options)
        self.assertEqual(outcome.code, 0, str(outcome))
        header, *lines = output.read_text().splitlines()
        self.assertEqual(header, "row,probability")
        rows = [line.split(",") for line in lines]
        self.assertEqual([int(row) for row, _ in rows], list(range(len(rows))))
        return [probability for _, probability in rows]

    def checkpoints(self, run_file):
        """The complete checkpoints of a run, oldest first."""
        folder = self.folder / Path(run_file).stem / "checkpoints"
        return sorted(path.parent for path in folder.glob("step-*/manifest.json") if path.parent.suffix == "")

    def model_checksums(self, checkpoint, names=None):
        """Name, size and checksum of every file of the model, or of those named."""
        manifest = json.loads((checkpoint / "manifest.json").read_text())
        return {entry["name"]: entry for entry in manifest["files"] if names is None or entry["name"] in names}

    def assert_user_error(self, outcome, *texts, code=2):
        """One message over all ranks, with all of `texts`, the exit code, at once, and no result."""
        self.assertEqual(outcome.code, code, str(outcome))
        self.assertLess(outcome.seconds, 10, str(outcome))
        self.assertNotIn("result {", outcome.out, str(outcome))
        errors = outcome.lines_with(" error: ")
        self.assertEqual(len(errors), 1, str(outcome))
        for text in texts:
            self.assertIn(text, errors[0])


def main():
    """Runs the tests of the calling file; see above for the exit code."""
    program = unittest.main(module="__main__", exit=False, verbosity=2)
    result = program.result
    if not result.wasSuccessful() or result.testsRun == 0:
        sys.exit(1)
    sys.exit(SKIPPED if len(result.skipped) == result.testsRun else 0)
