"""Rewrite the golden files, all or those named: ``python -m tests.golden.update [NAME ...]``."""

from __future__ import annotations

import sys

from tests.golden import counts, machine_code, public_names, traces

GOLDEN = {
    public_names.FILE: public_names.current,
    public_names.EXAMPLES: public_names.current_examples,
    traces.FILE: traces.current,
    machine_code.FILE: machine_code.current,
    counts.FILE: counts.current,
    counts.COLLECTED: counts.current_collected,
}


def main(names):
    unknown = set(names) - {path.name for path in GOLDEN}
    if unknown:
        sys.exit(
            f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(p.name for p in GOLDEN)}"
        )
    for path, current in GOLDEN.items():
        if names and path.name not in names:
            continue
        before, now = path.read_text() if path.exists() else None, current()
        path.write_text(now)
        print(f"{path.name}: {'unchanged' if now == before else 'changed'}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
