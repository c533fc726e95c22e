"""Environments with Gymnasium's interface, for Revealed: docs/design/bridge.md has the protocol.

Needs numpy and the environments' own package. Revealed starts such processes, each with one or more environments:

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
import threading
import time
import traceback

import numpy as np

PROTOCOL = 2
ENVIRONMENTS = 64  # at most, in one process
ASLEEP, LISTENING, PATIENCE, AT, USED = 0, 1, 2, 3, 4  # places of whole numbers of four bytes in the shared memory
PAGE = 64  # bytes before the first environment's, and a divisor of each environment's
TERMINATED, TRUNCATED, COMMAND = 4, 5, 6  # places of whole numbers of four bytes in an environment's memory
SEEN = 32  # bytes of an environment's memory before the observation
DEFAULT_HORIZON = 1000
RESET = "observation, info"  # what the environment's methods return
STEP = "observation, reward, terminated, truncated, info"


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
        if where.endswith(".py") or "gymnasium" not in sys.modules:
            raise Refused("%s has no class %s" % (where, what))
    elif name.endswith(".py"):
        raise Refused("the class is missing: gym:%s:Class" % name)
    try:
        import gymnasium
    except ImportError:
        raise Refused(
            "gymnasium is not installed for %s (install it, or name an environment as module:Class or file.py:Class)"
            % sys.executable
        ) from None
    return gymnasium.make(name, **arguments)


def keywords(text):
    try:
        given = json.loads(text)
    except ValueError as e:
        raise Refused("`task-args` %s is not JSON: %s" % (text, e)) from None
    if not isinstance(given, dict):
        raise Refused("`task-args` %s is not a JSON object, such as {\"g\": 9.81}" % text)
    return given


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
                raise Refused("an observation has %d numbers, and its space %d" % (value.shape[0], self.size))
            into[:] = value
            return
        at = 0
        for key, part in self.parts:
            one = value if key is None else value[key]
            where = "" if key is None else " at %r" % (key,)
            size = width(part)
            if kind(part) == "Discrete":
                choice = int(one) - int(getattr(part, "start", 0))
                if not 0 <= choice < size:
                    raise Refused("the observation%s is %s, outside its Discrete(%d)" % (where, one, size))
                into[at : at + size] = 0
                into[at + choice] = 1
            else:
                numbers = np.asarray(one, dtype=np.float32).reshape(-1)
                if numbers.size != size:
                    raise Refused("the observation%s has %d numbers, and its space %d" % (where, numbers.size, size))
                into[at : at + size] = numbers
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


def aligned(size, to=8):
    return size + -size % to


class Kind:
    """What all environments of the process have in common."""

    def __init__(self, name, arguments, asked):
        self.make = lambda: make(name, arguments)
        env = self.make()
        self.observations = Observations(env.observation_space)
        self.actions = Actions(env.action_space)
        self.horizon = horizon(env, asked)
        self.state_size = 0
        if state_of(env) is not None:
            env.reset(seed=0)
            self.state_size = int(np.asarray(state_of(env).get_state(), dtype=np.float64).size)
        self.given = aligned(SEEN + 4 * self.observations.size)
        self.state = aligned(self.given + 4 * self.actions.size)
        self.size = aligned(self.state + 8 * self.state_size, PAGE)
        self.first = env  # the first environment, made to know all this

    def describe(self):
        about = {"python": sys.version.split()[0], "numpy": np.__version__}
        for package in ("gymnasium", "mujoco"):
            if package in sys.modules:
                about[package] = getattr(sys.modules[package], "__version__", "?")
        if self.actions.shape == "Discrete":
            about["choices"] = self.actions.size
        lines = ["revealed %d" % PROTOCOL]
        lines.append("serves %d" % ENVIRONMENTS)
        lines.append("observations %d" % self.observations.size)
        lines.append("actions %d" % self.actions.size)
        lines.append("bound %r" % self.actions.bound)
        lines.append("horizon %d" % self.horizon)
        lines.append("state %d" % self.state_size)
        lines += ["about %s %s" % each for each in about.items()]
        lines.append("ready")
        return "\n".join(lines) + "\n"


def wrong(method, result, wanted):
    found = "%d values" % len(result) if isinstance(result, (tuple, list)) else type(result).__name__
    return Refused("%s() returned %s; Gymnasium's returns a tuple: %s" % (method, found, wanted))


class World:
    """An environment and its part of the shared memory."""

    def __init__(self, shared, memory, number):
        self.shared = shared
        self.env = None
        at = PAGE + number * shared.size
        self.control = memory[at : at + SEEN].cast("i")
        self.reward = memory[at : at + SEEN].cast("d")  # its second number
        self.seed = memory[at : at + SEEN].cast("q")
        numbers = np.frombuffer(memory, dtype=np.uint8, count=shared.size, offset=at)
        self.seen = numbers[SEEN : SEEN + 4 * shared.observations.size].view("<f4")
        self.given = numbers[shared.given : shared.given + 4 * shared.actions.size].view("<f4")
        self.state = numbers[shared.state : shared.state + 8 * shared.state_size].view("<f8")
        self.write = shared.observations.write
        self.value = shared.actions.value
        self.commands = {
            ord("n"): self.new,
            ord("r"): self.reset,
            ord("g"): self.get,
            ord("p"): self.put,
            ord("x"): self.close,
        }

    def new(self):
        first, self.shared.first = self.shared.first, None
        self.env = self.shared.make() if first is None else first

    def close(self):
        close = getattr(self.env, "close", None)
        self.env = None
        if close is not None:
            close()

    def reset(self):
        result = self.env.reset(seed=self.seed[0])
        if type(result) is not tuple or len(result) != 2:
            raise wrong("reset", result, RESET)
        self.write(result[0], self.seen)

    def step(self):
        result = self.env.step(self.value(self.given))
        if type(result) is not tuple or len(result) != 5:
            raise wrong("step", result, STEP)
        value, reward, terminated, truncated, _ = result
        self.write(value, self.seen)
        try:
            self.reward[1] = reward
        except TypeError:
            raise Refused("the reward is %r, which is not a number" % (reward,)) from None
        self.control[TERMINATED] = 1 if terminated else 0
        self.control[TRUNCATED] = 1 if truncated else 0

    def get(self):
        self.state[:] = np.asarray(state_of(self.env).get_state(), dtype=np.float64).reshape(-1)

    def put(self):
        state_of(self.env).set_state(self.state.copy())

    def render(self):
        """A picture: as text its width, height and, where known, steps of a second; then rows of red, green and blue."""
        if not hasattr(self.env, "render"):
            raise Refused("it has no method render(), which returns rows of red, green and blue")
        picture = self.env.render()
        picture = np.ascontiguousarray(np.zeros(0) if picture is None else picture, dtype=np.uint8)
        if picture.ndim != 3 or picture.shape[2] < 3:
            raise Refused("render() gave no picture; make the environment with render_mode 'rgb_array'")
        size = "%d %d" % (picture.shape[1], picture.shape[0])
        rate = (getattr(self.env, "metadata", None) or {}).get("render_fps")
        if rate and 0 < float(rate) < np.inf:
            size += " %r" % float(rate)
        return size.encode() + b"\n" + picture[:, :, :3].tobytes()


class Service:
    """Does what the shared memory asks for, environment by environment."""

    def __init__(self, shared, receive, send):
        self.receive, self.send = receive, send
        path = b""
        while not path.endswith(b"\n"):
            more = os.read(receive, 4096)
            if not more:
                sys.exit(0)
            path += more
        with open(path[:-1].decode(), "r+b") as file:
            memory = memoryview(mmap.mmap(file.fileno(), 0))
        self.control = memory[:PAGE].cast("i")
        self.worlds = [World(shared, memory, i) for i in range(ENVIRONMENTS)]
        self.brief = True  # the last wait: looking is worth its time
        os.write(send, b"k")

    def run(self):
        control, write, send, step_letter = self.control, os.write, self.send, ord("s")
        words = [world.control for world in self.worlds]
        while True:
            idle = True
            for i in range(control[USED]):
                command = words[i][COMMAND]
                if command == 0:
                    continue
                idle = False
                control[AT] = i + 1
                if command == step_letter:
                    self.worlds[i].step()
                else:
                    self.other(self.worlds[i], command)
                words[i][COMMAND] = 0
                if control[LISTENING] == i + 1:
                    write(send, b"k")
            if idle and not self.wait(words):
                return

    def other(self, world, command):
        if command == ord("v"):
            picture = world.render()
            with os.fdopen(os.dup(self.send), "wb") as out:
                out.write(b"v" + picture)
        else:
            world.commands[command]()

    def wait(self, words):
        """For a command: a while by looking, giving way to others, then asleep until a byte comes."""
        control, pause, now = self.control, os.sched_yield, time.perf_counter
        began = now()
        limit = 1e-6 * control[PATIENCE]
        while self.brief and now() - began < limit:
            pause()
            for i in range(control[USED]):
                if words[i][COMMAND]:
                    return True
        if control[LISTENING]:
            os.write(self.send, b"k")  # the other side may have begun to listen after the last command ended
        control[ASLEEP] = 1
        pause()
        asked = any(words[i][COMMAND] for i in range(control[USED])) or os.read(self.receive, 1)
        control[ASLEEP] = 0
        self.brief = now() - began < limit
        return bool(asked)


def alone(name, arguments, asked, steps, count):
    """The same environments without anybody on the other side: what the bridge is measured against."""
    shared = Kind(name, keywords(arguments), asked)
    envs = [shared.first] + [shared.make() for _ in range(count - 1)]
    for env in envs:
        env.reset(seed=0)
    action = shared.actions.value(np.zeros(shared.actions.size, dtype=np.float32))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    began = time.monotonic()
    done = [0] * count
    for i in range(steps):
        for j, env in enumerate(envs):
            _, _, terminated, truncated, _ = env.step(action)
            done[j] += 1
            if terminated or truncated or done[j] == shared.horizon:
                env.reset(seed=i)
                done[j] = 0
    sys.stdout.write("%r %r\n" % (began, time.monotonic()))


def trace(e):
    """Python's message without the lines of this file and of imports."""
    report = traceback.TracebackException.from_exception(e)
    hidden = (trace.__code__.co_filename, importlib.__file__)
    report.stack = traceback.StackSummary.from_list(
        each for each in report.stack if not each.filename.startswith(hidden + ("<frozen importlib",))
    )
    return "".join(report.format()).replace("Traceback (most recent call last):\n", "", 0 if report.stack else 1)


def follow(parent):
    """Ends with Revealed, even where the environment hangs and nobody reads the pipe that Revealed's end closes."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main():
    if sys.argv[1] == "alone":
        alone(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6]))
        return
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # an interrupted Revealed writes a checkpoint first, then closes the pipe
    send = os.dup(1)
    os.dup2(2, 1)  # what the environment prints must not get between
    receive = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nor what it reads
    threading.Thread(target=follow, args=(os.getppid(),), daemon=True).start()
    service = None
    try:
        shared = Kind(sys.argv[1], keywords(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
        os.write(send, shared.describe().encode())
        service = Service(shared, receive, send)
        service.run()
    except SystemExit:
        raise
    except BaseException as e:
        message = str(e) if isinstance(e, Refused) else trace(e)
        os.write(send, b"e" + message.encode() + b"\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
