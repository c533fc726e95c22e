"""Environments in plain Python with Gymnasium's interface, for tests: no package but numpy."""

import os
import sys
import time

import numpy as np

root = os.path.dirname(os.path.abspath(__file__))
while not os.path.exists(os.path.join(root, "examples", "pendulum.py")):
    root = os.path.dirname(root)
sys.path.insert(0, os.path.join(root, "examples"))
import pendulum  # noqa: E402
from pendulum import Box  # noqa: E402


class Discrete:
    def __init__(self, n):
        self.n = n


class Dict:
    def __init__(self, spaces):
        self.spaces = spaces


class Pendulum(pendulum.Pendulum):
    """The example's, which can break.

    once: a file; where it is there nothing breaks, and breaking makes it
    work: microseconds that a step computes in addition
    """

    metadata = {"render_fps": 20}

    def __init__(self, fail_at=0, die_at=0, once=None, work=0):
        self.fail_at, self.die_at, self.once, self.work, self.total = fail_at, die_at, once, work, 0

    def step(self, action):
        self.total += 1
        if self.total == self.fail_at and not (self.once and os.path.exists(self.once)):
            if self.once:
                open(self.once, "w").close()
            raise ValueError("the pendulum broke")
        if self.total == self.die_at:
            os.abort()
        if self.work:
            until = time.thread_time_ns() + 1000 * self.work
            while time.thread_time_ns() < until:
                pass
        return super().step(action)

    def render(self):
        picture = np.zeros((2, 3, 3), dtype=np.uint8)
        picture[1, 2] = [10, 20, 30]
        return picture


class Remembering(Pendulum):
    """The same with its state to take and to give back."""

    def get_state(self):
        return [self.angle, self.speed]

    def set_state(self, state):
        self.angle, self.speed = float(state[0]), float(state[1])


class Forgetful(Pendulum):
    """One whose episodes differ though their seeds are the same."""

    def reset(self, seed=None, options=None):
        return super().reset(None)


class Corridor:
    """A walk with every kind of space: terminates at the right end, is truncated by itself after 30 steps."""

    observation_space = Dict({"at": Discrete(4), "way": Box(-10.0, 10.0, (2,))})
    action_space = Dict({"push": Box(0.0, 3.0, (1,)), "turn": Discrete(2)})

    def reset(self, seed=None, options=None):
        self.x, self.t = float(seed % 3), 0
        return self.seen(), {}

    def seen(self):
        return {"at": min(int(self.x) // 3, 3), "way": np.array([self.x, self.t])}

    def step(self, action):
        self.t += 1
        self.x += float(action["push"][0]) if action["turn"] == 1 else 0.0
        return self.seen(), self.x, self.x >= 10, self.t == 30, {}


class Unbounded(Pendulum):
    action_space = Box(-np.inf, np.inf, (1,))


class Careless(Corridor):
    """The corridor with one mistake in step, by its name.

    go: a file that a step and a picture wait for
    """

    def __init__(self, mistake, go=None):
        self.mistake, self.go = mistake, go

    def reset(self, seed=None, options=None):
        both = super().reset(seed)
        return both[0] if self.mistake == "reset" else both

    def step(self, action):
        seen, reward, terminated, truncated, info = super().step(action)
        if self.mistake == "four":
            return seen, reward, terminated, info
        if self.mistake == "input":
            input()
        if self.mistake == "reward":
            reward = np.array([1.0, 2.0])
        if self.mistake == "width":
            seen["way"] = np.array([1.0])
        if self.mistake == "choice":
            seen["at"] = -1
        self.hang()
        return seen, reward, terminated, truncated, info

    def hang(self):
        while self.mistake == "hang" and not os.path.exists(self.go):
            time.sleep(0.01)

    def render(self):
        self.hang()
        return np.zeros((1, 1, 3))
