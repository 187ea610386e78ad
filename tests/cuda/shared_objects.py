"""Objects shared by tests of errors, and the check that a failed call changed none of them."""

from graphla.cuda import Matrix, Scalar, Vector
from graphla.cuda.runtime.device import device

VALUES = [1.0, 2.0, 3.0]
ROWS = [[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]


class SharedObjects:
    """Operands and outputs of calls that must fail and change nothing."""

    def __init__(self):
        self.v, self.A = Vector.from_dense(VALUES), Matrix.from_dense(ROWS)
        self.T, self.s, self.E = self.A.T, Scalar("FP64", 2.0), Vector(float, 3)
        self.w, self.B, self.C = Vector(float, 5), Matrix(float, 5, 5), Matrix(float, 2, 3)

    def check_unchanged(self):
        assert device.to_host(self.v.to_dense()).tolist() == VALUES
        assert device.to_host(self.A.to_dense()).tolist() == ROWS
        assert (self.E.nvals, self.w.shape, self.A.shape) == (0, (5,), (3, 3))
