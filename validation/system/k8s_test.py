#!/usr/bin/env python3
"""k8s/ against what the cluster would say, without a cluster.

The MPI Operator accepts any object and reports faults only as an event, so mpijob.yaml is checked here field by field:
known keys only, types, enumerations, names that become host names. The pod templates go through Kubernetes' own schema
where the checker can be had. The image's packages are compared with install_dependencies.sh and with what the built
program links to.

usage: k8s_test.py [PERSIA]      exit: 0 clean, 1 with one line per fault, 77 PyYAML is missing
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed (validation/install_dependencies.sh --tests)")
    sys.exit(77)

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
KUBERNETES_VERSION = "1.30"
VALIDATOR = "kubernetes-validate==1.37.0"

NON_NEGATIVE = (lambda v: isinstance(v, int) and not isinstance(v, bool) and v >= 0, "an integer >= 0")
POSITIVE = (lambda v: isinstance(v, int) and not isinstance(v, bool) and v >= 1, "an integer >= 1")
MAP = (lambda v: isinstance(v, dict), "a map")
FLAG = (lambda v: isinstance(v, bool), "true or false")


def one_of(*values):
    return (lambda v: v in values, "one of " + ", ".join(values))


TEXT = (lambda v: isinstance(v, str) and v != "", "a text")

SPEC_FIELDS = {
    "slotsPerWorker": NON_NEGATIVE,
    "runLauncherAsWorker": FLAG,
    "sshAuthMountPath": TEXT,
    "launcherCreationPolicy": one_of("AtStartup", "WaitForWorkersReady"),
    "mpiImplementation": one_of("OpenMPI", "Intel", "MPICH"),
    "runPolicy": MAP,
    "mpiReplicaSpecs": MAP,
}
POLICY_FIELDS = {
    "cleanPodPolicy": one_of("None", "Running", "All"),
    "ttlSecondsAfterFinished": NON_NEGATIVE,
    "activeDeadlineSeconds": NON_NEGATIVE,
    "backoffLimit": NON_NEGATIVE,
    "schedulingPolicy": MAP,
    "suspend": FLAG,
    "managedBy": one_of("kubeflow.org/mpi-operator", "kueue.x-k8s.io/multikueue"),
}
REPLICA_FIELDS = {"replicas": POSITIVE, "restartPolicy": one_of("Never", "OnFailure"), "template": MAP}


def field_faults(place, value, fields):
    for key, content in value.items():
        if key not in fields:
            yield f"{place}.{key}: no such field (known: {', '.join(sorted(fields))})"
        elif not fields[key][0](content):
            yield f"{place}.{key}: {content!r} is not {fields[key][1]}"


def replica_faults(job):
    replicas = job["spec"].get("mpiReplicaSpecs", {})
    for role in sorted(set(replicas) - {"Launcher", "Worker"}):
        yield f"spec.mpiReplicaSpecs.{role}: the operator reads only Launcher and Worker"
    for role in ("Launcher", "Worker"):
        place = f"spec.mpiReplicaSpecs.{role}"
        if role not in replicas:
            yield f"{place}: missing"
            continue
        yield from field_faults(place, replicas[role], REPLICA_FIELDS)
        if "replicas" not in replicas[role]:
            yield f"{place}.replicas: must be given (a worker count of 0 is what the operator takes otherwise)"
        pod = replicas[role].get("template", {}).get("spec", {})
        if not pod.get("containers"):
            yield f"{place}.template.spec.containers: at least one is needed"
        if "restartPolicy" in pod:
            yield f"{place}.template.spec.restartPolicy: is overridden by {place}.restartPolicy; leave it out"
    if replicas.get("Launcher", {}).get("replicas") != 1:
        yield "spec.mpiReplicaSpecs.Launcher.replicas: must be 1"


def job_faults(job):
    """What the operator's own validation would refuse, and what it would silently misread."""
    if job.get("apiVersion") != "kubeflow.org/v2beta1" or job.get("kind") != "MPIJob":
        yield "apiVersion, kind: must be kubeflow.org/v2beta1 and MPIJob"
    yield from field_faults("spec", job["spec"], SPEC_FIELDS)
    yield from field_faults("spec.runPolicy", job["spec"].get("runPolicy", {}), POLICY_FIELDS)
    yield from replica_faults(job)
    workers = job["spec"]["mpiReplicaSpecs"].get("Worker", {}).get("replicas", 1)
    host = f"{job['metadata']['name']}-worker-{workers - 1}"
    if not re.fullmatch(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", host):
        yield f"metadata.name: {host} is no host name (lower case, at most 63 characters, a letter first)"


def house_faults(job):
    """What this project needs beyond a valid object."""
    launcher, worker = (job["spec"]["mpiReplicaSpecs"][role]["template"]["spec"] for role in ("Launcher", "Worker"))
    if job["spec"].get("runPolicy", {}).get("cleanPodPolicy", "None") == "None":
        yield "spec.runPolicy.cleanPodPolicy: None leaves the workers running, and billed, after the end"
    command = launcher["containers"][0].get("command", [])
    for words in (["--hostfile", "/etc/mpi/hostfile"], ["--bind-to", "none"], ["orte_keep_fqdn_hostnames", "true"]):
        if not any(command[i : i + 2] == words for i in range(len(command))):
            yield f"launcher's command: {' '.join(words)} is missing"
    for place, pod in (("launcher", launcher), ("worker", worker)):
        if pod.get("securityContext", {}).get("runAsUser") != 1000:
            yield f"{place}: runAsUser must be the image's 1000"
    container = worker["containers"][0]
    shm = [mount["name"] for mount in container.get("volumeMounts", []) if mount["mountPath"] == "/dev/shm"]
    memory = [v["name"] for v in worker.get("volumes", []) if v.get("emptyDir", {}).get("medium") == "Memory"]
    if not shm or shm[0] not in memory:
        yield "worker: /dev/shm needs an emptyDir with medium Memory (a container's own has 64 MiB)"
    if "readinessProbe" not in container:
        yield "worker: without a readinessProbe on the ssh port the launcher starts too early"
    if container["resources"].get("requests") != container["resources"].get("limits"):
        yield "worker: requests must equal limits"
    images = {pod["containers"][0]["image"] for pod in (launcher, worker)}
    if len(images) != 1:
        yield f"all pods must use one image, not {sorted(images)}"


def find_validator():
    """Kubernetes' schema checker, from the user's cache or the package index; None where it cannot be had."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    folder = cache / "persia" / VALIDATOR.replace("==", "-")
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", f"{scratch}/done", VALIDATOR]
            try:
                subprocess.run(command, capture_output=True, timeout=120, check=True)
                os.rename(f"{scratch}/done", folder)
            except (subprocess.SubprocessError, OSError):
                return None
    sys.path.insert(0, str(folder))
    try:
        import kubernetes_validate
    except ImportError:
        return None
    return kubernetes_validate


def template_faults(job):
    validator = find_validator()
    if validator is None:
        print("k8s_test: kubernetes-validate cannot be had here; pod templates are checked by hand-written rules only")
        return
    for role, replica in job["spec"]["mpiReplicaSpecs"].items():
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": replica["template"]["spec"]}
        try:
            validator.validate(pod, KUBERNETES_VERSION, strict=True)
        except validator.ValidationError as fault:
            yield f"spec.mpiReplicaSpecs.{role}.template: {fault.message} at {list(fault.path)}"


def lines_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def image_packages(dockerfile):
    """Package names of the last apt-get install of the Dockerfile."""
    joined = dockerfile.replace("\\\n", " ")
    install = re.findall(r"apt-get install ([^&\n]*)", joined)[-1]
    return [word for word in install.split() if not word.startswith("-")]


def is_debian_12():
    release = pathlib.Path("/etc/os-release")
    return release.exists() and 'VERSION_ID="12"' in release.read_text() and "ID=debian" in release.read_text()


def image_faults():
    """The image against install_dependencies.sh: the build stage runs it, the last stage holds the run-time halves."""
    dockerfile = (REPOSITORY / "k8s" / "Dockerfile").read_text()
    for script in ("validation/install_dependencies.sh", "validation/install_kokkos.sh"):
        if f"bash {script}" not in dockerfile:
            yield f"k8s/Dockerfile: the build stage does not run {script}"
    for name in re.findall(r"^COPY (?!--from)(.*)$", dockerfile, re.M):
        for source in name.split()[:-1]:
            if not (REPOSITORY / source).exists():
                yield f"k8s/Dockerfile: COPY {source}: no such file"
    if not is_debian_12():
        print("k8s_test: package names of the image are compared on Debian 12 only")
        return
    packages = image_packages(dockerfile)
    wanted = lines_of("bash", str(REPOSITORY / "validation" / "install_dependencies.sh"), "--list")
    only_tests = {"libgtest-dev", "libgmock-dev", "libbenchmark-dev"}
    for name in wanted:
        if not name.endswith("-dev") or name in only_tests:
            continue
        depends = "".join(lines_of("dpkg-query", "-W", "-f=${Depends}", name))
        libraries = [word for word in re.findall(r"[a-z0-9][a-z0-9.+-]+", depends) if is_runtime_of(word, name)]
        if libraries and not set(libraries) & set(packages):
            yield f"k8s/Dockerfile: nothing of {', '.join(libraries)} is installed, though {name} is built against"


def is_runtime_of(package, development):
    """Whether a package such as libfmt9 is the run-time half of libfmt-dev."""
    stem = re.sub(r"[\d.]*-dev$", "", development)
    return re.fullmatch(re.escape(stem) + r"[\d.-]+", package) is not None


def owner_of(library):
    """The package that holds a shared library; merged /usr makes two spellings of one path."""
    for path in (library, os.path.realpath(library), library.removeprefix("/usr"), f"/usr{library}"):
        owners = lines_of("dpkg-query", "-S", path)
        if owners:
            return owners[0].split(":")[0]
    return None


def link_faults(program):
    """Every library that the program loads comes from a package of the image or from one that those need."""
    packages = image_packages((REPOSITORY / "k8s" / "Dockerfile").read_text())
    options = [f"--no-{kind}" for kind in ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")]
    known = [name for name in packages if lines_of("dpkg-query", "-W", name)]
    tree = lines_of("apt-cache", "depends", "--recurse", "--installed", *options, *known)
    closure = {line.strip() for line in tree if line and not line.startswith(" ")} | set(packages)
    for line in lines_of("ldd", str(program)):
        match = re.search(r"=> (/\S+)", line)
        owner = owner_of(match.group(1)) if match else None
        if owner and owner not in closure:
            yield f"k8s/Dockerfile: persia loads {match.group(1)} of {owner}, which the image does not hold"


def main():
    job = yaml.safe_load((REPOSITORY / "k8s" / "mpijob.yaml").read_text())
    faults = [*job_faults(job), *house_faults(job), *template_faults(job), *image_faults()]
    if len(sys.argv) > 1 and is_debian_12():
        faults += link_faults(pathlib.Path(sys.argv[1]))
    for fault in faults:
        print(fault)
    print(f"k8s_test: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
