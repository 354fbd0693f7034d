"""What is collected: the tests of generated packages only where `TRAPS` names the sources of one."""

import os

collect_ignore = [] if "TRAPS" in os.environ else ["traps"]
