//! Texts that `swarmyard new` writes: commented starts that run.

/// What can be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// `scripts/behaviors/NAME.luau`.
    Behavior,
    /// `scripts/machines/NAME.luau`.
    Machine,
    /// `scripts/formations/NAME.luau`.
    Formation,
    /// `scripts/forces/NAME.luau`.
    Force,
    /// `scripts/metrics/NAME.luau`.
    Metric,
    /// `scripts/directors/NAME.luau`.
    Director,
    /// `scenes/NAME.ron`.
    Scene,
}

impl Template {
    /// All of them, in the order of the help text.
    pub const ALL: [Self; 7] =
        [Self::Behavior, Self::Machine, Self::Formation, Self::Force, Self::Metric, Self::Director, Self::Scene];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Behavior => "behavior",
            Self::Machine => "machine",
            Self::Formation => "formation",
            Self::Force => "force",
            Self::Metric => "metric",
            Self::Director => "director",
            Self::Scene => "scene",
        }
    }

    /// The template of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|template| template.word() == word)
    }

    /// Path relative to the project.
    pub fn path(self, name: &str) -> String {
        match self {
            Self::Behavior => format!("scripts/behaviors/{name}.luau"),
            Self::Machine => format!("scripts/machines/{name}.luau"),
            Self::Formation => format!("scripts/formations/{name}.luau"),
            Self::Force => format!("scripts/forces/{name}.luau"),
            Self::Metric => format!("scripts/metrics/{name}.luau"),
            Self::Director => format!("scripts/directors/{name}.luau"),
            Self::Scene => format!("scenes/{name}.ron"),
        }
    }

    /// The text, with the name put in.
    pub fn text(self, name: &str) -> String {
        let text = match self {
            Self::Behavior => BEHAVIOR,
            Self::Machine => MACHINE,
            Self::Formation => FORMATION,
            Self::Force => FORCE,
            Self::Metric => METRIC,
            Self::Director => DIRECTOR,
            Self::Scene => SCENE,
        };
        text.replace("NAME", name)
    }
}

const BEHAVIOR: &str = r#"-- scripts/behaviors/NAME.luau: a blend of forces, plus one of its own. Save, and the agents follow at once.
return yard.behavior {
  about = "Keeps its distance and drifts along.",
  params = {                                        -- each is a slider
    range = { 2.0, min = 0.5, max = 10, unit = "m", about = "how near is too near" },
    speed = { 1.0, min = 0, max = 5, unit = "m/s" },
  },
  memory = { bored = 0.0 },                         -- one copy per agent, typed by its default
  forces = {
    obstacle = 1.0,                                 -- native, by name; the number is its weight
    distance = { weight = 3.0, compute = function(agent, p)
      local push = vector.zero
      for _, other in agent:neighbors(p.range) do push -= other.direction * (p.range - other.distance) end
      return push
    end },
  },
  step = function(agent, p)                         -- runs before the forces; what it returns is added
    agent.memory.bored += yard.dt
    return (agent.forward * p.speed - agent.velocity) / 0.5
  end,
}
"#;

const MACHINE: &str = r#"-- scripts/machines/NAME.luau: behaviors as states. The lines of `transitions` are tried from the top.
return yard.machine {
  about = "Rests, then walks about; keeps away from walls.",
  params = {
    rest = { 2.0, min = 0, max = 20, unit = "s" },
    walk = { 5.0, min = 0, max = 60, unit = "s" },
    near = { 1.0, min = 0, max = 10, unit = "m" },
    clear = { 2.0, min = 0, max = 10, unit = "m" },
  },
  initial = "resting",
  forces = { separation = 1.0, obstacle = 1.0 },    -- in every state
  states = {                                        -- laid over the machine's, key by key; 0 is off
    resting = { limits = { max_speed = 0.2 } },
    walking = { forces = { wander = 1.0 } },
    dodging = { forces = { obstacle = 3.0 } },
  },
  transitions = {
    { from = "any", to = "dodging", below = { clearance = "p.near" } },
    { from = "dodging", to = "walking", above = { clearance = "p.clear" }, hold = 5 },
    { from = "resting", to = "walking", after = "p.rest" },
    { from = "walking", to = "resting", after = "p.walk" },
  },
}
"#;

const FORMATION: &str = r#"-- scripts/formations/NAME.luau: places along a curve, set at equal spacing by the program.
return yard.formation {
  about = "A flat arch.",
  params = {
    height = { 3.0, min = 0, max = 20, unit = "m" },
    width = { 12.0, min = 1, max = 100, unit = "m" },
    spacing = { 1.2, min = 0.3, max = 5, unit = "m" },
  },
  -- `s` is any parameter of the curve; return numbers, not a vector.
  curve = function(s, p)
    return s, p.height * math.sin(math.pi * s / p.width)
  end,
}
"#;

const FORCE: &str = r#"-- scripts/forces/NAME.luau: one push on an agent, to be named in the blend of any behavior: forces = { NAME = 1.0 }
return yard.force {
  about = "Pulls towards a point.",
  params = {
    target = vector.create(0, 0, 0),
    gain = { 1.0, min = 0, max = 10, unit = "1/s2" },
    most = { 3.0, min = 0, max = 20, unit = "m/s2", about = "never stronger than this" },
  },
  compute = function(agent, p)
    return yard.limit(p.gain * agent:offset(p.target), p.most)
  end,
}
"#;

const METRIC: &str = r#"-- scripts/metrics/NAME.luau: a number worth plotting. In a scene: metrics: ["NAME"].
return yard.metric {
  about = "Share of the group that moves.",
  unit = "",
  params = { least = { 0.1, min = 0, max = 5, unit = "m/s", about = "slower than this is at rest" } },
  compute = function(group, p)
    if group.count == 0 then return nil end         -- nil: a gap in the plot
    local moving = 0
    for _, one in group.agents do
      if one.speed > p.least then moving += 1 end
    end
    return moving / group.count
  end,
}
"#;

const DIRECTOR: &str = r#"-- scripts/directors/NAME.luau: what happens in a scene. In a scene: directors: ["NAME"].
return yard.director {
  about = "Tells the crowd now and then; a button tells it at once.",
  params = {
    group = { "crowd", options = "groups" },
    period = { 10, min = 1, max = 60, unit = "s" },
  },
  memory = { told = 0 },                            -- kept over reloads, on world.memory
  start = function(world, p)
    yard.log(`{world:group(p.group).count} agents in {p.group}`)
  end,
  tick = function(world, p)
    if yard.every(p.period) then
      world.memory.told += 1
      world:send(p.group, "gather", world.memory.told)
    end
  end,
  on = {                                            -- each name is a button and a command of the window
    gather = function(world, p, event) world:send(p.group, "gather", event.value) end,
  },
}
"#;

const SCENE: &str = r#"// scenes/NAME.ron: who is there, where, and what happens. Open it with: swarmyard run scenes/NAME.ron
Scene(
  format: 1, title: "NAME", about: "Twelve agents and a pillar.", seed: 1, tick_hz: 60, duration: 30.0,
  edge: Open, area: (min: (-15, -10), max: (15, 10)),
  obstacles: [Disc(name: "pillar", at: (5, 0), radius: 1.0)],
  groups: [Group(
    name: "crowd", count: 12, spawn: Grid(at: (-6, -3), columns: 4, spacing: 1.5),
    body: (radius: 0.25, max_speed: 2.0, max_acceleration: 6.0),
    behavior: "flock",                                // native; or the name of a file below scripts/
  )],
)
"#;
