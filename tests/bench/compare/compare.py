"""Agent updates per CPU second of JuPedSim, of RVO2 and of this program on the same crowds. Usage: compare.py PROGRAM

Both get the same places, the same goals (the four corners of a square room, each for a quarter of the agents), the same radius, desired speed and
length of a tick, no journeys and no files. JuPedSim is timed round `simulation.iterate`, this program by the stages of its report without `measure`
(JuPedSim measures nothing; with it stands beside). RVO2 runs its own example, the circle whose agents swap sides, by the wheel pyrvo; only `do_step`
is timed, what its agents want is set outside of the time, while here deciding is part of it. The programs take turns; of several runs the fastest
counts. CPU time, one thread each.
"""

import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import jupedsim as jps
import pyrvo

TICK_HZ = 100
TICKS = 300
RUNS = 5
RADIUS = 0.2
SPEED = 1.2


def crowd(count):
    """Side of the room in m, corners to go to, and (place, corner) of each agent: a grid with jitter at 0.5 per square metre."""
    luck = random.Random(count)
    side = (count / 0.5) ** 0.5
    across = int(count**0.5 + 0.999)
    step = side / across
    jitter = (step - 2 * RADIUS) * 0.4
    places = []
    for index in range(count):
        x, y = ((index % across) + 0.5) * step, ((index // across) + 0.5) * step
        places.append((x + luck.uniform(-jitter, jitter), y + luck.uniform(-jitter, jitter)))
    corners = [(1.0, 1.0), (side - 1.0, 1.0), (side - 1.0, side - 1.0), (1.0, side - 1.0)]
    goals = [index % 4 for index in range(count)]
    luck.shuffle(goals)
    return side, corners, list(zip(places, goals))


def jupedsim(model, count):
    side, corners, agents = crowd(count)
    models = {"social_force_2000": jps.SocialForceModel(), "csm": jps.CollisionFreeSpeedModel()}
    room = [(0, 0), (side, 0), (side, side), (0, side)]
    simulation = jps.Simulation(model=models[model], geometry=room, dt=1 / TICK_HZ)
    stage = simulation.add_direct_steering_stage()
    journey = simulation.add_journey(jps.JourneyDescription([stage]))
    common = {"journey_id": journey, "stage_id": stage, "radius": RADIUS, "desired_speed": SPEED}
    for place, goal in agents:
        if model == "csm":
            parameters = jps.CollisionFreeSpeedModelAgentParameters(position=place, **common)
        else:
            parameters = jps.SocialForceModelAgentParameters(position=place, orientation=(1, 0), **common)
        agent = simulation.add_agent(parameters)
        simulation.agent(agent).target = corners[goal]
    began = time.process_time()
    simulation.iterate(TICKS)
    spent = time.process_time() - began
    assert simulation.agent_count() == count
    return count * TICKS / spent


def scene(model, count):
    side, corners, agents = crowd(count)
    behavior = {"social_force_2000": "crowd_2000", "csm": "crowd_csm"}[model]
    speed = {"social_force_2000": "driving.speed", "csm": "csm.speed"}[model]
    groups = []
    for index, corner in enumerate(corners):
        points = ", ".join(f"({x!r}, {y!r})" for (x, y), goal in agents if goal == index)
        groups.append(
            f'Group(name: "to_{index}", spawn: Points(points: [{points}]), goal: ({corner[0]!r}, {corner[1]!r}), '
            f'behavior: "{behavior}", set: {{"{speed}": {SPEED}}}, '
            f"body: (radius: {RADIUS}, max_speed: 5, max_acceleration: 1000))"
        )
    walls = f"[Polyline(points: [(0, 0), ({side}, 0), ({side}, {side}), (0, {side}), (0, 0)])]"
    return f'Scene(format: 1, title: "compare", tick_hz: {TICK_HZ}, obstacles: {walls}, groups: [{", ".join(groups)}])'


def rvo2(count, ticks):
    """Updates per CPU second of RVO2 itself: neighbors within 15 m, ten of them, horizons of 10 s, radius 1.5 m, steps of 0.25 s."""
    simulator = pyrvo.RVOSimulator(0.25, 15.0, 10, 10.0, 10.0, 1.5, 2.0)
    goals = []
    for index in range(count):
        angle = 2 * math.pi * index / count
        x, y = 0.8 * count * math.cos(angle), 0.8 * count * math.sin(angle)
        simulator.add_agent((x, y))
        goals.append((-x, -y))
    spent = 0.0
    for _ in range(ticks):
        for index, goal in enumerate(goals):
            x, y = simulator.get_agent_position(index).to_tuple()
            way = (goal[0] - x, goal[1] - y)
            length = max(math.hypot(*way), 1.0)
            simulator.set_agent_pref_velocity(index, (way[0] / length, way[1] / length))
        began = time.process_time()
        simulator.do_step()
        spent += time.process_time() - began
    return count * ticks / spent


def circle(count):
    return f"""Scene(format: 1, title: "circle", tick_hz: 4, groups: [Group(
      name: "walkers", count: {count}, spawn: Ring(radius: {0.8 * count}), behavior: "crosser",
      body: (radius: 1.5, max_speed: 2, max_acceleration: 16, heading: AlongVelocity,
        avoid: Orca(neighbor_distance: 15, max_neighbors: 10, time_horizon_agents: 10, time_horizon_obstacles: 10)))])"""


def ours(program, text, ticks, project):
    """Updates per CPU second without and with the stage `measure`."""
    path = pathlib.Path(project) / "scenes" / "compare.ron"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    command = [program, "run", str(path), "--ticks", str(ticks), "--json", "--project", root(), "--threads", "1"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    agents = sum(group["agents"] for group in report["groups"])
    timing = report["timing"]
    whole = sum(timing.values())
    return agents * ticks / (whole - timing["measure"]), agents * ticks / whole


def root():
    return str(pathlib.Path(__file__).resolve().parents[3])


def main(program):
    print(f"JuPedSim {jps.__version__ if hasattr(jps, '__version__') else '1.4.2'}, "
          f"{TICKS} ticks of {1 / TICK_HZ} s, fastest of {RUNS}; load {os.getloadavg()[0]:.2f} on {os.cpu_count()} processors")
    print(f"{'model':>18} {'agents':>7} {'JuPedSim/s':>12} {'ours/s':>12} {'ratio':>7} {'with metrics/s':>15} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as project:
        for model in ("social_force_2000", "csm"):
            for count in (500, 2000):
                theirs, plain, whole = 0.0, 0.0, 0.0
                for _ in range(RUNS):
                    theirs = max(theirs, jupedsim(model, count))
                    without, with_metrics = ours(program, scene(model, count), TICKS, project)
                    plain, whole = max(plain, without), max(whole, with_metrics)
                print(f"{model:>18} {count:>7} {theirs:>12,.0f} {plain:>12,.0f} {plain / theirs:>7.1f} "
                      f"{whole:>15,.0f} {whole / theirs:>7.1f}", flush=True)
        print(f"{'':>18} {'agents':>7} {'RVO2/s':>12} {'ours/s':>12} {'ratio':>7} {'with metrics/s':>15} {'ratio':>7}")
        # To where they meet: half of the way at 1 m/s, and the jam there.
        for count, ticks in ((250, 2000), (1000, 4000), (5000, 800)):
            theirs, plain, whole = 0.0, 0.0, 0.0
            for _ in range(3):
                theirs = max(theirs, rvo2(count, ticks))
                without, with_metrics = ours(program, circle(count), ticks, project)
                plain, whole = max(plain, without), max(whole, with_metrics)
            print(f"{'orca circle':>18} {count:>7} {theirs:>12,.0f} {plain:>12,.0f} {plain / theirs:>7.1f} "
                  f"{whole:>15,.0f} {whole / theirs:>7.1f}", flush=True)
    print(f"load at the end {os.getloadavg()[0]:.2f}")


main(sys.argv[1])
