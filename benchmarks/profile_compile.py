"""Where the time of eomc.compile goes: stages, then functions.

python benchmarks/profile_compile.py [MODEL] [--method M] [--top N] [--repetitions N]

Stages are medians of unprofiled runs. Functions come from samples of the stack, one per millisecond of processor time,
which does not make small functions look expensive as a tracing profiler does. "own" is the time in the function itself,
"total" with all that it calls.
"""

from __future__ import annotations

import argparse
import signal
import statistics
import time
from collections import Counter
from types import FrameType

from reporting import print_machine, print_table

import eomc

Place = tuple[str, str]


class Sampler:
    """Counts which functions are on the stack."""

    def __init__(self) -> None:
        self.own: Counter[Place] = Counter()
        self.total: Counter[Place] = Counter()
        self.samples = 0

    def __enter__(self) -> Sampler:
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, 1e-3, 1e-3)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)

    def _look(self, _: int, frame: FrameType | None) -> None:
        stack = []
        while frame is not None:
            stack.append((frame.f_code.co_filename.rpartition("/eomc/")[2], frame.f_code.co_name))
            frame = frame.f_back
        self.samples += 1
        self.own[stack[0]] += 1
        self.total.update(set(stack))


def main() -> None:
    """Time the stages, then sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default="n_link_pendulum:10")
    parser.add_argument("--method", default=None)
    parser.add_argument("--top", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=15)
    arguments = parser.parse_args()
    print_machine()
    model = eomc.load(arguments.model)
    eomc.compile(model, arguments.method)
    processor, builds = [], []
    for _ in range(arguments.repetitions):
        begin = time.process_time()
        builds.append(eomc.compile(model, arguments.method))
        processor.append(time.process_time() - begin)
    stages = [stage for stage, _ in builds[0].statistics.stage_times]
    rows = []
    for index, stage in enumerate(stages):
        seconds = [build.statistics.stage_times[index][1] for build in builds]
        rows.append([stage, f"{statistics.median(seconds) * 1e3:.1f}", f"{min(seconds) * 1e3:.1f}"])
    print_table(["stage", "ms", "least ms"], rows)
    print(
        f"\nprocessor time {statistics.median(processor) * 1e3:.1f} ms, at least {min(processor) * 1e3:.1f} ms; "
        f"{builds[0].statistics.nodes} nodes\n"
    )
    with Sampler() as sampler:
        for _ in range(arguments.repetitions):
            eomc.compile(model, arguments.method)
    for title, counter in (("own", sampler.own), ("total", sampler.total)):
        lines = [
            [f"{file}:{name}", f"{100 * number / sampler.samples:.1f}"]
            for (file, name), number in counter.most_common(arguments.top)
        ]
        print_table(["function", f"{title} %"], lines)
        print()


if __name__ == "__main__":
    main()
