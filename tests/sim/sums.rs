//! What the vector kernel adds up equals a plain loop, in small crowded worlds too, with equal bits on every set of
//! instructions; and what it counts are exactly the neighbors of a row (F13).

use crate::helpers::free_body;
use glam::DVec3;
use proptest::prelude::*;
use swarmyard::sim::neighbors::sums::{Look, Sight, Sums, TOUCHING};
use swarmyard::sim::neighbors::{Lanes, Row};
use swarmyard::sim::{Area, Edge, Group, GroupId, SimCommand, Space, World, WorldSettings};

/// A world of the size of a few radii: places as shares of its side, some on the spot of another.
#[derive(Clone, Debug)]
struct Small {
    places: Vec<(f64, f64, f64)>,
    /// Side in radii.
    side: f64,
    cell: f64,
    wraps: bool,
    planar: bool,
    two_groups: bool,
    cosine: f64,
    plain: bool,
    near: f64,
}

fn small() -> impl Strategy<Value = Small> {
    let share = prop_oneof![4 => 0.0_f64..1.0, 2 => 0.4_f64..0.6, 1 => Just(0.5), 1 => Just(0.0)];
    let places = prop::collection::vec((share.clone(), share.clone(), share), 1..60);
    let flags = (prop::bool::ANY, prop::bool::ANY, prop::bool::ANY, prop::bool::ANY);
    (places, 3.0_f64..15.0, 0.3_f64..3.0, flags, prop_oneof![Just(-2.0), -0.9_f64..0.9], 0.0_f64..1.5).prop_map(
        |(places, side, cell, (wraps, planar, two_groups, plain), cosine, near)| Small {
            places,
            side,
            cell,
            wraps,
            planar,
            two_groups,
            cosine,
            plain,
            near,
        },
    )
}

fn build(small: &Small) -> World {
    let high = DVec3::new(small.side, small.side, if small.planar { 0.0 } else { small.side });
    let area = Some(Area { min: DVec3::ZERO, max: high });
    let edge = if small.wraps { Edge::Wrap } else { Edge::Open };
    let settings = WorldSettings { space: Space { area, edge }, planar: small.planar, ..WorldSettings::default() };
    let mut world = World::new(settings);
    let groups = ["a", "b"].map(|name| world.add_group(Group::new(GroupId(0), name, free_body())));
    for (index, (x, y, z)) in small.places.iter().enumerate() {
        let group = groups[usize::from(small.two_groups && index % 3 == 1)];
        let position = DVec3::new(*x, *y, if small.planar { 0.0 } else { *z }) * high;
        let heading = index as f64;
        let climb = if small.planar { 0.0 } else { 0.5 };
        let velocity = DVec3::new(heading.cos(), heading.sin(), climb * (2.0 * heading).sin());
        world.apply(SimCommand::Spawn { group, position, heading, velocity }).expect("a finite place");
    }
    world.cell_side = small.cell;
    swarmyard::sim::tick::sense(&mut world);
    world
}

/// The look of one agent, of radius 1.
fn look_of(small: &Small, world: &World, slot: usize) -> Look {
    let (wide, near) = (Sight::new(1.0, small.cosine), Sight::new(small.near.min(1.0), small.cosine));
    Look {
        apart: near,
        plain: small.plain,
        velocity: wide,
        offset: wide,
        only: small.two_groups.then_some(world.agents.group[slot]),
        forward: world.agents.forward(slot),
    }
}

/// The same by a loop over all agents; the second number is how many the largest sight holds.
fn by_hand(small: &Small, world: &World, me: usize) -> Sums {
    let agents = &world.agents;
    let mut sums = Sums::default();
    let forward = agents.forward(me);
    for other in (0..agents.slots()).filter(|other| *other != me) {
        if small.two_groups && agents.group[other] != agents.group[me] {
            continue;
        }
        let offset = world.offset(agents.position[me], agents.position[other]);
        let squared = offset.length_squared();
        let distance = squared.sqrt();
        let ahead = small.cosine < -1.0 || offset.dot(forward) >= small.cosine * distance;
        if squared > 1.0 || !ahead {
            continue;
        }
        sums.velocity += agents.velocity[other];
        sums.offset += offset;
        sums.velocities += 1.0;
        sums.offsets += 1.0;
        let near = small.near.min(1.0);
        if squared > near * near {
            continue;
        }
        if small.plain {
            sums.apart -= offset;
        } else if distance > TOUCHING {
            sums.apart -= offset * (1.0 / distance - 1.0 / near.max(TOUCHING));
        } else {
            sums.touched = true;
        }
    }
    sums
}

fn expect_close(found: &Sums, wanted: &Sums, scale: f64) {
    assert_eq!((found.velocities, found.offsets), (wanted.velocities, wanted.offsets), "{found:?} {wanted:?}");
    assert_eq!(found.touched, wanted.touched, "{found:?} {wanted:?}");
    assert!((found.velocity - wanted.velocity).length() < 1e-12 * scale, "{found:?} {wanted:?}");
    assert!((found.offset - wanted.offset).length() < 1e-12 * scale, "{found:?} {wanted:?}");
    // Close by the push is large, and so is its rounding.
    let apart = 1e-9 * scale * (1.0 + wanted.apart.length());
    assert!(found.touched || (found.apart - wanted.apart).length() < apart, "{found:?} {wanted:?}");
}

fn expect_all(small: &Small) {
    let world = build(small);
    let slots = world.agents.slots();
    let scale = slots as f64;
    let mut row = Row::default();
    for slot in 0..slots {
        let look = look_of(small, &world, slot);
        let wanted = by_hand(small, &world, slot);
        let mut first: Option<Option<Sums>> = None;
        for (name, lanes) in Lanes::all() {
            let mut grid = world.grid.clone();
            grid.lanes = lanes;
            let found = grid.sums(&world.agents, slot as u32, &look);
            if let Some(found) = &found {
                expect_close(found, &wanted, scale);
            }
            let first = first.get_or_insert(found);
            assert_eq!(*first, found, "{name} differs");
        }
        if small.cosine < -1.0 {
            world.grid.gather(&world.agents, slot as u32, 1.0, look.only, &mut row);
            let found = world.grid.sums(&world.agents, slot as u32, &look);
            assert!(found.is_none_or(|found| found.offsets as usize == row.entries().len()));
        }
    }
    if small.two_groups || small.cosine > -1.0 {
        return;
    }
    // All at once, by the kernels that know how they all look.
    for (name, lanes) in Lanes::all() {
        let mut grid = world.grid.clone();
        grid.lanes = lanes;
        let look = look_of(small, &world, 0);
        let (mut sums, mut odd) = (vec![Sums::default(); slots], Vec::new());
        grid.sums_of_all(&world.agents, 0, &look, &mut sums, &mut odd);
        for (entry, found) in sums.iter().enumerate() {
            let slot = grid.slot(entry as u32);
            let alone = world.grid.sums(&world.agents, slot, &look);
            let left_out = odd.contains(&(entry as u32));
            assert_eq!(left_out, alone.is_none_or(|alone| alone.touched), "{name}: {alone:?}");
            if alone.is_some() {
                expect_close(found, &by_hand(small, &world, slot as usize), scale);
            }
            assert!(alone.is_none_or(|alone| alone == *found), "{name}: alone {alone:?}, with all {found:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn the_kernel_adds_up_what_a_plain_loop_does(small in small()) {
        expect_all(&small);
    }
}

/// In a world of three radii and more the kernel helps almost always; it must not turn away what it could do.
#[test]
fn the_kernel_helps_where_the_world_is_wide_enough() {
    let places = (0..50).map(|i| (f64::from(i % 7) / 7.0, f64::from(i % 11) / 11.0, 0.0)).collect();
    let small = Small {
        places,
        side: 8.0,
        cell: 1.0,
        wraps: true,
        planar: true,
        two_groups: false,
        cosine: -2.0,
        plain: false,
        near: 1.0,
    };
    let world = build(&small);
    for slot in 0..world.agents.slots() {
        assert!(world.grid.sums(&world.agents, slot as u32, &look_of(&small, &world, slot)).is_some());
    }
    expect_all(&small);
}
