//! Where the panels are: the default arrangement, and the remembered one.

use eframe::egui;
use egui_tiles::{Container, Linear, LinearDir, Tile, Tiles, Tree};
use serde::{Deserialize, Serialize};

/// A panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pane {
    /// The agents.
    Yard,
    /// The catalogue.
    Scenes,
    /// Scripts in effect.
    Scripts,
    /// Plugins.
    Plugins,
    /// Sliders.
    Parameters,
    /// Fields of the picked agent.
    Inspector,
    /// Groups: contract, states, transitions.
    Groups,
    /// Gains of the position controller.
    Tuning,
    /// Metrics over time.
    Plots,
    /// What is wrong.
    Problems,
    /// What happened.
    Console,
    /// Messages to agents.
    Deliveries,
    /// Density against speed and flow.
    Diagram,
    /// Published figures beside what is measured.
    Validation,
}

impl Pane {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Yard,
        Self::Scenes,
        Self::Scripts,
        Self::Plugins,
        Self::Parameters,
        Self::Inspector,
        Self::Groups,
        Self::Tuning,
        Self::Plots,
        Self::Problems,
        Self::Console,
        Self::Deliveries,
        Self::Diagram,
        Self::Validation,
    ];

    /// Title of its tab.
    pub fn title(self) -> &'static str {
        match self {
            Self::Yard => "Yard",
            Self::Scenes => "Scenes",
            Self::Scripts => "Scripts",
            Self::Plugins => "Plugins",
            Self::Parameters => "Parameters",
            Self::Inspector => "Inspector",
            Self::Groups => "Groups",
            Self::Tuning => "Tuning",
            Self::Plots => "Plots",
            Self::Problems => "Problems",
            Self::Console => "Console",
            Self::Deliveries => "Deliveries",
            Self::Diagram => "Diagram",
            Self::Validation => "Validation",
        }
    }

    /// One sentence on it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Yard => "The agents, and where they should be",
            Self::Scenes => "Scenes that can be opened",
            Self::Scripts => "Scripts in effect, their versions, what to put back",
            Self::Plugins => "Plugins that were found",
            Self::Parameters => "Forces, formation, body and contract as sliders",
            Self::Inspector => "Every field of the picked agent, live",
            Self::Groups => "Contract, states and transitions of each group",
            Self::Tuning => "Gains for a position controller: relay experiment, rules, search",
            Self::Plots => "Metrics over time, with limits and settle marks",
            Self::Problems => "What is wrong, where, and what to try",
            Self::Deliveries => "Messages over the network of a group: who has which order since when",
            Self::Diagram => "Fundamental diagram: density against speed or flow of a measuring area",
            Self::Validation => {
                "Published figures beside what this program measures: run cases, see expected and measured"
            }
            Self::Console => "What happened, and a line for commands",
        }
    }
}

/// The arrangement of LOOK: lists left, yard in the middle, parameters right, plots and problems below.
pub fn default_tree() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let [
        yard,
        scenes,
        scripts,
        plugins,
        parameters,
        inspector,
        groups,
        tuning,
        plots,
        problems,
        console,
        deliveries,
        diagram,
        validation,
    ] = Pane::ALL.map(|pane| tiles.insert_pane(pane));
    let left = tiles.insert_tab_tile(vec![scenes, scripts, plugins]);
    let center = tiles.insert_tab_tile(vec![yard, validation]);
    let right = tiles.insert_tab_tile(vec![parameters, inspector, groups, tuning, diagram]);
    let plots = tiles.insert_tab_tile(vec![plots]);
    let lists = tiles.insert_tab_tile(vec![problems, console, deliveries]);
    let upper = shared(&mut tiles, LinearDir::Horizontal, &[(left, 0.131), (center, 0.639), (right, 0.23)]);
    let lower = shared(&mut tiles, LinearDir::Horizontal, &[(plots, 0.74), (lists, 0.26)]);
    let root = shared(&mut tiles, LinearDir::Vertical, &[(upper, 0.8), (lower, 0.2)]);
    Tree::new(egui::Id::unique("swarmyard panels"), root, tiles)
}

fn shared(tiles: &mut Tiles<Pane>, dir: LinearDir, parts: &[(egui_tiles::TileId, f32)]) -> egui_tiles::TileId {
    let mut linear = Linear::new(dir, parts.iter().map(|part| part.0).collect());
    for &(id, share) in parts {
        linear.shares.set_share(id, share);
    }
    tiles.insert_container(Container::Linear(linear))
}

/// The remembered arrangement; an error says why the default one is used instead.
pub fn read_tree(text: &str) -> Result<Tree<Pane>, String> {
    let tree: Tree<Pane> =
        ron::from_str(text).map_err(|error| format!("the remembered layout cannot be read: {error}"))?;
    if tree.root().is_none() || tree.tiles.find_pane(&Pane::Yard).is_none() {
        return Err("the remembered layout has no yard".to_owned());
    }
    Ok(tree)
}

/// The arrangement as text.
pub fn write_tree(tree: &Tree<Pane>) -> Option<String> {
    ron::to_string(tree).ok()
}

/// Bring a panel to the front, adding it again if it was closed.
pub fn show(tree: &mut Tree<Pane>, pane: Pane) {
    if tree.tiles.find_pane(&pane).is_none() {
        let id = tree.tiles.insert_pane(pane);
        let home = tree.root().filter(|&root| matches!(tree.tiles.get(root), Some(Tile::Container(_))));
        match home {
            Some(root) => tree.move_tile_to_container(id, root, usize::MAX, false),
            None => *tree = default_tree(),
        }
    }
    tree.make_active(|_, tile| matches!(tile, Tile::Pane(found) if *found == pane));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_survives_being_remembered() {
        let tree = default_tree();
        let text = write_tree(&tree).expect("a tree of plain names is written");
        assert_eq!(read_tree(&text).expect("what was written is read"), tree);
    }

    #[test]
    fn an_unknown_panel_is_an_error_and_not_a_crash() {
        let text =
            write_tree(&default_tree()).expect("a tree of plain names is written").replace("Plugins", "Hologram");
        assert!(read_tree(&text).is_err());
        assert!(read_tree("").is_err());
        assert!(read_tree("(root: None").is_err());
    }

    #[test]
    fn every_panel_is_in_the_default_layout() {
        let tree = default_tree();
        assert!(Pane::ALL.iter().all(|pane| tree.tiles.find_pane(pane).is_some()));
    }
}
