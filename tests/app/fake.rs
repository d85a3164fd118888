//! An experiment that needs no simulation: agents glide to their places, commands are written down and mostly obeyed.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use glam::DVec3;
use swarmyard::experiment::command::{Command, ObstacleShape};
use swarmyard::experiment::frame::*;
use swarmyard::experiment::session::{FramePair, FrameSlot, Session, Wake};

/// A session with a frame of its own.
pub(crate) struct Fake {
    slot: FrameSlot,
    frame: Mutex<Frame>,
    sent: Mutex<Vec<Command>>,
}

impl Fake {
    /// The drill yard with its 20 agents, a pillar, two plots and a problem.
    pub(crate) fn drill() -> Arc<Self> {
        Self::with(drill_frame())
    }

    /// A session that starts with `frame`.
    pub(crate) fn with(frame: Frame) -> Arc<Self> {
        let slot = FrameSlot::new(Arc::new(frame.clone()));
        Arc::new(Self { slot, frame: Mutex::new(frame), sent: Mutex::default() })
    }

    /// What was sent so far.
    pub(crate) fn sent(&self) -> Vec<Command> {
        self.sent.lock().expect("no test panics while it holds the lock").clone()
    }

    /// Change the frame and publish it.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Frame)) {
        let mut frame = self.frame.lock().expect("no test panics while it holds the lock");
        change(&mut frame);
        frame.serial += 1;
        self.slot.publish(Arc::new(frame.clone()));
    }

    /// Make a tick if it runs.
    pub(crate) fn tick(&self) {
        let running = self.frame.lock().expect("no test panics while it holds the lock").run.is_running();
        if running {
            self.change(advance);
        }
    }
}

impl Session for Fake {
    fn frames(&self) -> FramePair {
        self.slot.pair()
    }

    fn send(&self, command: Command) {
        self.sent.lock().expect("no test panics while it holds the lock").push(command.clone());
        self.change(|frame| obey(frame, command));
    }

    fn set_wake(&self, wake: Wake) {
        self.slot.set_wake(wake);
    }
}

fn obey(frame: &mut Frame, command: Command) {
    if command.undoable() {
        frame.unsaved = true;
        frame.undo = Some(command.label());
    }
    match command {
        Command::Play => frame.run = RunState::Running,
        Command::Pause => frame.run = RunState::Paused,
        Command::TogglePlay => frame.run = if frame.run.is_running() { RunState::Paused } else { RunState::Running },
        Command::Step(ticks) => {
            frame.run = RunState::Paused;
            (0..ticks).for_each(|_| advance(frame));
        }
        Command::SetSpeed(speed) => frame.speed = speed,
        Command::Undo => frame.redo = frame.undo.take(),
        Command::Redo => frame.undo = frame.redo.take(),
        Command::SetParam { address, value } => set(frame, &[(address, value)]),
        Command::SetParams { values, .. } => set(frame, &values),
        Command::EnableForce { address, on } => {
            let mut forces = frame.forces.to_vec();
            forces.iter_mut().filter(|force| force.address == address).for_each(|force| force.enabled = on);
            frame.forces = forces.into();
        }
        Command::MoveAgents { agents, by, .. } => {
            for row in agents.iter().filter_map(|&key| frame.agents.row(key)).collect::<Vec<_>>() {
                frame.agents.position[row] += by;
            }
        }
        Command::MoveFormation { at, turn, .. } => place(frame, at, turn),
        Command::AddObstacle(spec) => {
            let mut obstacles = frame.obstacles.to_vec();
            let id = obstacles.len() as u64 + 1;
            obstacles.push(obstacle(id, &spec.name, &spec.shape));
            frame.obstacles = obstacles.into();
        }
        Command::MoveObstacle { id, to, .. } => {
            let mut obstacles = frame.obstacles.to_vec();
            for found in obstacles.iter_mut().filter(|found| found.id == id) {
                let by = to - found.anchor;
                found.anchor = to;
                found.outlines = found.outlines.iter().map(|line| line.iter().map(|p| *p + by).collect()).collect();
            }
            frame.obstacles = obstacles.into();
        }
        Command::RemoveObstacle(id) => {
            frame.obstacles = frame.obstacles.iter().filter(|o| o.id != id).cloned().collect();
        }
        Command::DismissProblem(id) => frame.problems = frame.problems.iter().filter(|p| p.id != id).cloned().collect(),
        Command::Watch(watch) => watch_over(frame, &watch),
        Command::Inspect(key) => frame.inspected = key.map(|key| Arc::new(inspected(key))),
        _ => {}
    }
}

fn set(frame: &mut Frame, values: &[(String, ParamValue)]) {
    let mut params = frame.parameters.to_vec();
    for (address, value) in values {
        for param in params.iter_mut().filter(|param| param.address == *address) {
            param.value = value.clone();
            param.source = ValueSource::User;
        }
    }
    frame.parameters = params.into();
}

/// One tick: agents go a tenth of the way to their places.
fn advance(frame: &mut Frame) {
    frame.tick += 1;
    frame.time = frame.tick as f64 * frame.dt;
    let agents = &mut frame.agents;
    for row in 0..agents.len() {
        let Some(slot) = agents.slot[row] else { continue };
        let step = (slot.position - agents.position[row]).clamp_length_max(2.4 * frame.dt * 1.5) * 0.6;
        agents.position[row] += step;
        agents.velocity[row] = step / frame.dt;
        agents.heading[row] += 0.08 * wrap(slot.heading - agents.heading[row]);
        agents.slot_error[row] = agents.position[row].distance(slot.position) as f32;
    }
    if frame.tick.is_multiple_of(3) {
        let mean = f64::from(agents.slot_error.iter().sum::<f32>()) / agents.len().max(1) as f64;
        let max = f64::from(agents.slot_error.iter().copied().fold(0.0, f32::max));
        let mut plots = frame.plots.to_vec();
        for line in &mut plots {
            let value = match line.metric.as_str() {
                "slot_error" => mean,
                "spacing_error_max" => max * 0.6,
                "heading_sd" => 0.02 + mean * 0.3,
                _ => max * 0.4,
            };
            let mut points = line.points.to_vec();
            points.push([frame.time, value]);
            line.points = points.into();
            line.last = Some(value);
        }
        frame.plots = plots.into();
    }
}

fn wrap(angle: f64) -> f64 {
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}

fn place(frame: &mut Frame, at: DVec3, turn: f64) {
    let (sin, cos) = turn.sin_cos();
    for (row, slot) in frame.agents.slot.iter_mut().enumerate() {
        let x = row as f64 * 1.2;
        let y = 2.0 * (std::f64::consts::TAU * x / 8.0).sin();
        let position = at + DVec3::new(x * cos - y * sin, x * sin + y * cos, 0.0);
        *slot = Some(SlotPose { position, heading: turn + 0.6 * (std::f64::consts::TAU * x / 8.0).cos() });
    }
    if let Some(formation) = frame.groups.first_mut().and_then(|group| group.formation.as_mut()) {
        formation.head = at;
        formation.turn = turn;
    }
}

/// An obstacle as a frame shows it.
pub(crate) fn obstacle(id: u64, name: &str, shape: &ObstacleShape) -> ObstacleView {
    let (kind, outline, anchor, closed) = match shape {
        ObstacleShape::Disc { at, radius } | ObstacleShape::Sphere { at, radius } => {
            let ring = (0..32).map(|i| {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / 32.0).sin_cos();
                *at + DVec3::new(cos, sin, 0.0) * *radius
            });
            ("disc", ring.collect(), *at, true)
        }
        ObstacleShape::Box { min, max } => {
            let corners = [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)];
            ("box", corners.map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec(), (*min + *max) * 0.5, true)
        }
        ObstacleShape::Wall { from, to } => ("wall", vec![*from, *to], (*from + *to) * 0.5, false),
        ObstacleShape::Polyline(points) => ("polyline", points.clone(), points[0], false),
        ObstacleShape::Polygon(points) => ("polygon", points.clone(), points[0], true),
    };
    ObstacleView {
        id,
        name: name.to_owned(),
        kind,
        outlines: Arc::new([outline]),
        closed,
        open: false,
        anchor,
        height: 1.5,
    }
}

/// Each watched agent sees those within 1.5 m, and those ahead of it up to 3 m.
fn watch_over(frame: &mut Frame, watch: &Watch) {
    let look = |key: AgentKey, name: &str, kind, radius: f64, half_angle: Option<f64>| {
        let row = frame.agents.row(key).unwrap_or(0);
        let found = (0..frame.agents.len()).filter(|&other| other != row);
        let found =
            found.map(|other| (frame.agents.key[other], frame.agents.position[other] - frame.agents.position[row]));
        let found = found.filter(|(_, offset)| offset.length() <= radius).collect();
        LookView { name: name.to_owned(), kind, radius, half_angle, from: Some("drill".to_owned()), found }
    };
    let senses = watch.agents.iter().map(|&key| SensesView {
        key,
        looks: vec![
            look(key, "alignment", LookKind::Flock, 3.0, Some(2.0)),
            look(key, "separation", LookKind::Apart, 1.5, None),
        ],
    });
    let senses: Arc<[SensesView]> = senses.collect();
    frame.senses = senses;
    let cell = |x: f64, count| (DVec3::new(x, -3.0, 0.0), count);
    let cells = CellsView { side: DVec3::new(1.0, 3.0, 0.0), cells: vec![cell(0.0, 3), cell(4.0, 1)] };
    frame.cells = watch.cells.then(|| Arc::new(cells));
}

fn inspected(key: AgentKey) -> Inspected {
    let field = |name: &str, value: &str, unit: &str| FieldView {
        name: name.to_owned(),
        value: value.to_owned(),
        unit: unit.to_owned(),
        about: String::new(),
    };
    let force =
        |name: &str, x: f64, y: f64| ForceArrow { name: name.to_owned(), push: DVec3::new(x, y, 0.0), unit: "m/s" };
    Inspected {
        key,
        group: "drill".to_owned(),
        behavior: "soldier".to_owned(),
        state: "aligning".to_owned(),
        fields: vec![
            field("position", "12.00, 0.31", "m"),
            field("velocity", "0.42, -0.10", "m/s"),
            field("speed", "0.432", "m/s"),
            field("heading", "1.571", "rad"),
            field("slot_error", "0.034", "m"),
            field("clearance", "3.210", "m"),
        ],
        memory: vec![field("leg", "2", ""), field("tired", "0.25", "")],
        forces: vec![force("track_slot", 1.6, 0.8), force("soft_wall", -0.9, 0.3), force("obstacle", 0.2, -1.1)],
        stuck: false,
        trace: vec![
            TraceLine { tick: 300, label: "idle → moving".to_owned() },
            TraceLine { tick: 340, label: "moving → aligning".to_owned() },
        ],
    }
}

fn param(section: Section, address: &str, value: f64, range: (f64, f64), unit: &str, source: ValueSource) -> Param {
    let label = address.rsplit('.').next().unwrap_or_default().to_owned();
    let force = (section == Section::Forces).then(|| "track_slot".to_owned());
    Param {
        address: address.to_owned(),
        label,
        group: 0,
        state: force.as_ref().map(|_| "aligning".to_owned()),
        force,
        section,
        value: ParamValue::Number(value),
        default: ParamValue::Number(value),
        min: Some(range.0),
        max: Some(range.1),
        reach: None,
        unit: unit.to_owned(),
        about: "What it does, in one line".to_owned(),
        options: Vec::new(),
        source,
        bound: None,
    }
}

/// A gain of the position controller in every state, or the parameter of the machine that it is bound to.
fn gain(address: &str, value: f64, most: f64) -> Param {
    let force = address.contains("track_slot").then(|| "track_slot".to_owned());
    let section = if force.is_some() { Section::Forces } else { Section::Behavior };
    Param { state: None, force, ..param(section, address, value, (0.0, most), "1/s", ValueSource::Scene) }
}

fn series(metric: &str, unit: &str, limit: Option<f64>, color: usize) -> Series {
    Series {
        id: format!("drill.{metric}"),
        metric: metric.to_owned(),
        group: "drill".to_owned(),
        unit: unit.to_owned(),
        about: "Distance of agents from their places".to_owned(),
        color,
        points: Arc::new([]),
        last: None,
        steps: false,
        limit,
        settles: Arc::new([SettleMark { ordered_at: 0.0, command: "s_wave_lua".to_owned(), settled_at: Some(2.4) }]),
    }
}

/// The frame that the fake drill yard starts with.
pub(crate) fn drill_frame() -> Frame {
    let mut frame = Frame {
        dt: 1.0 / 60.0,
        seed: 7,
        hash: Some(0x8f3a_1234_5678_9abc),
        speed_reached: 1.0,
        scene: Arc::new(SceneInfo {
            title: "Drill yard".to_owned(),
            about: "Line, S-wave, spiral.".to_owned(),
            path: Some("scenes/01_drill.ron".to_owned()),
            planar: true,
            area: Some((DVec3::new(-20.0, -15.0, 0.0), DVec3::new(40.0, 15.0, 0.0))),
            edge: "Open".to_owned(),
            ..SceneInfo::default()
        }),
        ..Frame::default()
    };
    for i in 0..20 {
        frame.agents.key.push(AgentKey::new(i, 0));
        frame.agents.position.push(DVec3::new(f64::from(i) * 1.2, -2.0, 0.0));
        frame.agents.velocity.push(DVec3::ZERO);
        frame.agents.heading.push(1.57);
        frame.agents.radius.push(0.2);
        frame.agents.group.push(0);
        frame.agents.state.push((i % 2) as u16);
        frame.agents.slot.push(None);
        frame.agents.slot_error.push(0.0);
        frame.agents.quarantined.push(false);
    }
    let term = |name: &str, unit, limit, value, ok| TermView {
        name: name.to_owned(),
        unit,
        limit,
        value: Some(value),
        ok: Some(ok),
        ..TermView::default()
    };
    frame.groups.push(GroupView {
        name: "drill".to_owned(),
        count: 20,
        behavior: "soldier".to_owned(),
        control: "velocity",
        shape: BodyShape::Chevron,
        formation: Some(FormationView {
            name: "s_wave_lua".to_owned(),
            base_line: Some((DVec3::ZERO, DVec3::X * 24.0)),
            ..FormationView::default()
        }),
        contract: Some(ContractView {
            terms: vec![
                term("spacing", "m", 0.05, 0.012, true),
                term("cross_track", "m", 0.05, 0.081, false),
                term("heading", "°", 3.0, 1.2, true),
                term("settle", "s", 1.2, 0.9, true),
            ],
            ok: Some(false),
            settled_at: Some(4.1),
        }),
        states: ["moving", "aligning"].map(|name| StateCount { name: name.to_owned(), count: 10 }).to_vec(),
        events: vec!["form_up".to_owned(), "halt".to_owned()],
        transitions: vec![TransitionCount { label: "moving → aligning".to_owned(), count: 31 }],
        ..GroupView::default()
    });
    place(&mut frame, DVec3::ZERO, 0.0);
    frame.obstacles = Arc::new([
        obstacle(1, "pillar", &ObstacleShape::Disc { at: DVec3::new(12.0, 6.0, 0.0), radius: 0.5 }),
        obstacle(2, "gate", &ObstacleShape::Wall { from: DVec3::new(-4.0, -6.0, 0.0), to: DVec3::new(3.0, -8.0, 0.0) }),
    ]);
    frame.parameters = Arc::new([
        param(Section::Behavior, "drill.step_length", 0.7, (0.2, 1.5), "m", ValueSource::Script),
        gain("drill.k1", 3.75, 6.0),
        gain("drill.track_slot.kd", 0.66, 2.0),
        gain("drill.track_slot.k3", 0.0, 1.0),
        param(Section::Forces, "drill.aligning.track_slot.k1", 3.75, (0.0, 20.0), "1/s", ValueSource::Scene),
        param(Section::Forces, "drill.aligning.track_slot.k2", 4.0, (0.0, 20.0), "1/s", ValueSource::Script),
        param(Section::Formation, "drill.formation.amplitude", 2.0, (0.0, 10.0), "m", ValueSource::Script),
        param(Section::Formation, "drill.formation.wavelength", 8.0, (1.0, 40.0), "m", ValueSource::CommandLine),
        param(Section::Contract, "drill.contract.spacing", 0.05, (0.0, 1.0), "m", ValueSource::Scene),
        param(Section::Contract, "drill.contract.cross_track", 0.05, (0.0, 1.0), "m", ValueSource::Scene),
        param(Section::Body, "drill.body.max_speed", 2.4, (0.0, 10.0), "m/s", ValueSource::Scene),
        param(Section::Body, "drill.body.dead_time", 0.12, (0.0, 1.0), "s", ValueSource::User),
    ]);
    frame.forces = Arc::new(["track_slot", "soft_wall"].map(|name| ForceView {
        address: format!("drill.aligning.{name}"),
        name: name.to_owned(),
        group: 0,
        state: Some("aligning".to_owned()),
        enabled: true,
        about: "Pulls the agent to its place".to_owned(),
    }));
    frame.plots = Arc::new([
        series("slot_error", "m", Some(0.05), 0),
        series("spacing_error_max", "m", Some(0.05), 1),
        series("heading_sd", "rad", Some(0.052), 2),
        series("cross_track_max", "m", Some(0.05), 3),
    ]);
    frame.metrics = frame
        .plots
        .iter()
        .map(|line| MetricInfo {
            id: line.id.clone(),
            unit: line.unit.clone(),
            about: line.about.clone(),
            watched: true,
        })
        .collect();
    frame.problems = Arc::new([ProblemView {
        id: 1,
        level: Level::Error,
        code: "script.fault".to_owned(),
        message: "agent has no field `velocty`".to_owned(),
        hint: Some("did you mean `velocity`?".to_owned()),
        file: Some("scripts/behaviors/shy.luau".to_owned()),
        line: Some(7),
        excerpt: Some(
            "  6 |   local push = vector.zero\n> 7 |   push += agent.velocty\n  8 |   return push".to_owned(),
        ),
        agent: Some(AgentKey::new(4, 0)),
        tick: Some(120),
        count: 12,
        ..ProblemView::default()
    }]);
    frame.events = Arc::new([
        LogLine {
            serial: 1,
            time: 0.0,
            source: "scene".to_owned(),
            text: "Drill yard loaded: 20 agents".to_owned(),
            ..LogLine::default()
        },
        LogLine {
            serial: 2,
            time: 2.1,
            toast: true,
            source: "reload".to_owned(),
            text: "s_wave_lua v3 in effect".to_owned(),
            ..LogLine::default()
        },
    ]);
    frame.scripts = Arc::new([
        script("soldier", "behavior", ScriptStatus::Current, true),
        script("s_wave_lua", "formation", ScriptStatus::Current, true),
        script("shy", "behavior", ScriptStatus::Broken, false),
    ]);
    frame.catalogue = ["Drill yard", "Bottleneck", "Shoal"]
        .iter()
        .enumerate()
        .map(|(i, title)| SceneEntry {
            path: format!("scenes/0{}_{}.ron", i + 1, if i == 0 { "drill" } else { "other" }),
            title: (*title).to_owned(),
            about: "One line on it".to_owned(),
            origin: "project".to_owned(),
        })
        .collect();
    frame.definitions = ["line", "spiral", "s_wave_lua"]
        .map(|name| Definition { kind: "formation".to_owned(), name: name.to_owned(), ..Definition::default() })
        .into();
    frame.stages = ["sense", "decide", "act", "measure"].map(|name| StageTime { name, millis: 0.04 }).to_vec();
    frame.buttons = Arc::new([DirectorButton { director: "rush".to_owned(), name: "panic".to_owned() }]);
    frame
}

#[expect(clippy::disallowed_methods, reason = "a script's age is wall-clock time")]
fn script(name: &str, kind: &str, status: ScriptStatus, used: bool) -> ScriptView {
    ScriptView {
        file: format!("scripts/{kind}s/{name}.luau"),
        kind: kind.to_owned(),
        name: name.to_owned(),
        version: 3,
        hash: "8f3a12".to_owned(),
        since: Instant::now(),
        status,
        earlier: vec![2, 1],
        used,
    }
}
