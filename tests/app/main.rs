//! The window against an experiment that is not one: clicks, keys and drags must come out as the right commands.
//!
//! Nothing here needs a GPU or a display.

mod deliveries;
mod drill;
mod fake;
mod senses;
mod tapes;
mod touch;
mod tuning;
mod validation;
mod views;

use std::sync::Arc;

use eframe::egui::{Key, Modifiers, PointerButton, Pos2, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use fake::Fake;
use glam::DVec3;
use swarmyard::app::Workbench;
use swarmyard::app::layout::{self, Pane};
use swarmyard::app::plots::line_colors;
use swarmyard::app::state::{Settings, ThemeChoice};
use swarmyard::app::yard::camera::View;
use swarmyard::app::yard::tool::Tool;
use swarmyard::experiment::command::{Command, Lead, ObstacleShape};
use swarmyard::experiment::frame::{AgentKey, Frame, ParamValue, RunState, Series, Speed};

type Window = Harness<'static, Workbench>;

fn open(session: &Arc<Fake>, settings: Settings) -> Window {
    let session = Arc::clone(session);
    let mut window = Harness::builder()
        .with_size(vec2(1280.0, 800.0))
        .build_eframe(move |cc| Workbench::with_settings(&cc.egui_ctx, session, settings, true));
    window.run_steps(4);
    window
}

fn drill() -> (Arc<Fake>, Window) {
    let session = Fake::drill();
    let window = open(&session, Settings::default());
    (session, window)
}

fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

fn key(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
}

/// Where a point of the yard is on the screen.
fn screen(window: &Window, at: DVec3) -> Pos2 {
    let yard = &window.state().state().yard;
    View::new(yard.camera, yard.rect).project(at).expect("the point is before the camera").pos
}

/// Where an agent of the drill is on the screen at the start.
fn screen_of_agent(window: &Window, row: usize) -> Pos2 {
    screen(window, fake::drill_frame().agents.position[row])
}

fn drag(window: &mut Window, from: Pos2, by: Vec2) {
    window.hover_at(from);
    window.run_steps(1);
    window.drag_at(from);
    window.run_steps(1);
    for share in [0.3, 0.6, 1.0] {
        window.hover_at(from + by * share);
        window.run_steps(1);
    }
    window.drop_at(from + by);
    window.run_steps(3);
}

fn press_at(window: &mut Window, at: Pos2, modifiers: Modifiers) {
    window.hover_at(at);
    window.run_steps(1);
    for pressed in [true, false] {
        let button = PointerButton::Primary;
        window.event_modifiers(eframe::egui::Event::PointerButton { pos: at, button, pressed, modifiers }, modifiers);
    }
    window.run_steps(3);
}

#[test]
fn play_pause_and_step_are_buttons() {
    let (session, mut window) = drill();
    click(&mut window, "Play");
    assert!(session.sent().contains(&Command::Play));
    click(&mut window, "Pause");
    click(&mut window, "Step");
    click(&mut window, "Reset");
    let sent = session.sent();
    assert!(sent.ends_with(&[Command::Pause, Command::Step(1), Command::Reset]), "{sent:?}");
}

#[test]
fn a_running_yard_keeps_up_with_its_frames() {
    let (session, mut window) = drill();
    click(&mut window, "Play");
    for _ in 0..12 {
        session.tick();
        window.run_steps(1);
    }
    window.get_by_label_contains("tick 12");
    click(&mut window, "Pause");
    session.tick();
    window.run_steps(2);
    window.get_by_label_contains("tick 12");
}

#[test]
fn the_same_actions_are_keys() {
    let (session, mut window) = drill();
    for pressed in [Key::Space, Key::Period, Key::R, Key::Minus] {
        key(&mut window, Modifiers::NONE, pressed);
    }
    key(&mut window, Modifiers::COMMAND, Key::Z);
    key(&mut window, Modifiers::COMMAND, Key::Y);
    key(&mut window, Modifiers::COMMAND, Key::S);
    let wanted = [
        Command::TogglePlay,
        Command::Step(1),
        Command::Reset,
        Command::SetSpeed(Speed::Times(0.5)),
        Command::Undo,
        Command::Redo,
        Command::SaveScene(None),
    ];
    assert_eq!(session.sent(), wanted);
}

#[test]
fn shift_makes_another_command_and_not_both() {
    let (session, mut window) = drill();
    key(&mut window, Modifiers::SHIFT, Key::R);
    assert_eq!(session.sent(), [Command::ResetKeepEdits]);
}

#[test]
fn plain_keys_are_text_while_a_field_has_the_focus() {
    let (session, mut window) = drill();
    window.get_by_label("Show only parameters whose address contains this").focus();
    window.run_steps(2);
    window.get_by_label("Show only parameters whose address contains this").type_text("r");
    key(&mut window, Modifiers::NONE, Key::R);
    assert!(session.sent().is_empty(), "{:?}", session.sent());
    assert_eq!(window.state().state().parameters.filter, "r");
}

#[test]
fn tab_shows_the_debug_layer() {
    let (session, mut window) = drill();
    key(&mut window, Modifiers::NONE, Key::Tab);
    assert!(window.state().state().yard.debug);
    let sent = session.sent();
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert!(sent[0] == Command::ShowDebug(true) && matches!(sent[1], Command::Watch(_)));
}

#[test]
fn a_changed_value_is_a_command_with_its_address() {
    let (session, mut window) = drill();
    let field = window.get_all_by_label("amplitude").find(|node| node.accesskit_node().numeric_value().is_some());
    field.expect("the value field carries the name of its parameter").set_value_accesskit(4.0);
    window.run_steps(3);
    let wanted = Command::SetParam { address: "drill.formation.amplitude".to_owned(), value: ParamValue::Number(4.0) };
    assert!(session.sent().contains(&wanted), "{:?}", session.sent());
}

#[test]
fn a_moved_value_can_be_given_back() {
    let (session, mut window) = drill();
    window.get_by_label("Reset drill.body.dead_time").scroll_to_me();
    window.run_steps(3);
    click(&mut window, "Reset drill.body.dead_time");
    assert_eq!(session.sent(), [Command::ResetParam("drill.body.dead_time".to_owned())]);
}

#[test]
fn a_force_is_switched_off_by_its_name() {
    let (session, mut window) = drill();
    window.get_by_label("aligning › soft_wall").scroll_to_me();
    window.run_steps(3);
    click(&mut window, "aligning › soft_wall");
    let wanted = Command::EnableForce { address: "drill.aligning.soft_wall".to_owned(), on: false };
    assert_eq!(session.sent(), [wanted]);
}

#[test]
fn the_palette_finds_by_letters_and_enter_does_it() {
    let (session, mut window) = drill();
    key(&mut window, Modifiers::COMMAND, Key::P);
    window.get_by_label("Find a command").type_text("spiral");
    window.run_steps(2);
    key(&mut window, Modifiers::NONE, Key::Enter);
    let wanted = Command::Form { group: "drill".to_owned(), formation: "spiral".to_owned(), params: Vec::new() };
    assert_eq!(session.sent(), [wanted]);
    assert!(window.state().state().palette.is_none());
}

#[test]
fn escape_closes_the_palette_and_does_nothing() {
    let (session, mut window) = drill();
    key(&mut window, Modifiers::COMMAND, Key::P);
    key(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.state().state().palette.is_none());
    assert!(session.sent().is_empty());
}

#[test]
fn a_problem_names_its_place_and_picks_its_agent() {
    let (session, mut window) = drill();
    window.get_by_label("scripts/behaviors/shy.luau:7");
    click(&mut window, "agent has no field `velocty`");
    assert_eq!(window.state().state().picked, [AgentKey::new(4, 0)]);
    assert!(session.sent().contains(&Command::Inspect(Some(AgentKey::new(4, 0)))));
    window.get_by_label("did you mean `velocity`?");
    window.get_by_label("Dismiss").scroll_to_me();
    window.run_steps(3);
    click(&mut window, "Dismiss");
    assert!(session.sent().contains(&Command::DismissProblem(1)));
}

#[test]
fn a_click_picks_shift_adds_and_the_ground_lets_go() {
    let (_session, mut window) = drill();
    let (first, second) = (screen_of_agent(&window, 3), screen_of_agent(&window, 7));
    press_at(&mut window, first, Modifiers::NONE);
    press_at(&mut window, second, Modifiers::SHIFT);
    assert_eq!(window.state().state().picked, [AgentKey::new(3, 0), AgentKey::new(7, 0)]);
    let ground = screen(&window, DVec3::new(2.0, 5.0, 0.0));
    press_at(&mut window, ground, Modifiers::NONE);
    assert!(window.state().state().picked.is_empty());
}

#[test]
fn a_drag_on_the_ground_picks_by_a_box() {
    let (_session, mut window) = drill();
    let from = screen(&window, DVec3::new(5.4, -3.0, 0.0));
    let to = screen(&window, DVec3::new(9.0, -1.0, 0.0));
    drag(&mut window, from, to - from);
    let slots: Vec<u32> = window.state().state().picked.iter().map(|key| key.slot()).collect();
    assert_eq!(slots, [5, 6, 7]);
}

#[test]
fn a_dragged_agent_goes_as_far_as_the_pointer() {
    let (session, mut window) = drill();
    let from = screen(&window, fake::drill_frame().agents.position[10]);
    let zoom = window.state().state().yard.camera.zoom;
    drag(&mut window, from, vec2(60.0, -30.0));
    let mut sum = DVec3::ZERO;
    let mut ended = false;
    for command in session.sent() {
        if let Command::MoveAgents { agents, by, last } = command {
            assert_eq!(agents, [AgentKey::new(10, 0)]);
            sum += by;
            ended |= last;
        }
    }
    assert!(ended, "the drag has an end: {:?}", session.sent());
    assert!(sum.distance(DVec3::new(60.0, 30.0, 0.0) / zoom) < 0.02, "moved by {sum}");
}

#[test]
fn a_pillar_is_drawn_dragged_and_removed() {
    let (session, mut window) = drill();
    key(&mut window, Modifiers::NONE, Key::D);
    assert_eq!(window.state().state().yard.tool, Tool::Disc);
    let from = screen(&window, DVec3::new(4.0, 4.0, 0.0));
    let zoom = window.state().state().yard.camera.zoom;
    drag(&mut window, from, vec2(40.0, 0.0));
    let added = session.sent().into_iter().find_map(|command| match command {
        Command::AddObstacle(spec) => Some(spec.shape),
        _ => None,
    });
    let Some(ObstacleShape::Disc { at, radius }) = added else { panic!("no disc was added: {:?}", session.sent()) };
    assert!(
        at.distance(DVec3::new(4.0, 4.0, 0.0)) < 0.05 && (radius - 40.0 / zoom).abs() < 0.05,
        "at {at}, radius {radius}"
    );
    assert_eq!(window.state().state().yard.tool, Tool::Select, "the tool is put away after one");

    let middle = screen(&window, DVec3::new(4.0, 4.0, 0.0));
    drag(&mut window, middle, vec2(0.0, -30.0));
    let moved = session.sent().iter().any(|command| matches!(command, Command::MoveObstacle { id: 3, last: true, .. }));
    assert!(moved, "{:?}", session.sent());
    key(&mut window, Modifiers::NONE, Key::Delete);
    assert!(session.sent().contains(&Command::RemoveObstacle(3)));
}

#[test]
fn the_formation_is_dragged_by_its_ring() {
    let (session, mut window) = drill();
    let ring = screen(&window, DVec3::ZERO) + vec2(-9.0, 0.0);
    drag(&mut window, ring, vec2(-20.0, -40.0));
    let moved = session.sent().iter().any(|command| matches!(command, Command::MoveFormation { last: true, .. }));
    assert!(moved, "{:?}", session.sent());
}

#[test]
fn the_wheel_zooms_and_fit_brings_everything_back() {
    let (_session, mut window) = drill();
    let before = window.state().state().yard.camera.zoom;
    window.hover_at(screen(&window, DVec3::new(6.0, 0.0, 0.0)));
    let unit = eframe::egui::MouseWheelUnit::Point;
    let phase = eframe::egui::TouchPhase::Move;
    let (source, modifiers) = (eframe::egui::MouseWheelSource::Wheel, Modifiers::NONE);
    window.event(eframe::egui::Event::MouseWheel { unit, delta: vec2(0.0, 120.0), phase, modifiers, source });
    window.run_steps(12);
    let after = window.state().state().yard.camera.zoom;
    assert!(after > before * 1.1, "{before} became {after}");
    key(&mut window, Modifiers::NONE, Key::F);
    let fitted = window.state().state().yard.camera.zoom;
    assert!((fitted - before).abs() < before * 0.02, "{before} became {fitted}");
}

#[test]
fn hints_are_dismissed_for_ever() {
    let (_session, mut window) = drill();
    click(&mut window, "Got it");
    assert_eq!(window.state().state().settings.hints_dismissed, [true, false, false]);
    click(&mut window, "No more hints");
    assert_eq!(window.state().state().settings.hints_dismissed, [true; 3]);
    let settings = window.state().state().settings.clone();
    let window = open(&Fake::drill(), settings);
    assert!(window.query_by_label("Got it").is_none());
}

#[test]
fn hints_stay_in_the_first_scene_of_a_start() {
    let (session, mut window) = drill();
    assert!(window.query_by_label("Got it").is_some());
    session.change(|frame| Arc::make_mut(&mut frame.scene).path = Some("scenes/another.ron".to_owned()));
    window.run_steps(3);
    assert!(window.query_by_label("Got it").is_none());
    assert_eq!(window.state().state().settings.hints_dismissed, [false; 3], "nobody dismissed them");
}

/// LOOK: at 1280×800 the strip above the yard is one row.
#[test]
fn the_strip_above_the_yard_is_one_row() {
    let (_session, window) = drill();
    let middle = |label: &str| window.get_by_label(label).rect().center().y;
    let (first, last) = (middle("Add agent"), middle("Keys and mouse"));
    assert!((first - last).abs() < 4.0, "the first tool is at {first}, the last button at {last}");
}

#[test]
fn the_tool_that_leads_says_what_to_do_where_nobody_follows() {
    let advice = swarmyard::app::yard::lead::advice(&fake::drill_frame()).expect("nobody follows in the drill yard");
    assert!(advice.contains("`leader: \"drill\"`"), "{advice}");
    assert_eq!(swarmyard::app::yard::lead::advice(&leading_frame()), None, "somebody follows");
    assert!(swarmyard::app::yard::lead::advice(&Frame::default()).is_some_and(|text| text.contains("nobody")));
}

#[test]
fn lines_of_one_plot_have_a_color_each() {
    let line = |group: &str, color| {
        let id = format!("{group}.speed");
        Series { id, metric: "speed".to_owned(), group: group.to_owned(), color, ..Series::default() }
    };
    let names: Vec<String> = (0..20).map(|i| format!("g{i}")).collect();
    let groups: Vec<&str> = names.iter().map(String::as_str).collect();
    let colors = |of: &[usize]| {
        let lines: Vec<Series> = of.iter().map(|at| line(groups[*at], 5)).collect();
        line_colors(&lines.iter().collect::<Vec<_>>(), &groups)
    };
    assert_eq!(colors(&[3]), [5], "one line alone has the color of its metric");
    assert_eq!(colors(&[2, 3]), [2, 3], "several have those of their groups");
    assert_eq!(colors(&[1, 9, 3]), [0, 1, 2], "groups 1 and 9 look alike in the yard, their lines do not");
    for count in 2..=8 {
        let found = colors(&(0..count).map(|i| i * 2).collect::<Vec<_>>());
        assert_eq!(found.iter().collect::<std::collections::BTreeSet<_>>().len(), count, "{found:?}");
    }
}

#[test]
fn an_unknown_layout_falls_back_and_says_so() {
    let text = layout::write_tree(&layout::default_tree()).expect("a tree of plain names is written");
    let settings = Settings { layout: text.replace("Console", "Hologram"), ..Settings::default() };
    let window = open(&Fake::drill(), settings);
    assert!(Pane::ALL.iter().all(|pane| window.state().tree().tiles.find_pane(pane).is_some()));
    assert_eq!(window.get_all_by_label("Parameters").count(), 1);
}

#[test]
fn both_themes_draw_every_panel() {
    for theme in [ThemeChoice::Light, ThemeChoice::Dark] {
        let session = Fake::drill();
        let mut window = open(&session, Settings { theme, ..Settings::default() });
        for pane in Pane::ALL {
            let title = if pane == Pane::Problems { "Problems (1)" } else { pane.title() };
            click(&mut window, title);
        }
        session.change(|frame| frame.run = RunState::Finished);
        window.run_steps(2);
        window.get_by_label_contains("finished");
    }
}

#[test]
fn an_empty_experiment_says_what_to_do_everywhere() {
    let session = Fake::with(Frame::default());
    let mut window = open(&session, Settings::default());
    for (tab, words) in [
        ("Scenes", "No scenes here"),
        ("Scripts", "No scripts"),
        ("Plugins", "No plugins"),
        ("Parameters", "No parameters"),
        ("Inspector", "Pick an agent"),
        ("Groups", "No groups"),
        ("Tuning", "No agents to tune"),
        ("Problems", "No problems"),
        ("Deliveries", "This scene has no network"),
        ("Console", "Nothing has happened yet"),
    ] {
        click(&mut window, tab);
        window.get_by_label_contains(words);
    }
    window.get_by_label_contains("No plots");
}

#[test]
fn unsaved_edits_are_asked_about_before_another_scene_opens() {
    let (session, mut window) = drill();
    session.change(|frame| frame.unsaved = true);
    window.run_steps(2);
    window.get_by_label_contains("Bottleneck").click();
    window.run_steps(3);
    assert!(session.sent().is_empty());
    click(&mut window, "Lose the edits");
    assert_eq!(session.sent(), [Command::LoadScene("scenes/02_other.ron".to_owned())]);
}

#[test]
fn a_scene_is_saved_under_a_typed_path() {
    let (session, mut window) = drill();
    key(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::S);
    window.get_by_label("Path of the scene file").type_text("_mine");
    window.run_steps(2);
    click(&mut window, "Save");
    let saved = session.sent().into_iter().find_map(|command| match command {
        Command::SaveScene(path) => path,
        _ => None,
    });
    assert!(saved.is_some_and(|path| path.contains("_mine")), "{:?}", session.sent());
}

#[test]
fn ten_thousand_agents_and_numbers_that_are_none_are_drawn() {
    let mut frame = fake::drill_frame();
    for i in 20..10_000 {
        frame.agents.key.push(AgentKey::new(i, 0));
        let strange = if i % 100 == 0 { f64::NAN } else { f64::from(i % 100) };
        frame.agents.position.push(DVec3::new(strange, f64::from(i / 100), 0.0));
        frame.agents.velocity.push(DVec3::splat(strange));
        frame.agents.heading.push(strange);
        frame.agents.radius.push(0.2);
        frame.agents.group.push(0);
        frame.agents.state.push(u16::MAX);
        frame.agents.slot.push(None);
        frame.agents.slot_error.push(f32::NAN);
        frame.agents.quarantined.push(i % 100 == 0);
    }
    let mut window = open(&Fake::with(frame), Settings::default());
    key(&mut window, Modifiers::NONE, Key::Tab);
    key(&mut window, Modifiers::NONE, Key::P);
    window.get_by_label("Yard with 10000 agents");
}

#[test]
fn the_console_takes_commands_and_explains_mistakes() {
    use swarmyard::app::panels::console::parse;
    let frame = fake::drill_frame();
    let set = parse("drill.formation.amplitude = 3", &frame).expect("the address exists");
    assert_eq!(
        set,
        Command::SetParam { address: "drill.formation.amplitude".to_owned(), value: ParamValue::Number(3.0) }
    );
    let error = parse("drill.formation.amplitud = 3", &frame).expect_err("the address does not exist");
    assert!(error.contains("did you mean `drill.formation.amplitude`?"), "{error}");
    assert!(parse("form drills spiral", &frame).expect_err("no such group").contains("drill"));
    assert!(parse("drill.formation.amplitude = NaN", &frame).is_err());
}

/// A frame of the drill whose group leads another.
fn leading_frame() -> Frame {
    let mut frame = fake::drill_frame();
    frame.groups[0].leads = true;
    frame.groups[0].max_speed = 1.5;
    frame
}

fn led(session: &Fake) -> Vec<Lead> {
    let of = |command: &Command| match command {
        Command::Lead { lead, .. } => Some(*lead),
        _ => None,
    };
    session.sent().iter().filter_map(of).collect()
}

/// R101: with the tool Lead the leader follows the pointer, arrow keys push it and do not step, and Esc lets it go.
#[test]
fn pointer_and_arrow_keys_lead() {
    let session = Fake::with(leading_frame());
    let mut window = open(&session, Settings::default());
    key(&mut window, Modifiers::NONE, Key::L);
    assert_eq!(window.state().state().yard.tool, Tool::Lead);
    let goal = DVec3::new(3.0, -2.0, 0.0);
    window.hover_at(screen(&window, goal));
    window.run_steps(3);
    let sent = led(&session);
    assert!(matches!(sent.last(), Some(Lead::To(at)) if at.distance(goal) < 0.1), "{sent:?}");
    let before = sent.len();
    window.run_steps(5);
    assert_eq!(led(&session).len(), before, "a pointer at rest sends nothing");

    window.key_down(Key::ArrowRight);
    window.key_down(Key::ArrowUp);
    window.run_steps(3);
    let sent = led(&session);
    let diagonal = DVec3::new(1.5, 1.5, 0.0) / 2.0_f64.sqrt();
    assert!(matches!(sent.last(), Some(Lead::Along(push)) if push.distance(diagonal) < 1e-9), "{sent:?}");
    window.key_up(Key::ArrowRight);
    window.key_up(Key::ArrowUp);
    window.run_steps(3);
    assert_eq!(led(&session).last(), Some(&Lead::Along(DVec3::ZERO)));
    assert!(!session.sent().iter().any(|command| matches!(command, Command::Step(_))), "arrows lead, they do not step");

    key(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(led(&session).last(), Some(&Lead::Release));
    key(&mut window, Modifiers::NONE, Key::ArrowRight);
    assert!(session.sent().contains(&Command::Step(1)), "without the tool the key steps again");
}
