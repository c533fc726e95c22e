"""One environment with Gymnasium's interface, for Revealed: docs/design/bridge.md has the protocol.

Needs numpy and the environment's own package. Revealed starts one such process per environment:

    python3 revealed_env.py NAME ARGUMENTS [HORIZON]

NAME is an id that gymnasium.make knows, module:Class, or file.py:Class; ARGUMENTS is a JSON object of keyword arguments.
"""

import importlib
import importlib.util
import json
import mmap
import os
import signal
import sys
import time
import traceback

import numpy as np

PROTOCOL = 1
HEADER = 48  # bytes of the shared memory before the observation
COMMAND, ASLEEP, LISTENING, PATIENCE = 6, 7, 8, 9  # places of whole numbers of four bytes in it
SHORT = 3e-4  # seconds of sleep that looking on would have saved
DEFAULT_HORIZON = 1000


class Refused(Exception):
    """Something about the environment that the bridge does not take; the message says it in full."""


def make(name, arguments):
    where, _, what = name.rpartition(":")
    if where:
        if where.endswith(".py"):
            if not os.path.isfile(where):
                raise Refused("there is no file %s" % where)
            sys.path.insert(0, os.path.dirname(os.path.abspath(where)))
            spec = importlib.util.spec_from_file_location(os.path.basename(where)[:-3], where)
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
        else:
            sys.path.insert(0, os.getcwd())
            module = importlib.import_module(where)
        if hasattr(module, what):
            return getattr(module, what)(**arguments)
        if where.endswith(".py"):
            raise Refused("%s has no class %s" % (where, what))
    try:
        import gymnasium
    except ImportError:
        raise Refused(
            "gymnasium is not installed for %s (install it, or name an environment as module:Class or file.py:Class)"
            % sys.executable
        ) from None
    return gymnasium.make(name, **arguments)


def kind(space):
    """Box, Discrete, Dict, Tuple ... by the class or one it extends; any object with the same fields will do."""
    for each in type(space).__mro__:
        if each.__name__ in ("Box", "Discrete", "Dict", "Tuple", "MultiDiscrete", "MultiBinary", "Text", "Graph"):
            return each.__name__
    if hasattr(space, "low") and hasattr(space, "high"):
        return "Box"
    return "Discrete" if hasattr(space, "n") else type(space).__name__


def parts(space, what):
    """The spaces of a flat Dict or Tuple, with the keys their values have; a plain space has the key None."""
    name = kind(space)
    if name == "Dict":
        inner = list(space.spaces.items())
    elif name == "Tuple":
        inner = list(enumerate(space.spaces))
    else:
        inner = [(None, space)]
    for key, part in inner:
        if kind(part) not in ("Box", "Discrete"):
            where = "" if key is None else " at %r" % (key,)
            raise Refused(
                "the %s space%s is %s; Box, Discrete and flat Dict or Tuple of them can be used" % (what, where, kind(part))
            )
    return inner


def width(part):
    return int(part.n) if kind(part) == "Discrete" else int(np.prod(part.shape, dtype=int))


class Observations:
    """Values of the space, one after the other; a Discrete one as a vector with a single 1."""

    def __init__(self, space):
        self.parts = parts(space, "observation")
        self.size = sum(width(part) for _, part in self.parts)
        self.plain = self.parts[0][0] is None and kind(self.parts[0][1]) == "Box"

    def write(self, value, into):
        if self.plain:
            if type(value) is not np.ndarray or value.ndim != 1:
                value = np.asarray(value, dtype=np.float32).reshape(-1)
            if value.shape[0] != self.size:
                raise ValueError("an observation has %d numbers, and its space %d" % (value.shape[0], self.size))
            into[:] = value
            return
        at = 0
        for key, part in self.parts:
            one = value if key is None else value[key]
            size = width(part)
            if kind(part) == "Discrete":
                into[at : at + size] = 0
                into[at + int(one) - int(getattr(part, "start", 0))] = 1
            else:
                into[at : at + size] = np.asarray(one, dtype=np.float32).reshape(-1)
            at += size


class Actions:
    """Numbers within one symmetric bound, as learners give them, to values of the space.

    Boxes with other bounds are scaled: -1 is the lowest, 1 the highest. Of a Discrete space the largest number chooses.
    """

    def __init__(self, space):
        self.parts = parts(space, "action")
        self.shape = kind(space)
        self.size = sum(width(part) for _, part in self.parts)
        lows, highs = [], []
        for key, part in self.parts:
            n = width(part)
            if kind(part) == "Discrete":
                lows.append(np.full(n, -1.0))
                highs.append(np.full(n, 1.0))
            else:
                lows.append(np.broadcast_to(np.asarray(part.low, dtype=np.float64), part.shape).reshape(-1))
                highs.append(np.broadcast_to(np.asarray(part.high, dtype=np.float64), part.shape).reshape(-1))
        low, high = np.concatenate(lows), np.concatenate(highs)
        if not (np.isfinite(low).all() and np.isfinite(high).all() and (low < high).all()):
            raise Refused("the action space has no finite bounds: low %s, high %s" % (low, high))
        bound = float(high[0])
        self.same = bool((high == bound).all() and (low == -bound).all())
        self.bound = bound if self.same else 1.0
        self.middle = ((high + low) / 2).astype(np.float32)
        self.half = ((high - low) / 2).astype(np.float32)
        self.plain = self.parts[0][0] is None and kind(self.parts[0][1]) == "Box"
        self.flat = self.plain and len(self.parts[0][1].shape) == 1

    def value(self, given):
        numbers = given.copy() if self.same else self.middle + self.half * given
        if self.flat:
            return numbers
        values = {}
        at = 0
        for key, part in self.parts:
            n = width(part)
            piece = numbers[at : at + n]
            if kind(part) == "Discrete":
                values[key] = int(np.argmax(piece)) + int(getattr(part, "start", 0))
            else:
                values[key] = piece.reshape(part.shape)
            at += n
        if self.shape == "Tuple":
            return tuple(values[i] for i in range(len(self.parts)))
        return values if self.shape == "Dict" else values[None]


def horizon(env, asked):
    if asked:
        return asked
    spec = getattr(env, "spec", None)
    known = getattr(spec, "max_episode_steps", None) or getattr(env, "max_episode_steps", None)
    return int(known) if known else DEFAULT_HORIZON


def state_of(env):
    """The state as numbers, where the environment offers it: get_state() and set_state(numbers)."""
    inner = getattr(env, "unwrapped", env)
    if not (hasattr(inner, "get_state") and hasattr(inner, "set_state")):
        return None
    return inner


class World:
    def __init__(self, name, arguments, asked):
        self.env = make(name, arguments)
        self.observations = Observations(self.env.observation_space)
        self.actions = Actions(self.env.action_space)
        self.horizon = horizon(self.env, asked)
        self.stateful = state_of(self.env)
        self.state_size = 0
        if self.stateful is not None:
            self.env.reset(seed=0)
            self.state_size = int(np.asarray(self.stateful.get_state(), dtype=np.float64).size)

    def describe(self):
        about = {"python": sys.version.split()[0], "numpy": np.__version__}
        for package in ("gymnasium", "mujoco"):
            if package in sys.modules:
                about[package] = getattr(sys.modules[package], "__version__", "?")
        lines = ["revealed %d" % PROTOCOL]
        lines.append("observations %d" % self.observations.size)
        lines.append("actions %d" % self.actions.size)
        lines.append("bound %r" % self.actions.bound)
        lines.append("horizon %d" % self.horizon)
        lines.append("state %d" % self.state_size)
        lines += ["about %s %s" % each for each in about.items()]
        lines.append("ready")
        return "\n".join(lines) + "\n"

    def attach(self, path):
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        after = HEADER + 4 * self.observations.size
        after += -after % 8
        self.control = memoryview(self.memory)[:HEADER].cast("i")
        self.seed = np.frombuffer(self.memory, dtype="<i8", count=1, offset=0)
        self.reward = np.frombuffer(self.memory, dtype="<f8", count=1, offset=8)
        self.ends = np.frombuffer(self.memory, dtype="<i4", count=2, offset=16)
        self.seen = np.frombuffer(self.memory, dtype="<f4", count=self.observations.size, offset=HEADER)
        self.given = np.frombuffer(self.memory, dtype="<f4", count=self.actions.size, offset=after)
        after += 4 * self.actions.size
        after += -after % 8
        self.state = np.frombuffer(self.memory, dtype="<f8", count=self.state_size, offset=after)

    def reset(self):
        value, _ = self.env.reset(seed=int(self.seed[0]))
        self.observations.write(value, self.seen)
        self.reward[0] = 0
        self.ends[:] = 0

    def step(self):
        value, reward, terminated, truncated, _ = self.env.step(self.actions.value(self.given))
        self.observations.write(value, self.seen)
        self.reward[0] = reward
        ends = self.ends
        ends[0] = terminated
        ends[1] = truncated

    def get(self):
        self.state[:] = np.asarray(self.stateful.get_state(), dtype=np.float64).reshape(-1)

    def put(self):
        self.stateful.set_state(self.state.copy())

    def render(self):
        """A picture: its width and height as text, then rows of red, green and blue."""
        picture = np.ascontiguousarray(np.asarray(self.env.render(), dtype=np.uint8))
        if picture.ndim != 3 or picture.shape[2] < 3:
            raise Refused("render() gave no picture; make the environment with render_mode 'rgb_array'")
        return b"%d %d\n" % (picture.shape[1], picture.shape[0]) + picture[:, :, :3].tobytes()


def serve(name, arguments, asked, receive, send):
    world = World(name, json.loads(arguments), asked)
    os.write(send, world.describe().encode())
    path = b""
    while not path.endswith(b"\n"):
        more = os.read(receive, 4096)
        if not more:
            return
        path += more
    world.attach(path[:-1].decode())
    os.write(send, b"k")
    commands = {
        ord("s"): world.step,
        ord("r"): world.reset,
        ord("g"): world.get,
        ord("p"): world.put,
    }
    memory, step, letter_s = world.control, world.step, ord("s")
    read, write, pause, now = os.read, os.write, os.sched_yield, time.perf_counter
    patience = memory[PATIENCE]  # looks at the memory before sleeping; none where processes outnumber the cores
    while True:
        # Wait for a command: a while by looking, giving way to others, then asleep until a byte comes.
        command = memory[COMMAND]
        looks = patience
        while command == 0 and looks > 0:
            pause()
            command = memory[COMMAND]
            looks -= 1
        if command == 0:
            if memory[LISTENING]:
                write(send, b"k")  # the other side may have begun to listen after the last command ended
            memory[ASLEEP] = 1
            if memory[COMMAND] == 0:
                slept = now()
                if not read(receive, 1):
                    return  # the other side is gone
                patience = memory[PATIENCE] if now() - slept < SHORT else 0
            memory[ASLEEP] = 0
            continue
        if command == letter_s:
            step()
        elif command in commands:
            commands[command]()
        elif command == ord("v"):
            picture = world.render()
            with os.fdopen(os.dup(send), "wb") as out:
                out.write(b"v" + picture)
        memory[COMMAND] = 0
        if memory[LISTENING]:
            write(send, b"k")


def alone(name, arguments, asked, steps):
    """The same environment without anybody on the other side: what the bridge is measured against."""
    world = World(name, json.loads(arguments), asked)
    env = world.env
    env.reset(seed=0)
    action = world.actions.value(np.zeros(world.actions.size, dtype=np.float32))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    began = time.monotonic()
    done = 0
    for i in range(steps):
        _, _, terminated, truncated, _ = env.step(action)
        done += 1
        if terminated or truncated or done == world.horizon:
            env.reset(seed=i)
            done = 0
    sys.stdout.write("%r %r\n" % (began, time.monotonic()))


def main():
    if sys.argv[1] == "alone":
        alone(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted Revealed writes a checkpoint first, then closes the pipe
    send = os.dup(1)
    os.dup2(2, 1)  # what the environment prints must not get between
    try:
        serve(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0, os.dup(0), send)
    except Refused as e:
        os.write(send, b"e" + str(e).encode() + b"\n")
        sys.exit(2)
    except BaseException:
        os.write(send, b"e" + traceback.format_exc().encode())
        sys.exit(2)


if __name__ == "__main__":
    main()
