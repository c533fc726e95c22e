"""A pendulum to swing up and hold, with Gymnasium's interface and nothing but numpy.

    ./revealed expert --task gym:examples/pendulum.py:Pendulum --steps 10000 --random-steps 1000 --out pendulum
"""

import math

import numpy as np


class Box:
    def __init__(self, low, high, shape):
        self.low, self.high, self.shape = low, high, shape


class Pendulum:
    observation_space = Box(-8.0, 8.0, (3,))  # cosine and sine of the angle, and its speed
    action_space = Box(-2.0, 2.0, (1,))  # a torque
    max_episode_steps = 200

    def reset(self, seed=None, options=None):
        random = np.random.default_rng(seed)
        self.angle = random.uniform(-math.pi, math.pi)
        self.speed = random.uniform(-1, 1)
        return self.seen(), {}

    def seen(self):
        return np.array([math.cos(self.angle), math.sin(self.angle), self.speed], dtype=np.float32)

    def step(self, action):
        torque = min(max(float(action[0]), -2.0), 2.0)
        off = (self.angle + math.pi) % (2 * math.pi) - math.pi
        cost = off * off + 0.1 * self.speed * self.speed + 0.001 * torque * torque
        self.speed = min(max(self.speed + (15 * math.sin(self.angle) + 3 * torque) * 0.05, -8.0), 8.0)
        self.angle += self.speed * 0.05
        return self.seen(), -cost, False, False, {}  # observation, reward, terminated, truncated, info
