"""Sort matrix entries into compressed rows, in parallel, and combine equal entries.

An entry (i, j) is a key of 64 bits, i in the high bits and j in the low ones. The keys are
distributed to buckets of consecutive rows; each bucket is then sorted in cache, by a radix sort
from the lowest digit, its equal keys are combined, and what remains moves to its final place. The
array of the keys becomes that of the column indices. All steps are stable: equal entries are
combined in the order of the input, whatever the number of threads, and a symmetric matrix has the
same bits at (i, j) and (j, i).

Parallel split: threads take blocks of the input, then buckets. Conflicts: none; a block has its
own places in each bucket, and a bucket is sorted by one thread. Threads are Python's, so that
several calls may run at once. Numba's own would not allow that everywhere.
Memory: 8 bytes and a value for each entry, of which the part of the distinct entries becomes the
result; a copy of one bucket for each thread while it is sorted, and of a sixteenth of the result
while it moves.

Source: D. Knuth, The Art of Computer Programming 3, 5.2.5 (radix sort); buckets that fit in
cache as first step: O. Polychroniou, K. Ross, SIGMOD 2014.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.thread_pool import run_tasks

BLOCKS = 4  # blocks of the input for each thread
BUCKET = 1 << 15  # entries of a bucket whose keys and their copy fit in a second-level cache
MAX_BUCKETS = 1 << 12  # a thread writes to all of them alternately
BIN_BITS = 16  # rows are counted in up to 2^BIN_BITS bins
SAVED_PART = 16  # at most a sixteenth of the result is saved at a time while others move
SHORT = 32  # entries up to which insertion sort is faster
DIGIT = 11  # bits by which a pass of the radix sort distributes

FIRST, LAST, MIN, MAX, SUM = range(5)
RULES = {None: FIRST, "first": FIRST, "last": LAST, "min": MIN, "max": MAX, "sum": SUM}
UNSIGNED, SIGNED, REAL = range(3)
FORMS = {"u": UNSIGNED, "i": SIGNED, "f": REAL}
NO_KEY = np.uint64(2**64 - 1)  # no key has this value
ZERO, ONE = np.uint64(0), np.uint64(1)


class CompressedRows(NamedTuple):
    """Sorted rows; the arrays own their memory.

    Attributes
    ----------
    indptr : array of uint64, shape (nrows + 1,)
    columns : array of uint64
    values : array or None
    repeats : int
        Entries that were equal to an earlier one; of a symmetric matrix, (i, j) equals (j, i).
    repeated : (int, int) or None
        The first entry, in the order of the matrix, that occurs more than once.
    overflow : (int, int) or None
        The first entry whose integer values have a sum that their dtype does not hold.
    """

    indptr: Any
    columns: Any
    values: Any
    repeats: int
    repeated: tuple[int, int] | None
    overflow: tuple[int, int] | None


def compressed_rows(
    rows: Any, cols: Any, values: Any = None, *, nrows: int, ncols: int, dup: str | None = None,
    symmetric: bool = False, skip_loops: bool = False, threads: int = 1,
) -> CompressedRows | None:  # fmt: skip
    """Return the entries (rows[k], cols[k]) as compressed rows, or None if keys have no room.

    Parameters
    ----------
    rows, cols : array of int, shape (m,)
        Checked indices of any integer dtype, below `nrows` and `ncols`, which are at most 2^31.
    values : array of a real dtype, optional
        One value for each entry or, with `skip_loops`, for each entry with rows[k] != cols[k].
    dup : {"min", "max", "sum", "first", "last"} or None
        How equal entries are combined, as in :func:`graphla.core.edge_list.adjacency`. None
        keeps the first.
    symmetric : bool
        Each entry (i, j) is also an entry (j, i).
    skip_loops : bool
        Leave out entries on the diagonal.

    Notes
    -----
    The result is None if a key and a position together need more than 64 bits: in weighted graphs
    of more than 2^26 vertices and entries, most of them in few rows.
    """
    rows, cols = _words(rows, cols)
    options = symmetric, skip_loops
    plan = _plan(rows, cols, nrows, ncols, values is not None, options, threads)
    if (plan.key_bits + plan.position_bits).max() > 64:
        return None
    keys, values = _distribute(plan, rows, cols, values, options, threads)
    indptr, found = _sort_buckets(plan, nrows, keys, values, dup, symmetric, threads)
    _close_gaps(plan, found.distinct, indptr, keys, values, threads)
    repeated, overflow = (_first(x, plan.column_bits) for x in (found.repeated, found.overflow))
    return CompressedRows(indptr, keys, values, int(found.repeats.sum()), repeated, overflow)


class _Plan(NamedTuple):
    """Which entries go where: blocks of the input, and buckets of consecutive rows."""

    bounds: Any  # of the blocks
    shift: Any  # row >> shift is the bin of a row
    bucket_of_bin: Any
    first_row: Any  # of each bucket, and the number of rows
    starts: Any  # where the entries of each bucket begin, and the number of entries
    free: Any  # where those of each block and bucket begin
    first_value: Any  # the position of the first value of each block
    column_bits: Any
    key_bits: Any  # of each bucket, counted from its first row
    position_bits: Any  # of each bucket; 0 without values


class _Found(NamedTuple):
    """What the threads found in each bucket; keys are stored + 1, and 0 is none."""

    distinct: Any  # number of distinct keys
    repeats: Any  # number of repeated ones, in one triangle of a symmetric matrix
    repeated: Any  # first key that is repeated
    overflow: Any  # first key whose integer values sum to more than their dtype holds


def _plan(
    rows: Any, cols: Any, nrows: int, ncols: int, weighted: bool, options: Any, threads: int
) -> _Plan:
    """Count the entries in bins of rows, and group the bins into buckets."""
    symmetric, skip_loops = options
    num_blocks = threads * BLOCKS
    bounds = np.arange(num_blocks + 1) * rows.size // num_blocks
    row_bits, column_bits = (max(x - 1, 0).bit_length() for x in (nrows, ncols))
    entries_per_bin = 16 * num_blocks  # on average at least, so that the counts are small
    bin_bits = min(row_bits, BIN_BITS, max(8, (rows.size // entries_per_bin).bit_length()))
    shift = row_bits - bin_bits
    counts = np.zeros((num_blocks, 1 << bin_bits), np.uint64)

    def count(block: int) -> None:
        part = slice(*bounds[block : block + 2])
        _count_entries(
            rows[part], cols[part], np.uint64(shift), symmetric, skip_loops, counts[block]
        )

    run_tasks(count, num_blocks, threads)
    position_bits = BUCKET.bit_length() if weighted else 0
    widest = min(max(64 - column_bits - position_bits - shift, 0), bin_bits)
    first_bin, starts = _buckets(counts.sum(axis=0), 1 << widest)
    first_row = np.minimum(np.append(first_bin << shift, nrows), nrows).astype(np.uint64)
    in_block = np.add.reduceat(counts, first_bin, axis=1)
    first_value = bounds[:-1]
    if skip_loops:
        kept = counts.sum(axis=1).astype(np.int64) // (2 if symmetric else 1)
        first_value = np.cumsum(kept) - kept
    widths = np.diff(first_bin, append=1 << bin_bits)
    return _Plan(
        bounds,
        np.uint64(shift),
        np.repeat(np.arange(first_bin.size, dtype=np.uint16), widths),
        first_row,
        starts,
        starts[:-1] + np.cumsum(in_block, axis=0) - in_block,
        first_value,
        np.uint64(column_bits),
        _bits(np.diff(first_row)) + np.uint64(column_bits),
        _bits(np.diff(starts)) if weighted else np.zeros(first_bin.size, np.uint64),
    )


def _bits(counts: Any) -> Any:
    """Return the number of bits of the largest of `count` numbers from 0 on, for each count."""
    return np.array([max(int(count) - 1, 0).bit_length() for count in counts], np.uint64)


def _distribute(
    plan: _Plan, rows: Any, cols: Any, values: Any, options: Any, threads: int
) -> tuple[Any, Any]:
    """Return the keys and values in the order of the buckets."""
    symmetric, skip_loops = options
    keys = np.empty(int(plan.starts[-1]), np.uint64)
    weighted, bucket_values = values is not None, None
    bits, bucket_bits = np.empty((2, 1), np.uint8)
    if weighted:
        values = np.ascontiguousarray(values)
        bucket_values = np.empty(keys.size, values.dtype)
        bits, bucket_bits = (x.view(f"u{x.itemsize}") for x in (values, bucket_values))

    def distribute(block: int) -> None:
        part = slice(*plan.bounds[block : block + 2])
        _append_entries(
            rows[part], cols[part], bits[plan.first_value[block] :] if weighted else bits,
            weighted, plan.shift, plan.column_bits, symmetric, skip_loops, plan.bucket_of_bin,
            plan.free[block], keys, bucket_bits,
        )  # fmt: skip

    run_tasks(distribute, plan.bounds.size - 1, threads)
    return keys, bucket_values


def _sort_buckets(
    plan: _Plan, nrows: int, keys: Any, values: Any, dup: str | None, symmetric: bool, threads: int
) -> tuple[Any, _Found]:
    """Sort and combine the entries of each bucket; its columns and values are then at its front.

    The first result holds, for each row, the number of distinct entries from the beginning of its
    bucket to its end.
    """
    indptr = np.zeros(nrows + 1, np.uint64)
    found = _Found(*np.zeros((4, plan.key_bits.size), np.uint64))
    order = np.argsort(np.diff(plan.starts))[::-1].copy()  # large ones first, to end together
    bounds = np.zeros(1, np.int64), order, plan.starts, plan.first_row, plan.key_bits

    def sort(thread: int) -> None:
        with np.errstate(over="ignore"):
            if values is None:
                _sort_keys(*bounds, plan.column_bits, symmetric, keys, indptr, *found[:3])
            else:
                _sort_values(
                    *bounds, plan.position_bits, plan.column_bits, symmetric, RULES[dup],
                    FORMS[values.dtype.kind], np.uint64(values.itemsize * 8), keys,
                    values.view(f"u{values.itemsize}"), indptr, *found,
                )  # fmt: skip

    run_tasks(sort, threads, threads)
    return indptr, found


def _words(rows: Any, cols: Any) -> list[Any]:
    """Return contiguous arrays of indices that have 32 bits, or 64 if one of them has."""
    word = "u8" if max(rows.itemsize, cols.itemsize) == 8 else "u4"
    out = []
    for x in (rows, cols):
        if x.itemsize == int(word[1]) and x.dtype.isnative:
            out.append(np.ascontiguousarray(x).view(word))
        else:
            out.append(x.astype(word))
    return out


def _buckets(counts: Any, most_bins: int) -> tuple[Any, Any]:
    """Group consecutive bins; return the first bin of each bucket, and where its entries begin.

    A bucket has about BUCKET entries, or more than that in a single bin, and at most `most_bins`.
    """
    ends = np.cumsum(counts)
    starts = ends - counts
    size = max(BUCKET, int(ends[-1]) // MAX_BUCKETS)
    labels = starts // np.uint64(size), np.arange(counts.size) // most_bins
    large = counts > size
    new = large.copy()
    new[1:] |= large[:-1]
    for label in labels:
        new[1:] |= label[1:] != label[:-1]
    new[0] = True
    first_bin = np.flatnonzero(new)
    return first_bin, np.append(starts[first_bin], ends[-1])


def _first(keys: Any, column_bits: Any) -> tuple[int, int] | None:
    """Return the smallest key that a bucket has found, as a pair; found keys are stored + 1."""
    found = keys[keys != 0]
    if not found.size:
        return None
    i, j = divmod(int(found[0]) - 1, 1 << int(column_bits))
    return i, j


def _close_gaps(
    plan: _Plan, distinct: Any, indptr: Any, columns: Any, values: Any, threads: int
) -> None:
    """Move the distinct entries of all buckets to the front, and free the memory behind them.

    A bucket moves to the front by the number of entries that were combined in earlier buckets, and
    overwrites their last entries. These are saved first; threads then move buckets at once, as many
    as save a small part.
    """
    starts, ends = plan.starts[:-1].astype(np.int64), np.cumsum(distinct).astype(np.int64)
    sizes = distinct.astype(np.int64)
    places = ends - sizes
    tails = np.minimum(starts - places, sizes)  # entries that another bucket overwrites
    arrays = [columns] if values is None else [columns, values]
    saved: dict[int, list[Any]] = {}

    def save(bucket: int) -> None:
        end = starts[bucket] + sizes[bucket]
        saved[bucket] = [x[end - tails[bucket] : end].copy() for x in arrays]

    def move(bucket: int) -> None:
        start, place, body = starts[bucket], places[bucket], sizes[bucket] - tails[bucket]
        for x, tail in zip(arrays, saved.pop(bucket), strict=True):
            if start != place:
                x[place : place + body] = x[start : start + body]
                x[place + body : ends[bucket]] = tail
        first, last = (int(x) for x in plan.first_row[bucket : bucket + 2])
        indptr[first + 1 : last + 1] += np.uint64(place)

    def for_buckets(first: int, last: int, task: Any) -> None:
        run_tasks(lambda k: task(first + k), last - first, threads)

    to_save = np.cumsum(tails)
    first, limit = 0, int(ends[-1]) // SAVED_PART
    while first < sizes.size:
        last = int(np.searchsorted(to_save, to_save[first] + limit, side="right"))
        for_buckets(first, last, save)
        for_buckets(first, last, move)
        first = last
    for x in arrays:
        x.resize(int(ends[-1]), refcheck=False)


@njit(cache=True, nogil=True)
def _count_entries(rows, cols, shift, symmetric, skip_loops, counts):
    """Count the entries in each bin of rows."""
    for k in range(rows.size):
        i, j = np.uint64(rows[k]), np.uint64(cols[k])
        if i != j:
            counts[i >> shift] += ONE
            if symmetric:
                counts[j >> shift] += ONE
        elif not skip_loops:
            counts[i >> shift] += ONE


@njit(cache=True, nogil=True)
def _append_entries(
    rows, cols, bits, weighted, shift, column_bits, symmetric, skip_loops, bucket_of_bin, free,
    keys, out_bits,
):  # fmt: skip
    """Append each entry to its bucket, whose next free place is known."""
    value = 0
    for k in range(rows.size):
        i, j = np.uint64(rows[k]), np.uint64(cols[k])
        is_loop = i == j
        if is_loop and skip_loops:
            continue
        bucket = bucket_of_bin[i >> shift]
        place = free[bucket]
        free[bucket] = place + ONE
        keys[place] = i << column_bits | j
        if weighted:
            out_bits[place] = bits[value]
        if symmetric and not is_loop:
            bucket = bucket_of_bin[j >> shift]
            place = free[bucket]
            free[bucket] = place + ONE
            keys[place] = j << column_bits | i
            if weighted:
                out_bits[place] = bits[value]
        value += 1


@njit(cache=True, nogil=True)
def _sort(keys, scratch, low, bits, counts):
    """Sort by `bits` bits of the keys from bit `low` on; return the array with the result.

    It is `keys` or `scratch`. The bits below `low` are in ascending order before.
    """
    size, is_sorted = keys.size, True
    for k in range(1, size):
        if keys[k - 1] > keys[k]:
            is_sorted = False
            break
    if is_sorted:
        return keys
    if size <= SHORT:
        for k in range(1, size):
            key, slot = keys[k], k
            while slot > 0 and keys[slot - 1] > key:
                keys[slot] = keys[slot - 1]
                slot -= 1
            keys[slot] = key
        return keys
    width = 6
    while width < DIGIT and 2 << width < size:
        width += 1
    passes = (bits + width - 1) // width
    width = (bits + passes - 1) // passes
    mask = np.uint64((1 << width) - 1)
    counts[:passes, : 1 << width] = ZERO
    for k in range(size):
        key = keys[k] >> low
        for p in range(passes):
            counts[p, key & mask] += ONE
            key >>= np.uint64(width)
    source, target = keys, scratch
    for p in range(passes):
        place, digit_bit = counts[p], low + np.uint64(p * width)
        if place[source[0] >> digit_bit & mask] == size:
            continue
        total = ZERO
        for digit in range(1 << width):
            total, place[digit] = total + place[digit], total
        for k in range(size):
            key = source[k]
            digit = key >> digit_bit & mask
            slot = place[digit]
            place[digit] = slot + ONE
            target[slot] = key
        source, target = target, source
    return source


@njit(cache=True, nogil=True)
def _sort_keys(
    next_bucket, order, starts, first_row, key_bits, column_bits, symmetric, keys, indptr,
    num_distinct, num_repeats, repeated,
):  # fmt: skip
    """Sort the next bucket until none is left, and drop repeated keys."""
    scratch = np.empty(2 * BUCKET, np.uint64)
    counts = np.empty((11, 1 << DIGIT), np.uint64)
    column_mask = (ONE << column_bits) - ONE
    while True:
        turn = fetch_add(next_bucket, 0, 1)
        if turn >= order.size:
            return
        b = order[turn]
        start, end = starts[b], starts[b + 1]
        size = end - start
        if size > scratch.size:
            scratch = np.empty(size, np.uint64)
        segment = keys[start:end]
        base = first_row[b] << column_bits
        for k in range(segment.size):
            segment[k] -= base
        result = _sort(segment, scratch[:size], ZERO, np.int64(key_bits[b]), counts)
        row, distinct, repeats, previous = first_row[b], ZERO, ZERO, NO_KEY
        for k in range(result.size):
            key = result[k]
            key_row, column = (key >> column_bits) + first_row[b], key & column_mask
            if key == previous:
                if not symmetric or key_row <= column:
                    if repeats == ZERO:
                        repeated[b] = key + base + ONE
                    repeats += ONE
                continue
            previous = key
            while row < key_row:
                row += ONE
                indptr[row] = distinct
            segment[distinct] = column
            distinct += ONE
        while row < first_row[b + 1]:
            row += ONE
            indptr[row] = distinct
        num_distinct[b], num_repeats[b] = distinct, repeats


@njit(cache=True, nogil=True)
def _sort_values(
    next_bucket, order, starts, first_row, key_bits, position_bits, column_bits, symmetric, rule,
    form, width, keys, bits, indptr, num_distinct, num_repeats, repeated, overflow,
):  # fmt: skip
    """Sort buckets as `_sort_keys` does, together with their values, and combine repeated ones.

    A key is sorted with its position in the bucket in the bits below it, which finds its value.
    """
    scratch = np.empty(2 * BUCKET, np.uint64)
    copy = np.empty(2 * BUCKET, bits.dtype)
    counts = np.empty((11, 1 << DIGIT), np.uint64)
    column_mask = (ONE << column_bits) - ONE
    checks = rule == SUM and form != REAL
    limit = 2.0 ** np.float64(width - ONE)
    while True:
        turn = fetch_add(next_bucket, 0, 1)
        if turn >= order.size:
            return
        b = order[turn]
        start, end = starts[b], starts[b + 1]
        size = end - start
        if size > scratch.size:
            scratch = np.empty(size, np.uint64)
            copy = np.empty(size, bits.dtype)
        segment, values = keys[start:end], bits[start:end]
        low = position_bits[b]
        position_mask = (ONE << low) - ONE
        base = first_row[b] << column_bits
        for k in range(segment.size):
            segment[k] = (segment[k] - base) << low | np.uint64(k)
            copy[k] = values[k]
        result = _sort(segment, scratch[:size], low, np.int64(key_bits[b]), counts)
        row, distinct, repeats, previous = first_row[b], ZERO, ZERO, NO_KEY
        combined, total = ZERO, 0.0
        for k in range(result.size):
            key, value = result[k] >> low, np.uint64(copy[result[k] & position_mask])
            key_row, column = (key >> column_bits) + first_row[b], key & column_mask
            if key == previous:
                if not symmetric or key_row <= column:
                    if repeats == ZERO:
                        repeated[b] = key + base + ONE
                    repeats += ONE
                combined = _combine(combined, value, rule, form, width)
                values[distinct - ONE] = combined
                if checks:
                    total += _number(value, form, width)
                    is_last = k + 1 == result.size or result[k + 1] >> low != key
                    error = total - _number(combined, form, width)
                    if is_last and abs(error) >= limit and overflow[b] == ZERO:
                        overflow[b] = key + base + ONE
                continue
            previous, combined = key, value
            if checks:
                total = _number(value, form, width)
            while row < key_row:
                row += ONE
                indptr[row] = distinct
            segment[distinct], values[distinct] = column, value
            distinct += ONE
        while row < first_row[b + 1]:
            row += ONE
            indptr[row] = distinct
        num_distinct[b], num_repeats[b] = distinct, repeats


@njit(cache=True, nogil=True)
def _number(bits, form, width):
    """Return the number that `width` bits encode, as float64."""
    if form == REAL:
        if width == 32:
            return np.float64(np.uint32(bits).view(np.float32))
        return np.uint64(bits).view(np.float64)
    if form == SIGNED:
        unused = np.uint64(64) - width
        return np.float64(np.int64(bits << unused) >> np.int64(unused))
    return np.float64(bits)


@njit(cache=True, nogil=True)
def _combine(old, new, rule, form, width):
    """Return the bits of two numbers combined by a rule; "min" and "max" leave NaN out."""
    if rule == FIRST:
        return old
    if rule == LAST:
        return new
    if form == REAL:
        a, b = _number(old, form, width), _number(new, form, width)
        if rule == SUM:
            if width == 32:  # the sum of two float32 is rounded twice without harm
                return np.uint64(np.float32(a + b).view(np.uint32))
            return np.float64(a + b).view(np.uint64)
        if a != a:
            return new
        if b != b:
            return old
        is_less = b < a
        is_greater = b > a
    else:
        unused = np.uint64(64) - width
        if rule == SUM:
            return (old + new) << unused >> unused
        a, b = old << unused, new << unused  # aligned at the sign bit
        if form == SIGNED:
            is_less, is_greater = np.int64(b) < np.int64(a), np.int64(b) > np.int64(a)
        else:
            is_less, is_greater = b < a, b > a
    return new if (is_less if rule == MIN else is_greater) else old
