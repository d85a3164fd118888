//! The schedule: times into ticks, names into indices.

use super::groups::pose;
use super::{Builder, SceneAction, Scheduled, plain};
use crate::scene::catalogue::Noun;
use crate::scene::file::{ActionFile, AtFile, FormFile, Target};

impl Builder<'_> {
    pub(super) fn schedule(&mut self) -> Vec<Scheduled> {
        let lines = self.file.schedule.clone();
        let mut schedule: Vec<Scheduled> = lines.iter().filter_map(|line| self.line(line)).collect();
        schedule.sort_by_key(|line| line.tick);
        schedule
    }

    fn line(&mut self, line: &AtFile) -> Option<Scheduled> {
        let time = line.time.value;
        if time > self.file.duration {
            let message = format!("at {time} s the run is over: its duration is {} s", self.file.duration);
            self.warn(line.time.span, "after-the-end", message, "an earlier time, or a longer `duration`");
        }
        let tick = (time * self.file.tick_hz).round() as u64;
        self.action(&line.action).map(|action| Scheduled { tick, action })
    }

    fn action(&mut self, action: &ActionFile) -> Option<SceneAction> {
        Some(match action {
            ActionFile::Form(form) => return self.form(form),
            ActionFile::March(march) => SceneAction::March {
                group: self.group_index(&march.group)?,
                speed: march.speed,
                heading: march.heading_deg.to_radians(),
                turn: march.turn_deg.to_radians(),
                acceleration: march.acceleration,
            },
            ActionFile::Send(send) => {
                let (name, value) = (send.name.clone(), send.value.clone().map(|value| value.0));
                match &send.to.value {
                    Target::Agent(agent) => SceneAction::SendAgent { agent: *agent, name, value },
                    Target::Group(group) => {
                        let written = crate::scene::Spanned { value: group.clone(), span: send.to.span };
                        SceneAction::SendGroup { group: self.group_index(&written)?, name, value }
                    }
                }
            }
            ActionFile::Set(set) => {
                SceneAction::Set { address: self.address(&set.address)?, value: set.value.value.0.clone() }
            }
            ActionFile::Spawn(spawn) => {
                let group = self.group_index(&spawn.group)?;
                SceneAction::Spawn { group, count: spawn.count, at: spawn.at, radius: spawn.radius }
            }
            ActionFile::Remove(remove) => {
                SceneAction::Remove { group: self.group_index(&remove.group)?, count: remove.count }
            }
            ActionFile::Open(open) => SceneAction::Open { obstacle: self.obstacle_index(&open.obstacle)? },
            ActionFile::Close(close) => SceneAction::Close { obstacle: self.obstacle_index(&close.obstacle)? },
        })
    }

    fn form(&mut self, form: &FormFile) -> Option<SceneAction> {
        let group = self.group_index(&form.group);
        let of = form.group.value.as_str();
        let known = self.known_name(Noun::Formation, &form.formation, Some(of));
        let formation = &form.formation.value;
        let parameters = self.catalogue.parameters(Noun::Formation, formation);
        for (key, _) in &form.params.0 {
            let implicit = ["spacing", "measure", "overflow"].contains(&key.value.as_str());
            if known && !implicit {
                self.known_parameter(Noun::Formation, formation, key, parameters.as_deref(), Some(of));
            }
        }
        Some(SceneAction::Form {
            group: group?,
            formation: formation.clone(),
            params: plain(&form.params),
            pose: form.pose.as_ref().map(pose),
        })
    }
}
