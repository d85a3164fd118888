//! A scene saved from the program loads equal, and reads well.

use glam::DVec3;
use proptest::prelude::*;
use swarmyard::scene::file::*;
use swarmyard::scene::{SceneFile, SetValue, Spanned};
use swarmyard::sim::{Edge, Integrator, Value};

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![(-1e6..1e6_f64), (0..100_i32).prop_map(f64::from), Just(1e-9), Just(-0.25)]
}

fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![(1e-6..1e4_f64), (1..100_i32).prop_map(f64::from)]
}

fn point() -> impl Strategy<Value = DVec3> {
    (number(), number(), prop_oneof![Just(0.0), number()]).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn word() -> impl Strategy<Value = Spanned<String>> {
    "[a-z_]{1,8}".prop_map(Spanned::new)
}

fn value() -> impl Strategy<Value = SetValue> {
    prop_oneof![
        number().prop_map(|number| SetValue(Value::Number(number))),
        any::<bool>().prop_map(|flag| SetValue(Value::Bool(flag))),
        any::<String>().prop_map(|text| SetValue(Value::Text(text))),
        point().prop_map(|point| SetValue(Value::Vector(point))),
    ]
}

fn range() -> impl Strategy<Value = Range> {
    (number(), positive()).prop_map(|(from, more)| Range { from, to: from + more })
}

fn spawn() -> impl Strategy<Value = SpawnFile> {
    prop_oneof![
        (point(), proptest::option::of(1..50_u32), positive(), range(), range()).prop_map(
            |(at, columns, spacing, heading_deg, speed)| SpawnFile::Grid(GridSpawn {
                at,
                columns,
                spacing,
                heading_deg,
                speed,
                jitter: 0.5
            })
        ),
        (point(), positive()).prop_map(|(at, radius)| SpawnFile::Disc(DiscSpawn { at, radius, ..Default::default() })),
        (point(), positive()).prop_map(|(at, radius)| SpawnFile::Ring(RingSpawn { at, radius, ..Default::default() })),
        (point(), point()).prop_map(|(min, max)| SpawnFile::Box(BoxSpawn { min, max, ..Default::default() })),
        (proptest::collection::vec(point(), 0..60), prop_oneof![Just(Range::default()), range()]).prop_map(
            |(points, heading_deg)| {
                let points = points.into_iter().map(Spanned::new).collect();
                SpawnFile::Points(PointsSpawn(PointsRecord { points, heading_deg, ..Default::default() }))
            }
        ),
    ]
}

fn group() -> impl Strategy<Value = GroupFile> {
    let body = (positive(), positive(), proptest::option::of(positive()), range()).prop_map(
        |(radius, max_speed, horizon, range)| {
            let mut body = BodyFile { radius, max_speed, ..Default::default() };
            body.avoid = horizon.map(|horizon| {
                AvoidFile::Orca(OrcaFile { time_horizon_agents: horizon.min(1000.0), ..Default::default() })
            });
            body.spread.insert("dead_time", range);
            body
        },
    );
    let set = proptest::collection::btree_map("[a-z.]{1,12}", value(), 0..4);
    let rest = (
        proptest::option::of(word()),
        proptest::collection::vec(point(), 0..4),
        proptest::option::of(point()),
        number(),
    );
    // Boxed: what strategies of such depth hold on the stack would not fit into that of a test.
    (word(), 0..1000_u32, spawn().boxed(), body.boxed(), set, rest).prop_map(
        |(name, count, spawn, body, set, (behavior, route, goal, turn_deg))| {
            let mut group = GroupRecord {
                name,
                count: Some(Spanned::new(count)),
                spawn: Some(Spanned::new(spawn)),
                body: Spanned::new(body),
                formation: behavior.clone().map(|name| FormationUse {
                    name,
                    pose: PoseFile { at: DVec3::X, turn_deg, ..PoseFile::default() },
                }),
                contract: goal.map(|_| ContractFile { spacing: Some(0.05), ..Default::default() }),
                network: goal.map(|_| NetworkFile { loss: 0.5, ..Default::default() }),
                behavior,
                route,
                goal,
                ..Default::default()
            };
            for (key, value) in set {
                group.set.insert(&key, value);
            }
            GroupFile(group)
        },
    )
}

fn action() -> impl Strategy<Value = ActionFile> {
    prop_oneof![
        (word(), word(), value()).prop_map(|(group, formation, value)| {
            let mut form = FormFile { group, formation, ..Default::default() };
            form.params.insert("p", value);
            ActionFile::Form(form)
        }),
        (word(), proptest::option::of(value())).prop_map(|(to, value)| {
            let to = Spanned::new(Target::Group(to.value));
            ActionFile::Send(SendFile { to, name: "go".to_owned(), value })
        }),
        (word(), value()).prop_map(|(address, value)| ActionFile::Set(SetFile { address, value: Spanned::new(value) })),
        (word(), point(), positive()).prop_map(|(group, at, radius)| ActionFile::Spawn(SpawnMoreFile {
            group,
            count: 3,
            at,
            radius
        })),
        word().prop_map(|obstacle| ActionFile::Open(OpenFile { obstacle })),
    ]
}

fn scene() -> impl Strategy<Value = SceneFile> {
    let obstacle = prop_oneof![
        (point(), positive(), any::<bool>()).prop_map(|(at, radius, open)| ObstacleFile::Disc(DiscFile {
            name: "d".to_owned(),
            at,
            radius,
            open
        })),
        proptest::collection::vec(point(), 3..40).prop_map(|points| ObstacleFile::Polygon(PolygonFile {
            holes: vec![points.clone()],
            points,
            ..Default::default()
        })),
    ];
    let edge = prop_oneof![Just(Edge::Open), Just(Edge::Wrap), Just(Edge::Remove)];
    let lists = (
        proptest::collection::vec(obstacle.prop_map(Spanned::new), 0..4),
        proptest::collection::vec(group().boxed().prop_map(Spanned::new), 0..3),
        proptest::collection::vec((positive(), action()), 0..4),
    );
    (any::<String>(), any::<u64>(), positive(), edge, lists, proptest::option::of(point())).prop_map(
        |(title, seed, duration, edge, (obstacles, groups, schedule), center)| SceneFile {
            title,
            seed,
            duration,
            integrator: Integrator::ExplicitEuler,
            edge: Spanned::new(edge),
            area: center.map(|max| Spanned::new(AreaFile { min: DVec3::ZERO, max })),
            obstacles,
            groups,
            schedule: schedule.into_iter().map(|(time, action)| AtFile { time: Spanned::new(time), action }).collect(),
            lines: vec![Spanned::new(MeasureLineFile { to: DVec3::X, window: duration, ..Default::default() })],
            areas: vec![Spanned::new(MeasureAreaFile { min: center, max: center, ..Default::default() })],
            directors: vec![Use(Named { name: "rush".into(), ..Default::default() })],
            view: center.map(|_| ViewFile { center, mode: ViewMode::Perspective, ..Default::default() }),
            ..Default::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_saved_scene_loads_equal(scene in scene()) {
        let text = scene.to_ron("Look for: this.");
        let loaded = SceneFile::from_text("saved.ron", &text);
        let loaded = loaded.map_err(|problems| TestCaseError::fail(format!("{text}\n{problems:?}")))?;
        prop_assert_eq!(&loaded.scene, &scene);
        prop_assert_eq!(&loaded.notes, "Look for: this.");
        prop_assert_eq!(loaded.scene.to_ron(&loaded.notes), text);
    }
}

#[test]
fn a_saved_scene_leaves_defaults_out_and_reads_well() {
    let text = "Scene(format: 1, title: \"t\", seed: 0, tick_hz: 60, groups: [Group(name: \"a\", count: 2, body: (radius: 0.2, lag: 0.1), spawn: Grid(at: (0, -2.5), spacing: 1.2))])";
    let loaded = SceneFile::from_text("t", text).expect("a good scene");
    let expected = "Scene(\n  format: 1,\n  title: \"t\",\n  groups: [Group(name: \"a\", count: 2, spawn: Grid(at: (0, -2.5), spacing: 1.2), body: (lag: 0.1))],\n)\n";
    assert_eq!(loaded.scene.to_ron(""), expected);
}
