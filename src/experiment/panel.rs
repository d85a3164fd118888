//! Which sliders come first in the panel Parameters: what the scene says, else what the behavior of the group says.

use super::core::Experiment;
use super::frame::PanelRow;

impl Experiment {
    /// The sliders of a group that come first, with whole addresses. A scene with a list of its own speaks for all its groups.
    pub fn panel(&self, group: usize) -> Vec<PanelRow> {
        let name = &self.world.groups[group].name;
        if !self.scene.panel.is_empty() {
            let own = self.scene.panel.iter().map(ToString::to_string);
            let own = own.filter(|address| address.split_once('.').is_some_and(|(owner, _)| owner == name));
            return own.map(|address| PanelRow { label: self.label_of(group, &address), address }).collect();
        }
        let entries = self.groups[group].program.panel.iter();
        let rows = entries.filter_map(|entry| {
            let address = match entry.group_param() {
                None => format!("{name}.{}", entry.address),
                Some(param) => {
                    let slider = self.groups[group].program.slider(param)?;
                    let named = self.groups[group].values.get(slider)?.to_string();
                    self.world.groups.iter().find(|known| known.name == named)?;
                    format!("{named}.count")
                }
            };
            let label = if entry.label.is_empty() { plain_label(&address, name) } else { entry.label.clone() };
            Some(PanelRow { address, label })
        });
        rows.collect()
    }

    /// What the behavior calls an address, else its plain name.
    fn label_of(&self, group: usize, address: &str) -> String {
        let name = &self.world.groups[group].name;
        let below = address.split_once('.').map_or("", |(_, below)| below);
        let known = self.groups[group].program.panel.iter().find(|entry| entry.address == below);
        let label = known.map(|entry| entry.label.clone()).filter(|label| !label.is_empty());
        label.unwrap_or_else(|| plain_label(address, name))
    }
}

/// `fish.separation.weight` is "separation", `fish.body.max_speed` "max speed", and `sharks.count` "sharks count" beside the fish.
fn plain_label(address: &str, group: &str) -> String {
    let mut parts: Vec<&str> = address.split('.').collect();
    let owner = parts.remove(0);
    let last = parts.pop().unwrap_or_default();
    let word = match (last, parts.last()) {
        ("count", _) if owner != group => format!("{owner} count"),
        ("weight", Some(force)) => (*force).to_owned(),
        (_, None | Some(&"body" | &"limits" | &"formation")) => last.to_owned(),
        (_, Some(force)) => format!("{force} {last}"),
    };
    word.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::plain_label;

    #[test]
    fn labels_say_what_moves() {
        for (address, label) in [
            ("fish.count", "count"),
            ("fish.separation.weight", "separation"),
            ("fish.body.max_speed", "max speed"),
            ("sharks.count", "sharks count"),
            ("fish.alignment.radius", "alignment radius"),
            ("fish.top", "top"),
        ] {
            assert_eq!(plain_label(address, "fish"), label);
        }
    }
}
