"""Signs of arithmetic and comparison, against python-graphblas."""

import pytest

from tests.cuda.both_engines import agree

SIGNS = ["+", "-", "*", "/", "//", "%", "**", "^", "<", "<=", ">", ">=", "==", "!="]
DIVISIONS = ("//", "%")  # by zero, Numba raises an error that SuiteSparse does not see
QUICK = ["v + v", "v - v", "2 * v", "v < 2", "b ^ b", "v == v", "A + v", "s - 1", "v % 2", "7 // v"]
OPERANDS = ["v", "b", "f", "A", "B", "T", "v.apply('ainv')", "v | v", "b & b", "v[[2, 1, 0]]"]
NUMBERS = ["2", "0.5", "True", "s", "half", "yes", "v.reduce()", "v[1]", "v @ v"]
ONE_OPERAND = "-v;abs(v);~b;~v;-A;-(v + v);~(b | b);-s;~yes"


@pytest.mark.parametrize("line", QUICK)
def test_signs(line):
    agree(line)


@pytest.mark.thorough
@pytest.mark.parametrize("sign", [sign for sign in SIGNS if sign not in DIVISIONS])
@pytest.mark.parametrize("x", OPERANDS)
def test_signs_of_every_object(x, sign):
    for y in OPERANDS + NUMBERS:
        if sign == "*" and "B" in (x, y) and {x, y} & {"b", "b & b"}:
            continue  # python-graphblas has no any_times of BOOL
        agree(f"{x} {sign} {y}")
        agree(f"{y} {sign} {x}")


@pytest.mark.thorough
@pytest.mark.parametrize("sign", DIVISIONS)
def test_divisions(sign):
    for line in (
        "v {} v",
        "v {} 2",
        "v {} 0.5",
        "A {} 3",
        "3 {} A",
        "v.apply('ainv') {} 2",
        "A {} v",
    ):
        agree(line.format(sign), refused=False)


@pytest.mark.thorough
@pytest.mark.parametrize("sign", [sign for sign in SIGNS if sign not in ("==", "!=")])
def test_signs_of_scalars(sign):
    for x in ("s", "half", "yes", "v.reduce()", "v[1]"):
        for y in ("2", "0.5", "True", "s", "half", "v @ v"):
            agree(f"{x} {sign} {y}")
    for x in ("2", "0.5", "True") if sign != "%" else ():
        agree(f"{x} {sign} s")
        agree(f"{x} {sign} yes")


@pytest.mark.parametrize("line", ONE_OPERAND.split(";"))
def test_signs_of_one_operand(line):
    agree(line)


@pytest.mark.thorough
@pytest.mark.parametrize("line", ["divmod(v, 2)[0]", "divmod(2, v)[1]", "pow(v, 2)"])
def test_functions_of_python(line):
    agree(line, refused=False)


@pytest.mark.thorough
@pytest.mark.parametrize("sign", ["+=", "-=", "*=", "//=", "%=", "**=", "^="])
def test_updates_in_place(sign):
    for y in ("2", "v", "True", "s", "v.apply('ainv')"):
        for x in ("v", "b") if y != "v" or sign not in ("//=", "%=") else ("v",):
            agree(f"{x} {sign} {y}")
    agree(f"x = v + v\nx {sign} 2", refused=True)


@pytest.mark.parametrize(
    "line", ["A += v", "A *= A", "A -= 1", "B ^= B", "v += A", "s += 2", "s -= 1"]
)
def test_updates_of_matrices_and_scalars_in_place(line):
    agree(line)
