"""Reads the checkpoint of format_test.cpp with h5py, as src/checkpoint/README.md says. Exit 77: h5py is not there."""
import json
import sys

try:
    import h5py
except ImportError:
    sys.exit(77)

step = sys.argv[1] + "/" + open(sys.argv[1] + "/LATEST").read().strip()
manifest = json.load(open(step + "/manifest.json"))
assert manifest["num_owners"] == 1 and manifest["step"] == 9
with h5py.File(f"{step}/embedding-0000-of-0001.h5") as file:
    assert file.attrs["format"] == "persia-checkpoint" and file.attrs["format_version"] == 1
    for name, table in file["tables"].items():
        assert table.attrs["name"] == name and table.attrs["dim"] == 2
        assert table["ids"][:].tolist() == [2**64 - 1, 5]
        expected = [[1, -2], [0, 127]] if name == "int8" else [[1.0, -2.0], [0.5, 4.0]]
        assert table["values"][:].tolist() == expected, table["values"][:]
        assert table["state"].shape == (2, 1)
    assert [str(file["tables"][name]["values"][:].dtype) for name in ("fp32", "fp16", "bf16", "int8")] == [
        "float32", "float16", "float32", "int8"]
with h5py.File(step + "/dense.h5") as file:
    assert file["parameters/bottom.0.weight"].shape == (2, 3)
    assert file["optimizer"].attrs["steps"] == 77
