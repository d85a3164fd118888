//! Tries scripts without a scene: every definition runs for a tick on a little world, with guarded records, so that a slip in a
//! callback shows before any scene uses it.

use std::sync::Arc;

use glam::{DVec3, dvec3};

use crate::scene::problem::Problem;
use crate::script::define::{Definition, Kind};
use crate::script::host::{Host, HostGone, HostOptions};
use crate::script::library::Natives;
use crate::script::runtime::dry::{Extra, Rehearsal, rehearse};
use crate::script::sources::{Source, Sources};
use crate::sim::obstacle::Shape;
use crate::sim::{BodySpec, Group, GroupId, Place, SimCommand, World, WorldSettings};

/// Agents per group: enough to have neighbors on both sides.
const MEMBERS: usize = 4;
/// Distance of neighbors in m: within the usual radius of forces, bodies do not touch.
const SPACING_M: f64 = 0.8;
/// Begins the names of files that stand round forces only to try them.
const WRAPPER: &str = "scripts/behaviors/tries_the_force_";

/// Loads the texts and tries every definition; gives everything that is wrong with them.
///
/// # Errors
/// When the script thread cannot be started.
pub(super) fn try_scripts(sources: &Sources) -> Result<Vec<Problem>, HostGone> {
    let host = open(sources.clone())?;
    let mut all = sources.clone();
    for item in host.library().items.iter().filter(|item| item.kind == Kind::Force) {
        let file = format!("{WRAPPER}{}.luau", item.name.replace('/', "_"));
        let text =
            format!("return yard.behavior {{ control = \"velocity\", forces = {{ [\"{}\"] = 1 }} }}\n", item.name);
        all.files.insert(file, Source::new(text));
    }
    let host = if all.files.len() == sources.files.len() { host } else { open(all)? };
    let rehearsal = rehearsal(&host);
    let tried = host.call(move |live| rehearse(live, Some(&rehearsal)))?;
    let mut problems: Vec<Problem> = host.problems().to_vec();
    // What a director asks of its scene is for the scene to have: here there is none.
    let of_scene = |problem: &Problem| problem.message.starts_with("the scene has no ");
    for (_, mut problem) in tried.into_iter().filter(|(_, problem)| !of_scene(problem)) {
        // The group and the agent are of the little world, not the author's.
        problem.group = None;
        problem.agent = None;
        problem.tick = None;
        problem.add_to(&mut problems);
    }
    problems.retain(|problem| !problem.file.as_deref().is_some_and(|file| file.starts_with(WRAPPER)));
    Ok(problems)
}

fn open(sources: Sources) -> Result<Host, HostGone> {
    let options = HostOptions { natives: Natives::built_in(), ..HostOptions::default() };
    Host::open_texts(sources, options)
}

/// One group per behavior and machine, all metrics, all directors.
fn rehearsal(host: &Host) -> Rehearsal {
    let mut world = World::new(WorldSettings::default());
    // The shape is a plain one, so this cannot fail.
    drop(world.obstacles.insert("pillar", Shape::Disc { at: dvec3(-2.0, 0.5, 0.0), radius: 0.5 }));
    let mut groups = Vec::new();
    let (mut directors, mut metrics) = (Vec::new(), Vec::new());
    for item in &host.library().items {
        match &item.definition {
            Definition::Behavior(_) => {
                let Some(program) = host.library().program(&item.name) else { continue };
                let group = add_group(&mut world, &item.name);
                let (program, values) = (Arc::clone(program), program.defaults());
                groups.push(Extra { group, name: item.name.clone(), program, values, state: None });
            }
            Definition::Metric(_) => metrics.push(item.name.clone()),
            Definition::Director(_) => directors.push((item.name.clone(), Vec::new())),
            Definition::Force(_) | Definition::Formation(_) => {}
        }
    }
    if groups.is_empty() {
        add_group(&mut world, "crowd");
    }
    crate::sim::tick::sense(&mut world);
    let metrics = metrics.into_iter().map(|name| (name, vec![0], Vec::new())).collect();
    Rehearsal { world: Arc::new(world), groups, directors: (directors, Vec::new()), metrics }
}

/// A row of agents with a route, a goal and places to go to.
fn add_group(world: &mut World, name: &str) -> usize {
    let index = world.groups.len();
    let at = |member: usize| dvec3(member as f64 * SPACING_M, index as f64 * 3.0, 0.0);
    let mut group = Group::new(GroupId(index as u16), name, BodySpec::default());
    group.route = vec![at(0) + DVec3::X, at(0) + DVec3::Y];
    group.goal = Some(at(0) + dvec3(5.0, 5.0, 0.0));
    let id = world.add_group(group);
    for member in 0..MEMBERS {
        // Numbers that the core accepts: neither can fail.
        let spawn = SimCommand::Spawn { group: id, position: at(member), heading: 0.0, velocity: DVec3::X };
        drop(world.apply(spawn));
    }
    for (member, slot) in world.groups[index].members.clone().into_iter().enumerate() {
        let place = Place {
            index: member as u32,
            position: at(member) + DVec3::Y,
            velocity: DVec3::ZERO,
            heading: 0.5,
            turn_rate: 0.0,
            way: crate::sim::Way::default(),
        };
        drop(world.apply(SimCommand::SetPlace(world.agents.id(slot), Some(place))));
    }
    index
}
