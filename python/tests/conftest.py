"""Settings of hypothesis, the folder of the project, and Ctrl-C for the programs that tests run."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=int(os.environ.get("COUNTPM_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("quick")

# A shell's background job ignores SIGINT, and so would all programs that are run here, which tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's folder; tests of its documents are skipped where there is none."""
    folder = Path(__file__).resolve().parents[2]
    if not (folder / "CMakeLists.txt").is_file():
        pytest.skip("the tests lie outside the project")
    return folder
