// Hopper in MuJoCo 3.x, compiled to WebAssembly, as a program that Revealed runs: docs/design/bridge.md has the protocol.
// In a folder with this file and hopper.xml:
//   npm install @mujoco/mujoco
//   ./revealed evaluate --zoo hopper --task 'exec:node hopper.mjs hopper.xml'
import fs from "node:fs";
import loadMujoco from "@mujoco/mujoco";

const OBSERVATIONS = 11, ACTIONS = 3, SKIP = 4;
const ASLEEP = 0, PAGE = 64; // bytes of the process's part; then the environment's
const REWARD = 8, TERMINATED = 16, COMMAND = 24, SEEN = 32, GIVEN = 80; // bytes of the environment's part
const mujoco = await loadMujoco({ print: () => {}, printErr: (text) => console.error(text) });
const model = mujoco.MjModel.from_xml_string(fs.readFileSync(process.argv[2], "utf8"));
const data = new mujoco.MjData(model);

fs.writeSync(1, [`revealed 2`, `observations ${OBSERVATIONS}`, `actions ${ACTIONS}`, `bound 1.0`, `horizon 1000`, `state 0`,
    `about mujoco ${mujoco.mj_versionString()}`, `ready`, ``].join("\n"));
const path = Buffer.alloc(4096);
const shared = fs.openSync(path.toString("utf8", 0, fs.readSync(0, path)).trim(), "r+");
const memory = new DataView(new ArrayBuffer(PAGE + 128));
const put = (from, to) => fs.writeSync(shared, new Uint8Array(memory.buffer, from, to - from), 0, to - from, from);
memory.setInt32(ASLEEP, 1, true);
put(ASLEEP, ASLEEP + 4);
fs.writeSync(1, "k");

// Uniform numbers by the seed (mulberry32).
function random(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

function reset(seed) {
    const next = random(seed);
    mujoco.mj_resetData(model, data);
    for (const each of [data.qpos, data.qvel]) {
        for (let i = 0; i < each.length; i++) each[i] += 0.01 * next() - 0.005;
    }
    mujoco.mj_forward(model, data);
}

function step() {
    const before = data.qpos[0];
    let squares = 0;
    for (let i = 0; i < ACTIONS; i++) {
        const action = memory.getFloat32(PAGE + GIVEN + 4 * i, true);
        data.ctrl[i] = action;
        squares += action * action;
    }
    for (let i = 0; i < SKIP; i++) mujoco.mj_step(model, data);
    const forward = (data.qpos[0] - before) / (SKIP * model.opt.timestep);
    memory.setFloat64(PAGE + REWARD, forward + 1 - 0.001 * squares, true);
    const stands = data.qpos[1] > 0.7 && Math.abs(data.qpos[2]) < 0.2
        && data.qpos.slice(2).every((x) => Math.abs(x) < 100) && data.qvel.every((x) => Math.abs(x) < 100);
    memory.setInt32(PAGE + TERMINATED, stands ? 0 : 1, true);
}

function look() {
    const seen = [...data.qpos.slice(1), ...data.qvel.map((x) => Math.min(Math.max(x, -10), 10))];
    seen.forEach((x, i) => memory.setFloat32(PAGE + SEEN + 4 * i, x, true));
}

const byte = Buffer.alloc(1);
while (fs.readSync(0, byte) > 0) {
    fs.readSync(shared, new Uint8Array(memory.buffer), 0, memory.byteLength, 0);
    const command = String.fromCharCode(memory.getInt32(PAGE + COMMAND, true));
    if (command === "r") reset(Number(memory.getBigInt64(PAGE, true)));
    else if (command === "s") step();
    else if (command === "\0") continue; // a byte without a command
    if (command === "r" || command === "s") look();
    put(PAGE + REWARD, PAGE + COMMAND);
    put(PAGE + SEEN, PAGE + SEEN + 4 * OBSERVATIONS);
    memory.setInt32(PAGE + COMMAND, 0, true);
    put(PAGE + COMMAND, PAGE + COMMAND + 4); // last: it says that the rest is there
    fs.writeSync(1, "k");
}
