"""Find rows by what they hold: a content query on a table of ten million rows.

    python examples/content_query.py            # --engine cuda on a GPU, --rows for others

Each row is a person: age (7 bits), town (10 bits), income in thousands (9 bits). The machine
answers in one pass over the columns of bits that the query names, for all rows at once.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from graphla.star import Table, greater_equal, less, match, maximum

AGE, TOWN, INCOME = (1, 7), (8, 17), (18, 26)  # columns, counted from 1


def people(rows, engine):
    """Return the columns as arrays and as a table."""
    rng = np.random.default_rng(1)
    age, town = rng.integers(0, 100, rows), rng.integers(0, 1000, rows)
    income = np.minimum(rng.gamma(3, 15, rows).astype(np.int64), 511)
    table = Table.from_integers((age << 19) | (town << 9) | income, 26, engine=engine)
    return age, town, income, table


def main():
    """Ask three questions and check the answers."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--engine", choices=["cpu", "cuda"], default="cpu")
    options = parser.parse_args()
    age, town, income, T = people(options.rows, options.engine)
    print(f"{T}, {T.nbytes / 1e6:.0f} MB")

    def who():
        """Who lives in town 42, is between 30 and 39, and earns most of these?"""
        X = match(T.columns(*TOWN), 42)
        X = greater_equal(T.columns(*AGE), 30, X)
        X = less(T.columns(*AGE), 40, X)
        return X, maximum(T.columns(*INCOME), X)

    who()  # compiles
    begin = time.perf_counter()
    X, richest = who()
    count, first = int(X.count()), int(richest.find())
    print(f"{count:,} people fit, the first of the richest is row {first:,}")
    print(f"asked in {(time.perf_counter() - begin) * 1e3:.2f} ms")

    fit = (town == 42) & (age >= 30) & (age < 40)
    best = np.flatnonzero(fit & (income == income[fit].max()))
    assert count == fit.sum()
    assert richest.positions().tolist() == (best + 1).tolist()
    print(f"row {first:,}:", T.row(first).to_string(), f"(income {income[first - 1]} thousand)")


if __name__ == "__main__":
    main()
