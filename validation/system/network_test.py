"""One job over three hosts: network namespaces joined by a bridge, with a rank in each.

Every namespace has a host name of its own, so Open MPI takes it for another machine. The launcher reaches them through a
launch agent (`ip netns exec`) in place of ssh. Everything happens in namespaces of this test's own processes: nothing is left
behind, and tests beside it do not meet. Skipped without root, namespaces, iproute2 or UCX.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import harness

INSIDE = "PERSIA_TEST_NETWORK"
SUBNET = "10.77.0"
HOSTS = (1, 2, 3)
# What `persia doctor` gives for several hosts, and how it finds the way between them.
UCX = ["--mca", "pml", "ucx", "--mca", "osc", "ucx", "--mca", "opal_common_ucx_tls", "any", "--mca",
       "opal_common_ucx_devices", "any", "-x", "UCX_TLS=tcp,self"]
AGENT = """#!/usr/bin/env bash
# In place of ssh: AGENT HOST COMMAND...
host=${1##*.}
shift
exec ip netns exec "host$host" unshare --uts bash -c "hostname host$host; $*"
"""


def reason_to_skip():
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    for program in ("ip", "tc", "unshare", "mpirun", "ompi_info"):
        if shutil.which(program) is None:
            return f"{program} is not installed (validation/install_dependencies.sh --tests)"
    if subprocess.run(["unshare", "--mount", "--net", "true"], capture_output=True, check=False).returncode != 0:
        return "this machine allows no namespaces"
    components = subprocess.run(["ompi_info"], env=harness.environment(), capture_output=True, text=True, check=False)
    return "" if "MCA osc: ucx" in components.stdout else "this MPI library has no UCX"


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def make_network():
    """A bridge, and a namespace for each host with its end of a pair of devices."""
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    os.makedirs("/run/netns", exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run/netns"], check=True)
    ip("link", "set", "lo", "up")
    ip("link", "add", "bridge", "type", "bridge")
    ip("link", "set", "bridge", "up")
    for host in HOSTS:
        ip("netns", "add", f"host{host}")
        ip("link", "add", f"port{host}", "type", "veth", "peer", "name", "eth0", "netns", f"host{host}")
        ip("link", "set", f"port{host}", "master", "bridge", "up")
        ip("-n", f"host{host}", "addr", "add", f"{SUBNET}.{host}/24", "dev", "eth0")
        ip("-n", f"host{host}", "link", "set", "eth0", "up")
        ip("-n", f"host{host}", "link", "set", "lo", "up")


class Network(harness.SystemTest):
    def setUp(self):
        super().setUp()
        self.agent = self.write("agent", AGENT)
        self.agent.chmod(0o755)

    def over_hosts(self, settings, *arguments, timeout=120):
        return self.start_over_hosts(settings, *arguments).wait(timeout)

    def start_over_hosts(self, settings, *arguments):
        """persia with one rank on each host; mpirun itself runs on the first."""
        places = ",".join(f"{SUBNET}.{host}:1" for host in HOSTS)
        words = ["mpirun", "--mca", "plm", "rsh", "--mca", "plm_rsh_agent", str(self.agent), "--host", places, "--mca",
                 "oob_tcp_if_include", f"{SUBNET}.0/24", "--mca", "btl_tcp_if_include", f"{SUBNET}.0/24",
                 "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-np", str(len(HOSTS)), *settings,
                 str(harness.PERSIA), *map(str, arguments)]
        start = ["ip", "netns", "exec", "host1", "unshare", "--uts", "bash", "-c", 'hostname host1; exec "$@"', "-"]
        return harness.Job([*start, *words])

    def endless_job(self, **sections):
        """A training without end, once it is under way: one owner, two trainers; and its processes by rank."""
        rows = [f"{i % 2},{i % 7},{i % 50}\n" for i in range(800)]
        self.write("train.csv", ["label,x,c\n", *rows])
        self.write("test.csv", ["label,x,c\n", *rows[:100]])
        run_file = self.csv_run(dense=["x"], categorical=["c"], training={"epochs": 1000000}, log_every_steps=1, **sections)
        job = self.start_over_hosts(UCX, "train", run_file)
        self.addCleanup(lambda: job.process.poll() is None and job.stop())
        log = self.folder / "run" / "log.jsonl"
        deadline = time.monotonic() + 60
        while not (log.exists() and '"interval"' in log.read_text()):
            self.assertLess(time.monotonic(), deadline, "training did not start")
            self.assertIsNone(job.process.poll(), "training ended by itself")
            time.sleep(0.1)
        # The launcher's daemons are nobody's children; all processes seen here are this test's.
        pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
        ranks = {harness.environment_of(pid).get("OMPI_COMM_WORLD_RANK"): pid for pid in pids
                 if harness.program_of(pid) == str(harness.PERSIA)}
        self.assertEqual(set(ranks), {"0", "1", "2"})
        return job, ranks

    def small_run(self, **training):
        rows = [f"{(i * 7) % 3 % 2},{i % 7},{i % 50}\n" for i in range(800)]
        self.write("train.csv", ["label,x,c\n", *rows])
        self.write("test.csv", ["label,x,c\n", *rows[:100]])
        return self.csv_run(dense=["x"], categorical=["c"], training=training)

    def succeed(self, outcome):
        """The result. UCX may complain behind it that another host has closed its connections already."""
        self.assertEqual(outcome.code, 0, str(outcome))
        lines = [line for line in outcome.out.splitlines() if line.startswith("result ")]
        self.assertEqual(len(lines), 1, str(outcome))
        return json.loads(lines[0][len("result "):])

    def model_of(self, run_file):
        """What tells models apart: rows stand in the order in which trainers asked for them first, so files may differ."""
        checkpoint = self.checkpoints(run_file)[-1]
        return self.model_checksums(checkpoint, ["dense.h5"]), self.predict(run_file, checkpoint)

    def test_three_hosts_train_the_same_model_as_one(self):
        run_file = self.small_run(mode="sync", batch_size=16, max_steps=50)
        here = self.train(run_file, ranks=3).result
        own = self.model_of(run_file)
        there = self.succeed(self.over_hosts(UCX, "train", run_file, "--overwrite"))
        self.assertEqual((there["auc"], there["log_loss"]), (here["auc"], here["log_loss"]))
        self.assertEqual(self.model_of(run_file), own)

    def test_a_slow_network_that_loses_packets_costs_time_only(self):
        for host in HOSTS:
            rule = ["tc", "-n", f"host{host}", "qdisc", "add", "dev", "eth0", "root", "netem", "delay", "10ms", "loss", "1%"]
            added = subprocess.run(rule, capture_output=True, text=True, check=False)
            if "qdisc kind is unknown" in added.stderr:
                self.skipTest("this kernel has no netem")
            self.assertEqual(added.returncode, 0, added.stderr)
            self.addCleanup(subprocess.run, ["tc", "-n", f"host{host}", "qdisc", "del", "dev", "eth0", "root"], check=True)
        run_file = self.small_run(mode="hybrid", batch_size=80, max_steps=10, staleness=2)
        result = self.succeed(self.over_hosts(UCX, "train", run_file, "--overwrite", timeout=200))
        self.assertEqual(result["steps"], 10)
        self.assertLessEqual(result["staleness"]["max"], 2)

    def test_without_a_way_for_windows_the_message_says_what_to_give(self):
        run_file = self.small_run(mode="sync", max_steps=5)
        outcome = self.over_hosts(["--mca", "pml", "ob1", "--mca", "osc", "sm"], "train", run_file, "--overwrite")
        self.assertNotEqual(outcome.code, 0)
        errors = outcome.lines_with(" error: ")
        self.assertEqual(len(errors), 1, str(outcome))
        self.assertIn("--mca pml ucx --mca osc ucx", errors[0])
        self.assertIn("mail.transport: two_sided", errors[0])

    def test_the_oracle_needs_no_window(self):
        run_file = self.small_run(mode="sync", max_steps=5)
        settings = ["--mca", "pml", "ob1", "--mca", "osc", "sm"]
        self.succeed(self.over_hosts(settings, "train", run_file, "--overwrite", "--set", "mail.transport=two_sided"))

    def test_a_rank_that_is_killed_on_another_host_is_named_within_10_s(self):
        job, ranks = self.endless_job()
        os.kill(ranks["2"], signal.SIGKILL)
        outcome = job.wait(10)
        self.assertNotEqual(outcome.code, 0, str(outcome))
        self.assertRegex(outcome.out + outcome.err, rf"rank 2 with PID {ranks['2']} on node .*3 exited on signal 9")

    def test_a_rank_that_is_stopped_on_another_host_is_the_one_waited_for(self):
        job, ranks = self.endless_job(mail={"timeout_seconds": 6})
        os.kill(ranks["2"], signal.SIGSTOP)
        outcome = job.wait(16)
        self.assertNotEqual(outcome.code, 0, str(outcome))
        self.assertTrue(outcome.lines_with("trainer 0 (rank 1 on host host2) error: nothing moved for 6 s"), str(outcome))
        owner = [line for line in outcome.lines_with("embedding 0 (rank 0 on host host1)") if "nothing has moved for" in line]
        self.assertEqual(len(owner), 1, str(outcome))
        # The second where the owner was about to write into the window of the stopped rank.
        self.assertRegex(owner[0], r"waits for the gradients of trainers 1;|: MPI_\w+")

    def test_the_doctor_sees_the_hosts_and_gives_the_settings(self):
        good = self.over_hosts(UCX, "doctor")
        self.assertEqual(good.code, 0, str(good))
        self.assertIn("3 rank(s) on 3 host(s)", good.out)
        self.assertIn("no problem found", good.out)
        bad = self.over_hosts(["--mca", "pml", "ob1", "--mca", "osc", "sm"], "doctor")
        self.assertIn("mpirun --mca pml ucx --mca osc ucx --mca opal_common_ucx_tls any", bad.out, str(bad))


if __name__ == "__main__":
    if INSIDE not in os.environ:
        reason = reason_to_skip()
        if reason:
            print(f"skipped: {reason}")
            sys.exit(harness.SKIPPED)
        os.environ[INSIDE] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable,
                              os.path.abspath(__file__), *sys.argv[1:]])
    make_network()
    harness.main()
