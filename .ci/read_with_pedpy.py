"""Reads trajectory files of two runs with PedPy and compares all that can be compared. Usage: read_with_pedpy.py FOLDER NAME…"""

import json
import pathlib
import sqlite3
import sys

import numpy as np
import pandas as pd
import pedpy
import shapely

FPS = {"bottleneck": 24.0, "office": 20.0}
TICK_HZ = {"bottleneck": 120, "office": 60}


def columns(data):
    return data[["id", "frame", "x", "y"]].sort_values(["id", "frame"]).reset_index(drop=True)


def check(folder, name):
    run = json.loads((folder / f"{name}.json").read_text())
    path = folder / f"{name}.sqlite"
    database = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path)
    text = pedpy.load_trajectory(trajectory_file=folder / f"{name}.txt")
    table = pd.read_csv(folder / f"{name}.csv", comment="#")
    assert list(table.columns) == ["frame", "id", "pos_x", "pos_y"], table.columns
    table = pedpy.TrajectoryData(table.rename(columns={"pos_x": "x", "pos_y": "y"}), frame_rate=FPS[name])

    # Rates: what was asked for, or the nearest to 25 that ticks divide into.
    assert database.frame_rate == text.frame_rate == FPS[name], (database.frame_rate, text.frame_rate)

    # All three say the same, digit by digit.
    rows = columns(database.data)
    for other in (text, table):
        pd.testing.assert_frame_equal(rows, columns(other.data), check_exact=True, check_dtype=False)

    # Frames count from 0 without a hole, ids are those of agents, nobody is written twice.
    frames = sorted(rows.frame.unique())
    every = TICK_HZ[name] / FPS[name]
    last = int(run["ticks"] // every)
    assert frames == list(range(last + 1)), (frames[0], frames[-1], last)
    assert not rows.duplicated(["id", "frame"]).any()
    agents = sum(group["agents"] for group in run["groups"])
    assert len(rows[rows.frame == last]) == agents, "as many as the report has at the end"
    assert all(export["rows"] == len(rows) and export["frames"] == last + 1 for export in run["exports"])
    for _, track in rows.groupby("id"):
        assert (track.frame.diff().dropna() == 1).all(), "an id is one agent, there without a break"

    # The walkable area is one polygon; everybody walks on it.
    area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path)
    inside = shapely.contains_xy(area.polygon, rows.x, rows.y)
    assert inside.all(), rows[~inside]
    with sqlite3.connect(path) as connection:
        metadata = dict(connection.execute("select key, value from metadata"))
        geometries = connection.execute("select count(*) from geometry").fetchone()[0]
        count = connection.execute("select count(*), min(frame), max(frame) from frame_data").fetchone()
    bounds = [float(metadata[key]) for key in ("xmin", "ymin", "xmax", "ymax")]
    assert np.allclose(bounds, area.bounds, atol=1e-6), (bounds, area.bounds)
    assert count == (last + 1, 0, last), count
    assert geometries == {"bottleneck": 1, "office": 2}[name], "the door of the archive opens at 20 s"

    # Speeds: PedPy's of the file, and the program's own when it plays the file.
    speed = pedpy.compute_individual_speed(
        traj_data=database, frame_step=1, speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED
    )
    own = pd.read_csv(folder / f"{name}.replay")
    own = own.rename(columns={"tick": "frame"})[["frame", "x", "y", "vx", "vy"]]
    both = rows.merge(speed, on=["id", "frame"]).merge(own, on=["frame", "x", "y"])
    assert len(both) == len(rows) == len(own), (len(both), len(rows), len(own))
    worst = (np.hypot(both.vx, both.vy) - both.speed).abs().max()
    assert worst < 1e-6, worst

    # A measure on top: density in a square, which needs area and trajectories to fit together.
    square = pedpy.MeasurementArea(shapely.box(*shapely.buffer(shapely.Point(rows.x.median(), rows.y.median()), 1).bounds))
    density = pedpy.compute_classic_density(traj_data=database, measurement_area=square)
    assert np.isfinite(density.density).all() and density.density.max() > 0
    print(f"{name}: {len(rows)} rows, {rows.id.nunique()} agents, {last + 1} frames at {FPS[name]:g} per second, "
          f"{area.area:.2f} m², speeds agree to {worst:.1e} m/s")


folder = pathlib.Path(sys.argv[1])
for name in sys.argv[2:]:
    check(folder, name)
