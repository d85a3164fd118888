//! Everything that can be asked for without pointing at something: one table feeds menus, buttons, palette, tooltips and keys.

use eframe::egui::{Key, KeyboardShortcut, Modifiers};

use crate::experiment::command::Command;
use crate::experiment::frame::Speed;

use super::drill::DrillWord;
use super::layout::Pane;
use super::yard::field::Overlay;
use super::yard::layers::DebugLayer;
use super::yard::look::Look;
use super::yard::tool::Tool;

/// What can be asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A command to the experiment, as it is.
    Send(Command),
    /// Half the speed.
    Slower,
    /// Twice the speed.
    Faster,
    /// Ask for a scene file.
    OpenScene,
    /// Open a scene, after asking about unsaved edits.
    OpenPath(String),
    /// Save to where the scene came from.
    Save,
    /// Ask where to save.
    SaveAs,
    /// Ask where to write the trajectories of the run.
    ExportTrajectories,
    /// A file was dropped on the window: a scene is opened, for trajectories it is asked what with them.
    Dropped(String),
    /// Remove what is picked.
    Delete,
    /// Pick all agents.
    SelectAll,
    /// An order of drill to the groups that are meant.
    Drill(DrillWord),
    /// Let go: tool, drag, picked things, in that order.
    LetGo,
    /// Bring everything into view.
    Fit,
    /// Show or hide the debug layer.
    ToggleDebug,
    /// Show or hide a part of the debug layer.
    ToggleLayer(DebugLayer),
    /// Show or hide an overlay of the yard.
    ToggleOverlay(Overlay),
    /// In perspective, or as before without.
    TogglePerspective,
    /// Look from there.
    LookFrom(Look),
    /// Keep the picked agents in the middle, or let go of them.
    Follow,
    /// Show or hide the sliders for fingers.
    ToggleTouch,
    /// Light or dark.
    ToggleTheme,
    /// The default layout.
    ResetLayout,
    /// Show a panel.
    Show(Pane),
    /// The list of all actions.
    Palette,
    /// Whole screen.
    FullScreen,
    /// The list of keys.
    Keys,
    /// The three hints again.
    ShowHints,
    /// What a click in the yard does.
    Take(Tool),
    /// Freeze the plots.
    PausePlots,
    /// Follow the newest values again.
    FollowPlots,
    /// Leave, after asking about unsaved edits.
    Quit,
    /// Leave at once.
    Leave,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What is done.
    pub action: Action,
    /// Text in menus; an ellipsis says that it asks for more.
    pub text: &'static str,
    /// One sentence.
    pub tooltip: &'static str,
    /// Keys; the first one is shown.
    pub keys: Vec<KeyboardShortcut>,
}

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

fn entry(action: Action, text: &'static str, tooltip: &'static str, keys: &[(Modifiers, Key)]) -> Entry {
    let keys = keys.iter().map(|&(modifiers, key)| KeyboardShortcut::new(modifiers, key)).collect();
    Entry { action, text, tooltip, keys }
}

/// The table, in the order of menus and palette.
pub fn table() -> Vec<Entry> {
    use Action as A;
    use Command as C;
    let mut rows = vec![
        entry(A::Send(C::TogglePlay), "Play or pause", "Start or stop making ticks", &[(NONE, Key::Space)]),
        entry(A::Send(C::Step(1)), "Step", "Make one tick and pause", &[(NONE, Key::Period), (NONE, Key::ArrowRight)]),
        entry(A::Send(C::Step(60)), "Step 60 ticks", "Make sixty ticks and pause", &[(SHIFT, Key::ArrowRight)]),
        entry(A::Send(C::Reset), "Reset", "The scene file as loaded, with the same seed", &[(NONE, Key::R)]),
        entry(
            A::Send(C::ResetKeepEdits),
            "Reset, keep edits",
            "Start again with the same seed; moved sliders and obstacles stay",
            &[(SHIFT, Key::R)],
        ),
        entry(A::Slower, "Slower", "Half the speed, down to 1/20", &[(NONE, Key::Minus)]),
        entry(
            A::Faster,
            "Faster",
            "Twice the speed, up to as fast as the machine goes",
            &[(NONE, Key::Equals), (NONE, Key::Plus)],
        ),
        entry(
            A::Send(C::SetSpeed(Speed::Times(1.0))),
            "Real speed",
            "One simulated second per second",
            &[(NONE, Key::Num0)],
        ),
        entry(A::Send(C::SetSpeed(Speed::Max)), "As fast as possible", "No waiting between ticks", &[]),
        entry(
            A::Send(C::ReloadScripts),
            "Reload code, keep state",
            "Read all script files again; agents go on where they are",
            &[(CTRL, Key::R), (NONE, Key::F5)],
        ),
        entry(
            A::Send(C::RestartWithNewCode),
            "Restart with new code",
            "Reload all scripts, then reset",
            &[(CTRL_SHIFT, Key::R)],
        ),
        entry(A::OpenScene, "Open scene…", "Choose a scene file", &[(CTRL, Key::O)]),
        entry(A::Save, "Save scene", "Write the scene to its file", &[(CTRL, Key::S)]),
        entry(A::SaveAs, "Save scene as…", "Write the scene to another file", &[(CTRL_SHIFT, Key::S)]),
        entry(
            A::ExportTrajectories,
            "Export trajectories…",
            "Write where agents go into a file that JuPedSim and PedPy read",
            &[(CTRL, Key::E)],
        ),
        entry(
            A::Send(C::FinishExport),
            "Finish trajectory file",
            "End the trajectory file that is being written; a reset and the end of the run do that too",
            &[],
        ),
        entry(A::Send(C::Undo), "Undo", "Take the last edit of the scene back", &[(CTRL, Key::Z)]),
        entry(A::Send(C::Redo), "Redo", "Bring the edit again", &[(CTRL, Key::Y), (CTRL_SHIFT, Key::Z)]),
        entry(
            A::Delete,
            "Delete",
            "Remove picked agents and obstacles",
            &[(NONE, Key::Delete), (NONE, Key::Backspace)],
        ),
        entry(A::SelectAll, "Pick all agents", "Every agent of the scene", &[(CTRL, Key::A)]),
        entry(
            A::LetGo,
            "Let go",
            "Put the tool away, then let go of who is followed, then of what is picked",
            &[(NONE, Key::Escape)],
        ),
        entry(A::Send(C::ResetAllParams), "Reset all parameters", "Give every parameter back to scene and script", &[]),
        entry(A::Fit, "Fit", "Bring agents, slots and obstacles into view", &[(NONE, Key::F)]),
        entry(
            A::ToggleDebug,
            "Debug layer",
            "What agents see and what moves them: circles, links, arrows, grid cells, numbers",
            &[(NONE, Key::Tab)],
        ),
        entry(A::TogglePerspective, "Perspective", "In perspective, or as before without", &[(NONE, Key::P)]),
        entry(
            A::Follow,
            "Follow what is picked",
            "Keep the picked agent, or the middle of the picked ones, in the middle; Esc or panning lets go",
            &[(NONE, Key::C)],
        ),
        entry(A::ToggleTouch, "Touch sliders", "Four large sliders below the yard, for fingers", &[(NONE, Key::T)]),
        entry(A::ToggleTheme, "Light or dark theme", "Change the theme", &[(CTRL, Key::T)]),
        entry(A::ResetLayout, "Reset layout", "All panels back to their places", &[]),
        entry(A::Palette, "All commands…", "Find any command by a few letters", &[(CTRL, Key::P), (CTRL, Key::K)]),
        entry(A::FullScreen, "Full screen", "Use the whole screen", &[(NONE, Key::F11)]),
        entry(A::Keys, "Keys and mouse", "What keys and mouse do", &[(NONE, Key::F1), (SHIFT, Key::Slash)]),
        entry(A::ShowHints, "Show the hints again", "The three hints of the first start", &[]),
        entry(A::PausePlots, "Pause plots", "Freeze the plots; the run goes on", &[(CTRL, Key::Space)]),
        entry(A::FollowPlots, "Follow plots", "Show the newest values again, whole height", &[(NONE, Key::Home)]),
        entry(A::Quit, "Quit", "Close the window", &[(CTRL, Key::Q)]),
    ];
    rows.extend(
        Overlay::ALL
            .map(|overlay| entry(A::ToggleOverlay(overlay), overlay.text(), overlay.about(), overlay_key(overlay))),
    );
    rows.extend(DebugLayer::ALL.map(|part| entry(A::ToggleLayer(part), part.text(), part.about(), &[part.key()])));
    rows.extend(Look::ALL.map(|look| entry(A::LookFrom(look), look.text(), look.about(), &[(NONE, look.key())])));
    rows.extend(DrillWord::ALL.map(|word| entry(A::Drill(word), word.text(), word.about(), &word.keys())));
    rows.extend(Tool::ALL.map(|tool| entry(A::Take(tool), tool.text(), tool.tooltip(), &[(NONE, tool.key())])));
    rows.extend(Pane::ALL.map(|pane| entry(A::Show(pane), pane.title(), pane.about(), &[])));
    rows
}

fn overlay_key(overlay: Overlay) -> &'static [(Modifiers, Key)] {
    match overlay {
        Overlay::BaseLines => &[(SHIFT, Key::B)],
        Overlay::Repulsion => &[(SHIFT, Key::F)],
        Overlay::Trails => &[(SHIFT, Key::T)],
        Overlay::Mesh => &[(SHIFT, Key::M)],
        Overlay::Density => &[(SHIFT, Key::C)],
        Overlay::Ghosts => &[(SHIFT, Key::H)],
    }
}

/// The row of an action.
pub fn find<'a>(table: &'a [Entry], action: &Action) -> Option<&'a Entry> {
    table.iter().find(|row| row.action == *action)
}

/// A key combination in words, e.g. "Ctrl+Shift+S".
pub fn keys_text(shortcut: &KeyboardShortcut) -> String {
    let mut text = String::new();
    let modifiers = shortcut.modifiers;
    for (held, name) in
        [(modifiers.command || modifiers.ctrl, "Ctrl+"), (modifiers.alt, "Alt+"), (modifiers.shift, "Shift+")]
    {
        if held {
            text.push_str(name);
        }
    }
    text.push_str(match shortcut.logical_key {
        Key::Period => ".",
        Key::Minus => "-",
        Key::Equals => "=",
        Key::Plus => "+",
        Key::Slash => "?",
        Key::Escape => "Esc",
        Key::Delete => "Del",
        Key::Num0 => "0",
        Key::ArrowRight => "→",
        key => key.name(),
    });
    text
}

/// The keys of a row, first one first; empty without keys.
pub fn first_key(row: &Entry) -> String {
    row.keys.first().map(keys_text).unwrap_or_default()
}

/// Speeds that the buttons step through.
pub const SPEEDS: [f64; 9] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// The next speed down or up.
pub fn next_speed(speed: Speed, up: bool) -> Speed {
    match speed {
        Speed::Max if up => Speed::Max,
        Speed::Max => Speed::Times(SPEEDS[SPEEDS.len() - 1]),
        Speed::Times(now) if up => {
            SPEEDS.iter().find(|&&step| step > now * 1.01).map_or(Speed::Max, |&step| Speed::Times(step))
        }
        Speed::Times(now) => {
            Speed::Times(SPEEDS.iter().rev().find(|&&step| step < now * 0.99).copied().unwrap_or(SPEEDS[0]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_actions_share_a_key() {
        let rows = table();
        let mut seen: Vec<(KeyboardShortcut, &str)> = Vec::new();
        for row in &rows {
            for &key in &row.keys {
                let clash = seen.iter().find(|(other, _)| *other == key);
                assert!(clash.is_none(), "{} is taken by {:?} and {}", keys_text(&key), clash.map(|c| c.1), row.text);
                seen.push((key, row.text));
            }
        }
    }

    #[test]
    fn every_action_has_text_and_tooltip_and_stands_once() {
        let rows = table();
        for (i, row) in rows.iter().enumerate() {
            assert!(!row.text.is_empty() && !row.tooltip.is_empty());
            assert!(!row.tooltip.ends_with('.') && !row.text.ends_with(':'), "{}", row.text);
            assert!(
                rows[i + 1..].iter().all(|other| other.action != row.action && other.text != row.text),
                "{}",
                row.text
            );
        }
    }

    #[test]
    fn speeds_step_between_a_twentieth_and_max() {
        assert_eq!(next_speed(Speed::Times(1.0), true), Speed::Times(2.0));
        assert_eq!(next_speed(Speed::Times(0.05), false), Speed::Times(0.05));
        assert_eq!(next_speed(Speed::Times(16.0), true), Speed::Max);
        assert_eq!(next_speed(Speed::Max, false), Speed::Times(16.0));
    }
}
