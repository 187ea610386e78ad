"""A clock that a test advances, so that measured times are exact."""


class Clock:
    """A replacement for the module `time` in which time passes only in `sleep`."""

    now = 0.0

    def perf_counter(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
