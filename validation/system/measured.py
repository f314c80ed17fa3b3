#!/usr/bin/env python3
"""Runs a command with few file handles and leaves its peak resident memory behind: measured.py FOLDER COMMAND...

The MPI launcher starts one of these per rank; rank R leaves FOLDER/R with the peak in KiB.
"""

import os
import resource
import sys
from pathlib import Path

FILE_HANDLES = 128  # several times what a rank needs, far fewer than one per epoch of the tests

folder, words = sys.argv[1], sys.argv[2:]
resource.setrlimit(resource.RLIMIT_NOFILE, (FILE_HANDLES, FILE_HANDLES))
child = os.spawnvp(os.P_NOWAIT, words[0], words)
_, status, used = os.wait4(child, 0)
Path(folder, os.environ["OMPI_COMM_WORLD_RANK"]).write_text(f"{used.ru_maxrss}\n")
sys.exit(os.waitstatus_to_exitcode(status))
