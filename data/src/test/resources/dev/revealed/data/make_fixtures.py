"""Makes the NumPy fixtures next to it (NumPy 2.4): python3 make_fixtures.py. Small on purpose."""

# latest-1.10-*.hdf5 were written in C by libhdf5 1.10.8, in Minari's layout, with H5Pset_libver_bounds(LATEST, LATEST)
# and deflated chunks of two rows: "fixed" in datasets of a fixed size, "extensible" in such that can grow. latest-1.12.hdf5
# is such a file without chunks, in whose datatype messages enumerations have version 4, as HDF5 1.12 writes them, and
# the checksums of the object headers follow.

import zipfile

import numpy as np

grid = np.arange(6).reshape(2, 3)

# every dtype that can be read, both byte orders and memory orders; deflated
np.savez_compressed(
    "dtypes.npz",
    f4=(grid / 4).astype("<f4"),
    f8=grid / 3,
    f8_big=(grid / 3).astype(">f8"),
    f8_fortran=np.asfortranarray(grid / 3),
    i1=(grid - 3).astype("i1"),
    i2=(1000 * grid - 3).astype("<i2"),
    i4=(100000 * grid - 3).astype("<i4"),
    i4_big_fortran=np.asfortranarray(100000 * grid - 3).astype(">i4", order="F"),
    i8=(10_000_000_000 * grid - 3),
    u1=(grid + 250).astype("u1"),
    u4=(grid + 4294967290).astype("<u4"),
    b1=grid % 2 == 1,
    scalar=np.float64(0.95),
    scalar_int=np.int64(7),
    cube_fortran=np.asfortranarray(np.arange(24).reshape(2, 3, 4)),
    empty=np.zeros((0, 3)),
    names=np.array(["cost", "größe", "\U0001f600"]),
)

# version 2.0 header, by hand: numpy.save only uses it for headers beyond 64 KiB
with open("version2.npy", "wb") as f:
    np.lib.format.write_array(f, grid / 3, version=(2, 0))

# the process of docs/guide/formats.md; stored, not deflated
kernel = [
    (0, 0, 0, 0.9), (0, 0, 1, 0.1), (0, 1, 1, 0.8), (0, 1, 0, 0.2),
    (1, 0, 0, 1.0), (1, 1, 2, 0.5), (1, 1, 1, 0.5),
    (2, 0, 2, 1.0), (2, 1, 2, 1.0),
]
process = dict(
    kernel_state=np.array([k[0] for k in kernel]),
    kernel_action=np.array([k[1] for k in kernel]),
    kernel_next=np.array([k[2] for k in kernel]),
    kernel_probability=np.array([k[3] for k in kernel]),
    feature_state=np.array([2, 2, 0, 1]),
    feature_action=np.array([0, 1, 1, 1]),
    feature_index=np.array([0, 0, 1, 1]),
    feature_value=np.array([1.0, 1.0, 1.0, 0.5]),
    discount=0.9,
    start=np.array([1.0, 0.0, 0.0]),
    reference=np.full((3, 2), 0.5),
    reward=np.array([0.0, 0.0, 1.0]),
)
np.savez("process.npz", feature_names=np.frombuffer("goal\neffort".encode(), dtype=np.uint8), **process)
np.savez("trajectories.npz", states=np.array([[0, 1, 2], [0, 0, 1]], dtype=np.int32), actions=np.array([[1, 1], [0, 1]]))

# refused
np.savez("object.npz", things=np.array([1, "a", None], dtype=object))
np.savez("complex.npz", waves=np.array([1 + 2j]))
np.savez("structured.npz", table=np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f8")]))
np.savez("half.npz", halves=np.array([0.5], dtype="<f2"))
with zipfile.ZipFile("short.npz", "w") as z:  # a whole archive around an array that was cut
    with open("version2.npy", "rb") as f:
        z.writestr("cut.npy", f.read()[:-5])


# Minari's layout, with h5py (3.16) instead of NumPy: doubles in chunks, a compressed array, booleans as h5py keeps them
import h5py

with h5py.File("minari.hdf5", "w") as f:
    f.attrs["total_episodes"] = 2
    f.attrs["total_steps"] = 5
    for episode, steps in enumerate([3, 2]):
        group = f.create_group(f"episode_{episode}")
        group.attrs["id"] = episode
        group.attrs["seed"] = 123
        group.attrs["total_steps"] = steps
        group.create_dataset("observations", data=np.arange(2 * (steps + 1)).reshape(-1, 2) + 10.0 * episode, chunks=True)
        group.create_dataset("actions", data=np.full((steps, 1), 0.5, np.float32), compression="gzip")
        group.create_dataset("rewards", data=np.arange(steps, dtype=float))
        group.create_dataset("terminations", data=np.arange(steps) == (2 if episode == 0 else 9))
        group.create_dataset("truncations", data=np.arange(steps) == (9 if episode == 0 else 1))
        group.create_group("infos")
