"""A content query on a table of ten million rows: find rows by their values.

    python examples/content_query.py            # --engine cuda on a GPU, --rows N for another size

Each row is a person: age (7 bits), town (10 bits), income in thousands (9 bits). The STAR-machine
answers in one pass over the bit columns of the fields in the query, for all rows at once.
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
    """Run the query, print its time, and check the result with NumPy."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--engine", choices=["cpu", "cuda"], default="cpu")
    options = parser.parse_args()
    age, town, income, T = people(options.rows, options.engine)
    print(f"{T}, {T.nbytes / 1e6:.0f} MB")

    def query():
        """Return the rows of town 42 and age 30 to 39, and of these the rows of highest income."""
        X = match(T.columns(*TOWN), 42)
        X = greater_equal(T.columns(*AGE), 30, X)
        X = less(T.columns(*AGE), 40, X)
        return X, maximum(T.columns(*INCOME), X)

    query()  # compiles the kernels
    begin = time.perf_counter()
    X, richest = query()
    count, first = int(X.count()), int(richest.find())
    print(f"{count:,} people fit, the first of the richest is row {first:,}")
    print(f"query time {(time.perf_counter() - begin) * 1e3:.2f} ms")

    fit = (town == 42) & (age >= 30) & (age < 40)
    best = np.flatnonzero(fit & (income == income[fit].max()))
    assert count == fit.sum()
    assert richest.positions().tolist() == (best + 1).tolist()
    print(f"row {first:,}:", T.row(first).to_string(), f"(income {income[first - 1]} thousand)")


if __name__ == "__main__":
    main()
