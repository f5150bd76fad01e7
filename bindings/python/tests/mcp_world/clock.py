"""A clock that stands still until it is told to go on. Knows nothing of servers."""


class ManualClock:
    def __init__(self):
        self._time = 0.0
        self._timers = []

    def now(self):
        return self._time

    def random(self):
        return 0.0

    def after(self, milliseconds, run):
        timer = (self._time + milliseconds, run)
        self._timers.append(timer)

        def stop():
            self._timers = [each for each in self._timers if each is not timer]

        return stop

    @property
    def waiting(self):
        return len(self._timers)

    @property
    def until_next(self):
        return min((at for at, _ in self._timers), default=float("inf")) - self._time

    def advance(self, milliseconds):
        end = self._time + milliseconds
        while due := sorted((each for each in self._timers if each[0] <= end), key=lambda each: each[0]):
            first = due[0]
            self._timers = [each for each in self._timers if each is not first]
            self._time = max(self._time, first[0])
            first[1]()
        self._time = end
