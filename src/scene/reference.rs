//! The manual page of the file formats, from the same tables that read the files.

use std::fmt::Write as _;

use super::decode::{FieldInfo, Limit};
use super::file::{
    AreaFile, BodyFile, BoxArea, BoxFile, BoxSpawn, CloseFile, ContractFile, CsmFile, DiscArea, DiscFile, DiscSpawn,
    ExitFile, FloorFile, FormFile, FormationUse, GridSpawn, GroupRecord, LeadFile, LeastCrowdedFile, LineArea,
    LinkFile, MarchFile, MeasureAreaFile, MeasureLineFile, Named, NavigationFile, NearestFile, NetworkFile, NoiseFile,
    OpenFile, OrcaFile, PointsRecord, PolygonArea, PolygonFile, PolylineFile, PoseFile, QueueFile, ReassignFile,
    ReleaseFile, RemoveFile, RingSpawn, SceneFile, SendFile, SetFile, SharesFile, ShuffleFile, SourceFile,
    SpawnMoreFile, SphereFile, ViewFile, WaitingFile, WallFile, WaypointFile, ZoneFile,
};
use super::manifest::PluginFile;

/// The records of one part of the format: heading, explanation, records with their fields.
type Part = (&'static str, &'static str, Vec<(&'static str, &'static [FieldInfo])>);

fn parts() -> Vec<Part> {
    vec![
        (
            "The scene",
            "A file holds one `Scene(…)`. Lengths are in m, times in s, angles in degrees where the name ends in `_deg`. A point is \
             `(x, y)` or `(x, y, z)`.",
            vec![("Scene", SceneFile::FIELDS), ("area", AreaFile::FIELDS), ("view", ViewFile::FIELDS)],
        ),
        (
            "Obstacles",
            "`obstacles: [Disc(name: \"pillar\", at: (12, 6), radius: 0.5)]`",
            vec![
                ("Disc", DiscFile::FIELDS),
                ("Sphere", SphereFile::FIELDS),
                ("Box", BoxFile::FIELDS),
                ("Wall", WallFile::FIELDS),
                ("Polyline", PolylineFile::FIELDS),
                ("Polygon", PolygonFile::FIELDS),
            ],
        ),
        (
            "Navigation",
            "`navigation: ()` gives every agent with a goal a path round the obstacles: a mesh is built from the ground minus the closed \
             obstacles grown by the agent's radius, and again when they move, open or close. The force `follow_path` walks along it; \
             `agent.path_state` says how an agent is doing, and on its way it hears `path_changed` (with the length), \
             `waypoint_reached` (with the number), `link_reached` (with the name), `target_reached` and `navigation_finished`, each \
             once per path and in this order. A goal where nobody can stand is moved to the nearest point where one can. The mesh lies \
             in the plane: floors above each other stand side by side and are joined by links. \
             `navigation: (zones: [(name: \"stairs\", points: [(4, 0), (8, 0), (8, 2), (4, 2)], speed: 0.5)])`",
            vec![
                ("navigation", NavigationFile::FIELDS),
                ("floor", FloorFile::FIELDS),
                ("zone", ZoneFile::FIELDS),
                ("link", LinkFile::FIELDS),
            ],
        ),
        (
            "Measuring",
            "`lines: [Line(name: \"door\", from: (15, 7), to: (15, 8))]` and `areas: [Area(name: \"front\", min: (12, 6), max: (15, 9))]` are \
             measured as PedPy does; what each number means stands in [CROWDS.md](CROWDS.md#measuring). Plots name them \
             `lines.door.flow` and `areas.front.voronoi_density`; `run --json` and `--csv` have all of them.",
            vec![("Line", MeasureLineFile::FIELDS), ("Area", MeasureAreaFile::FIELDS)],
        ),
        (
            "Groups",
            "Agents that share a body, a behavior and a formation.",
            vec![
                ("Group", GroupRecord::FIELDS),
                ("body", BodyFile::FIELDS),
                ("Orca", OrcaFile::FIELDS),
                ("Csm", CsmFile::FIELDS),
                ("formation", FormationUse::FIELDS),
                ("pose", PoseFile::FIELDS),
                ("contract", ContractFile::FIELDS),
                ("reassign", ReassignFile::FIELDS),
                ("sensor_noise", NoiseFile::FIELDS),
                ("network", NetworkFile::FIELDS),
            ],
        ),
        (
            "Flows",
            "Where agents enter while it runs, which stops they visit, where they leave. `sources: [Source(name: \"street\", group: \"guests\", \
             area: Line(from: (0, 2), to: (0, 6)), rate: 1.5, spread: Poisson)]`; a `group` with `journey: [\"gate\", \"platform\", \"train\"]` \
             visits the `stops` of these names in turn. What a stop means, what agents hear, and the numbers that can be plotted stand in \
             [CROWDS.md](CROWDS.md#flows).",
            vec![
                ("Source", SourceFile::FIELDS),
                ("Waypoint", WaypointFile::FIELDS),
                ("Waiting", WaitingFile::FIELDS),
                ("Queue", QueueFile::FIELDS),
                ("Exit", ExitFile::FIELDS),
                ("Box", BoxArea::FIELDS),
                ("Disc", DiscArea::FIELDS),
                ("Polygon", PolygonArea::FIELDS),
                ("Line", LineArea::FIELDS),
                ("Shuffle", ShuffleFile::FIELDS),
                ("Nearest", NearestFile::FIELDS),
                ("LeastCrowded", LeastCrowdedFile::FIELDS),
                ("Shares", SharesFile::FIELDS),
            ],
        ),
        (
            "Spawn",
            "Where a group's agents stand at the start. `heading_deg` and `speed` may be ranges `(from, to)`, from which each agent \
             draws its own number. `Points([(0, 0), (1, 0)])` is short for `Points(points: […])`.",
            vec![
                ("Grid", GridSpawn::FIELDS),
                ("Disc", DiscSpawn::FIELDS),
                ("Ring", RingSpawn::FIELDS),
                ("Box", BoxSpawn::FIELDS),
                ("Points", PointsRecord::FIELDS),
            ],
        ),
        (
            "Schedule",
            "`schedule: [At(5.0, Form(group: \"drill\", formation: \"spiral\"))]`; field names may be left out: `At(9, Open(\"door\"))`.",
            vec![
                ("Form", FormFile::FIELDS),
                ("March", MarchFile::FIELDS),
                ("Lead", LeadFile::FIELDS),
                ("Release", ReleaseFile::FIELDS),
                ("Send", SendFile::FIELDS),
                ("Set", SetFile::FIELDS),
                ("Spawn", SpawnMoreFile::FIELDS),
                ("Remove", RemoveFile::FIELDS),
                ("Open", OpenFile::FIELDS),
                ("Close", CloseFile::FIELDS),
            ],
        ),
        (
            "Directors and metrics",
            "By name, `\"rush\"`, or with settings, `(name: \"rush\", set: {\"period\": 5})`.",
            vec![("entry", Named::FIELDS)],
        ),
        ("Plugins", "`plugins/NAME/plugin.ron` holds one `Plugin(…)`.", vec![("Plugin", PluginFile::FIELDS)]),
    ]
}

/// The manual page of scene files and plugin manifests, as Markdown.
pub fn manual() -> String {
    let mut page = String::from(
        "# Scene files\n\nWritten from the tables of the reader; fields in **bold** must be given, a value in brackets holds without its field.\n",
    );
    for (heading, about, records) in parts() {
        page.extend(["\n## ", heading, "\n\n", about, "\n"]);
        for (name, fields) in records {
            page.extend(["\n`", name, "`\n\n"]);
            for field in fields {
                line(&mut page, field);
            }
        }
    }
    page
}

/// What holds without a field, where that is a plain value.
fn default_of(field: &FieldInfo) -> Option<String> {
    let text = super::ron::to_text("", &(field.default)());
    let text = text.trim();
    let empty = ["None", "[]", "{}", "()", "\"\"", ""].contains(&text);
    (!field.required && !empty && text.len() <= 24 && !text.contains('\n')).then(|| text.to_owned())
}

fn line(page: &mut String, field: &FieldInfo) {
    let limit = match field.limit {
        Limit::Any => String::new(),
        Limit::Positive => ", above 0".to_owned(),
        Limit::NotNegative => ", not negative".to_owned(),
        Limit::Within(from, to) => format!(", from {from} to {to}"),
        Limit::AboveUpTo(from, to) => format!(", above {from} and at most {to}"),
    };
    let default = default_of(field).map_or_else(String::new, |default| format!(" ({default})"));
    let name = if field.required { format!("**`{}`**", field.name) } else { format!("`{}`", field.name) };
    // Writing to a String cannot fail.
    let _infallible = writeln!(page, "* {name} – {}{limit}{default}", field.help);
}
