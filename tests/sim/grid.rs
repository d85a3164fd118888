//! The neighbor grid equals brute force (failure modes F06, F13, F14).

use glam::DVec3;
use proptest::prelude::*;
use swarmyard::sim::neighbors::{NeighborGrid, Row};
use swarmyard::sim::{Area, Edge, Group, GroupId, NeighborFilter, SimCommand, Space, World, WorldSettings};

fn world_of(points: &[DVec3], space: Space) -> World {
    let mut world = World::new(WorldSettings { space, planar: false, ..WorldSettings::default() });
    let first = world.add_group(Group::new(GroupId(0), "a", super::helpers::free_body()));
    let second = world.add_group(Group::new(GroupId(0), "b", super::helpers::free_body()));
    for (index, position) in points.iter().enumerate() {
        let group = if index % 3 == 0 { second } else { first };
        let spawn = SimCommand::Spawn { group, position: *position, heading: index as f64, velocity: DVec3::ZERO };
        world.apply(spawn).expect("finite points are accepted");
    }
    world
}

fn brute(world: &World, me: u32, radius: f64) -> Vec<u32> {
    let from = world.agents.position[me as usize];
    (0..world.agents.slots() as u32)
        .filter(|other| *other != me && world.agents.alive[*other as usize])
        .filter(|other| world.offset(from, world.agents.position[*other as usize]).length_squared() <= radius * radius)
        .collect()
}

/// The row that minds get: slots, ascending, after each entry was found to be the short way, bit for bit.
fn gathered(world: &World, grid: &NeighborGrid, me: u32, radius: f64, only: Option<GroupId>) -> Vec<u32> {
    let mut row = Row::default();
    grid.gather(&world.agents, me, radius, only, &mut row);
    let from = world.agents.position[me as usize];
    let mut slots = Vec::new();
    for entry in row.entries() {
        let slot = grid.slot(entry.entry);
        assert_eq!(entry.offset, world.offset(from, world.agents.position[slot as usize]));
        assert_eq!(entry.squared, entry.offset.length_squared());
        slots.push(slot);
    }
    slots.sort_unstable();
    slots
}

/// Both ways to ask give every agent what brute force finds: all, and those of its own group.
fn expect_brute(world: &World, grid: &NeighborGrid, radius: f64) {
    let mut rows = Vec::new();
    for me in 0..world.agents.slots() as u32 {
        let at = world.agents.position[me as usize];
        grid.neighbors(&world.agents, at, Some(me), radius, NeighborFilter::default(), &mut rows);
        let found: Vec<u32> = rows.iter().map(|row| row.slot).collect();
        let all = brute(world, me, radius);
        assert_eq!(found, all);
        assert_eq!(gathered(world, grid, me, radius, None), all);
        let own = world.agents.group[me as usize];
        let mates: Vec<u32> = all.into_iter().filter(|slot| world.agents.group[*slot as usize] == own).collect();
        assert_eq!(gathered(world, grid, me, radius, Some(own)), mates);
    }
}

fn points(count: usize, extent: f64) -> impl Strategy<Value = Vec<DVec3>> {
    let point = (-extent..extent, -extent..extent, prop_oneof![Just(0.0), -extent..extent]);
    prop::collection::vec(point.prop_map(|(x, y, z)| DVec3::new(x, y, z)), 1..count)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn f13_any_ratio_of_cell_to_radius_finds_the_same(
        points in points(60, 20.0), cell in 0.05_f64..50.0, radius in 0.0_f64..50.0, far in prop::bool::ANY,
        flat in prop::bool::ANY,
    ) {
        let mut points = points;
        if flat {
            for point in &mut points {
                point.z = 3.0;
            }
        }
        if far {
            points.push(DVec3::new(-1e7, 3e6, 0.0));
        }
        let world = world_of(&points, Space::default());
        let mut grid = NeighborGrid::default();
        grid.rebuild(&world.agents, world.settings.space, cell);
        expect_brute(&world, &grid, radius);
    }

    #[test]
    fn f14_a_wrapped_world_sees_round_the_seam(
        points in points(60, 9.999), cell in 0.2_f64..30.0, radius in 0.0_f64..25.0, flat in prop::bool::ANY,
    ) {
        let mut points = points;
        if flat {
            for point in &mut points {
                point.z = 0.0;
            }
        }
        let top = if flat { 0.0 } else { 10.0 };
        let area = Area { min: DVec3::new(-10.0, -10.0, -top), max: DVec3::new(10.0, 10.0, top) };
        let space = Space { area: Some(area), edge: Edge::Wrap };
        let world = world_of(&points, space);
        let mut grid = NeighborGrid::default();
        grid.rebuild(&world.agents, space, cell);
        expect_brute(&world, &grid, radius);
    }

    /// The kernel's pitfall: few agents in clusters, in a wrapped world of 3 to 15 radii, so that cells are few and rows meet
    /// themselves round the seam. Axes differ, clusters sit on seams, some points coincide.
    #[test]
    fn f13_small_clustered_wrapped_worlds_equal_a_plain_loop(
        clusters in prop::collection::vec((0.0_f64..1.0, 0.0_f64..1.0, 0.0_f64..1.0, prop_oneof![Just(0.0), 0.0_f64..0.3, Just(1.0)]), 1..5),
        scatter in prop::collection::vec((0_usize..5, -1.0_f64..1.0, -1.0_f64..1.0, -1.0_f64..1.0), 1..=60),
        extent in (3.0_f64..15.0, 3.0_f64..15.0, 3.0_f64..15.0), cell in prop_oneof![2 => Just(1.0), 1 => 0.3_f64..3.0],
        flat in prop::bool::ANY, corner in (-40.0_f64..40.0, -40.0_f64..40.0),
    ) {
        let size = DVec3::new(extent.0, extent.1, if flat { 0.0 } else { extent.2 });
        let min = DVec3::new(corner.0, corner.1, 0.0);
        let area = Area { min, max: min + size };
        let space = Space { area: Some(area), edge: Edge::Wrap };
        let points: Vec<DVec3> = scatter
            .iter()
            .map(|(cluster, x, y, z)| {
                let (cx, cy, cz, width) = clusters[cluster % clusters.len()];
                let part = DVec3::new(cx, cy, cz) + DVec3::new(*x, *y, *z) * width;
                let wrapped = part - part.floor();
                // Rounding may give the upper edge itself, which belongs to the other side.
                (min + wrapped * size).min(area.max - size * 1e-12)
            })
            .collect();
        let world = world_of(&points, space);
        let mut grid = NeighborGrid::default();
        grid.rebuild(&world.agents, space, cell);
        expect_brute(&world, &grid, 1.0);
    }

    /// A commanded move may leave an agent of a wrapped world outside of its area until it acts.
    #[test]
    fn a_stray_of_a_wrapped_world_is_seen(
        points in points(40, 14.0), cell in 0.2_f64..8.0, radius in 0.0_f64..12.0,
    ) {
        let area = Area { min: DVec3::splat(-10.0), max: DVec3::splat(10.0) };
        let space = Space { area: Some(area), edge: Edge::Wrap };
        let world = world_of(&points, space);
        let mut grid = NeighborGrid::default();
        grid.rebuild(&world.agents, space, cell);
        for me in 0..points.len() as u32 {
            prop_assert_eq!(gathered(&world, &grid, me, radius, None), brute(&world, me, radius));
        }
    }

    #[test]
    fn the_nearest_are_kept_and_filters_hold(points in points(40, 5.0), max in 0_usize..8) {
        let world = world_of(&points, Space::default());
        let mut grid = NeighborGrid::default();
        grid.rebuild(&world.agents, world.settings.space, 1.0);
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        let filter = NeighborFilter { group: Some(GroupId(0)), half_angle: Some(1.0), max: Some(max) };
        grid.neighbors(&world.agents, points[0], Some(0), 6.0, filter, &mut rows);
        grid.neighbors(&world.agents, points[0], Some(0), 6.0, NeighborFilter { max: None, ..filter }, &mut all);
        prop_assert_eq!(rows.len(), all.len().min(max));
        prop_assert!(rows.windows(2).all(|pair| pair[0].slot < pair[1].slot));
        let forward = world.agents.forward(0);
        for row in &all {
            prop_assert_eq!(world.agents.group[row.slot as usize], GroupId(0));
            prop_assert!(row.offset.dot(forward) >= row.distance * libm::cos(1.0) - 1e-9);
        }
        let worst = rows.iter().map(|row| row.distance).fold(0.0, f64::max);
        let nearer = all.iter().filter(|row| row.distance < worst).count();
        prop_assert!(nearer <= max);
    }
}

#[test]
fn f06_an_agent_is_not_its_own_neighbor_and_coincident_ones_are() {
    let world = world_of(&[DVec3::ONE, DVec3::ONE, DVec3::ONE], Space::default());
    let mut grid = NeighborGrid::default();
    grid.rebuild(&world.agents, world.settings.space, 1.0);
    let mut rows = Vec::new();
    grid.neighbors(&world.agents, DVec3::ONE, Some(1), 0.0, NeighborFilter::default(), &mut rows);
    assert_eq!(rows.iter().map(|row| row.slot).collect::<Vec<_>>(), [0, 2]);
    assert!(rows.iter().all(|row| row.distance == 0.0));
}

#[test]
fn an_empty_world_has_no_neighbors() {
    let world = world_of(&[], Space::default());
    let mut grid = NeighborGrid::default();
    grid.rebuild(&world.agents, world.settings.space, 1.0);
    let mut rows = Vec::new();
    grid.neighbors(&world.agents, DVec3::ZERO, None, 1e9, NeighborFilter::default(), &mut rows);
    assert!(rows.is_empty());
}

/// Agents of one height in a deep area: found by a random case.
#[test]
fn a_flat_flock_in_a_deep_wrapped_world_sees_itself() {
    let points = [DVec3::ZERO, DVec3::ZERO, DVec3::new(1.0, 0.0, 0.0)];
    let area = Area { min: DVec3::splat(-10.0), max: DVec3::splat(10.0) };
    let space = Space { area: Some(area), edge: Edge::Wrap };
    let world = world_of(&points, space);
    let mut grid = NeighborGrid::default();
    grid.rebuild(&world.agents, space, 0.2);
    assert_eq!(gathered(&world, &grid, 0, 0.0, None), [1]);
    assert_eq!(gathered(&world, &grid, 0, 1.0, None), [1, 2]);
}
