//! `slots`: the places of a formation in its own frame, slot 0 first.

use serde::Serialize;

use super::args;
use super::table::{Table, number};
use super::{Status, diagnostic, out};
use crate::experiment::slots::{SlotsAsked, SlotsError, SlotsMade, slots as make};

/// What `slots --json` prints when there are no places.
#[derive(Serialize)]
struct Refused<'e> {
    slots: [(); 0],
    length: Option<f64>,
    problems: &'e [crate::experiment::Problem],
}

/// Prints the places.
pub(super) fn slots(args: &args::Slots) -> Status {
    let mut params = args.set.clone();
    params.extend(args.measure.map(|measure| ("measure".to_owned(), measure.word().to_owned())));
    let project = args.project.clone().unwrap_or_else(|| ".".into());
    let asked = SlotsAsked { name: &args.name, n: args.n, params: &params, project: &project };
    match make(&asked) {
        Ok(made) if args.json => out::json(&made),
        Ok(made) => out::stdout(&text(&made)),
        Err(error) => {
            diagnostic::print(error.problems(), &project);
            if args.json {
                out::json(&Refused { slots: [], length: None, problems: error.problems() });
            }
            return match error {
                SlotsError::Usage(_) => Status::Usage,
                SlotsError::Failed(_) => Status::Failed,
            };
        }
    }
    Status::Done
}

fn text(made: &SlotsMade) -> String {
    let mut table = Table::default();
    table.row(["slot", "x m", "y m", "z m", "heading rad"].map(str::to_owned));
    for (index, slot) in made.slots.iter().enumerate() {
        let numbers = [slot.x, slot.y, slot.z, slot.heading].map(|value| number(Some(value)));
        table.row([index.to_string()].into_iter().chain(numbers));
    }
    format!("{}length {} m\n", table.text(""), number(Some(made.length)))
}
