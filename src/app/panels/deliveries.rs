//! The delivery log: which order reached whom, when, and after how many sends; and what is known of the links.

use eframe::egui::{self, Align, Color32, Layout, Response, RichText, Sense, Ui, vec2};

use crate::comms::Status;
use crate::experiment::frame::{AgentKey, DeliveryView, LinkView, OrderView};

use super::super::state::Cx;
use super::super::theme::Tokens;
use super::super::widgets;

/// The panel.
pub fn deliveries_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    if !frame.groups.iter().any(|group| group.network.is_some()) {
        let text = "This scene has no network: agents hear at once. Give a group `network: (…)` in the scene file, for example \
                    `network: (delay: 0.08, jitter: 0.05, loss: 0.2)`.";
        widgets::empty_ui(ui, cx.tokens, text);
        return;
    }
    if frame.deliveries.is_empty() {
        let text = "No messages yet. Orders of the schedule, of this window and of scripts are listed here.";
        widgets::empty_ui(ui, cx.tokens, text);
    }
    for order in frame.deliveries.iter() {
        order_ui(ui, cx, order);
    }
    links_ui(ui, cx);
}

/// Statuses from best to worst, as shown: word, sign and help.
const STATUSES: [(Status, &str, &str, &str); 4] = [
    (Status::Acknowledged, "acknowledged", "●", "the agent has it, and the sender knows"),
    (Status::Delivered, "delivered", "•", "the agent has it, and the sender does not know"),
    (Status::Sent, "under way", "→", "or lost without anybody knowing yet"),
    (
        Status::Failed,
        "given up",
        "×",
        "no answer to the last send: the agent is taken for offline, though it may have the message",
    ),
];

fn color_of(status: Status, tokens: &Tokens) -> Color32 {
    match status {
        Status::Acknowledged => tokens.good,
        Status::Delivered => tokens.category(0),
        Status::Sent => tokens.warning,
        Status::Failed => tokens.fault,
    }
}

fn order_ui(ui: &mut Ui, cx: &mut Cx<'_>, order: &OrderView) {
    let id = ui.make_persistent_id(("order", order.number));
    let state = egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, false);
    let frame = cx.frame;
    let group =
        order.group.and_then(|group| frame.groups.get(group)).map_or("agents that are gone", |group| &group.name);
    let (_, header, _) = state
        .show_header(ui, |ui| {
            let title = format!("{} at {:.2} s", order.name, order.sent_at);
            let label = egui::Label::new(RichText::new(&order.name).strong()).sense(Sense::click()).selectable(false);
            let response = ui.add(label);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &title));
            ui.label(RichText::new(format!("{:.2} s", order.sent_at)).monospace().small());
            let weak = RichText::new(group).small().color(cx.tokens.text_weak);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                bar_ui(ui, cx.tokens, order);
                ui.add(egui::Label::new(weak).truncate());
            });
            response.on_hover_text("Click unfolds what became of each message").clicked()
        })
        .body(|ui| rows_ui(ui, cx, order));
    if header.inner {
        let mut state = egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, false);
        state.toggle(ui);
        state.store(ui.ctx());
    }
}

/// How many messages of an order stand where, as a bar and as the share that arrived.
fn bar_ui(ui: &mut Ui, tokens: &Tokens, order: &OrderView) {
    let counts = order.counts;
    let total = counts.total().max(1);
    let lines: Vec<String> = STATUSES
        .iter()
        .filter(|row| counts.of(row.0) > 0)
        .map(|row| format!("{} {}: {}", row.2, row.1, counts.of(row.0)))
        .collect();
    let text = RichText::new(format!("{} of {total}", order.arrived)).monospace().small();
    ui.label(text).on_hover_text("agents that have it, whether or not the sender knows");
    let (rect, response) = ui.allocate_exact_size(vec2(64.0, 8.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, tokens.surface_high);
    let mut left = rect.left();
    for (status, ..) in STATUSES {
        let width = rect.width() * counts.of(status) as f32 / total as f32;
        if width > 0.0 {
            let part = egui::Rect::from_min_size(egui::pos2(left, rect.top()), vec2(width, rect.height()));
            ui.painter().rect_filled(part, 1.0, color_of(status, tokens));
            left += width;
        }
    }
    response.on_hover_text(lines.join("\n"));
}

fn rows_ui(ui: &mut Ui, cx: &mut Cx<'_>, order: &OrderView) {
    let columns = [
        ("agent", "click picks it"),
        ("sends", "with those sent again"),
        ("delivered", "s after it was first sent"),
        ("answered", "s until the sender knew"),
        ("status", ""),
    ];
    table_ui(ui, cx, ("messages", order.number), &columns, |ui, cx| {
        for row in &order.rows {
            message_ui(ui, cx, row);
            ui.end_row();
        }
    });
    let more = order.counts.total().saturating_sub(order.rows.len());
    if more > 0 {
        ui.label(RichText::new(format!("and {more} more")).small().color(cx.tokens.text_weak));
    }
}

fn table_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    id: impl std::hash::Hash + std::fmt::Debug,
    columns: &[(&str, &str)],
    rows: impl FnOnce(&mut Ui, &mut Cx<'_>),
) {
    egui::Grid::new(id).striped(true).spacing([12.0, 2.0]).min_col_width(0.0).show(ui, |ui| {
        for (name, about) in columns {
            let label = ui.label(RichText::new(*name).small().color(cx.tokens.text_weak));
            if !about.is_empty() {
                label.on_hover_text(*about);
            }
        }
        ui.end_row();
        rows(ui, cx);
    });
}

fn message_ui(ui: &mut Ui, cx: &mut Cx<'_>, row: &DeliveryView) {
    agent_ui(ui, cx, row.to);
    ui.label(small(row.sends.to_string()));
    for after in [row.delivered_after, row.acknowledged_after] {
        ui.label(small(seconds(after)));
    }
    let Some((_, word, sign, about)) = STATUSES.iter().find(|status| status.0 == row.status) else { return };
    widgets::badge_ui(ui, &format!("{sign} {word}"), color_of(row.status, cx.tokens)).on_hover_text(*about);
}

fn small(text: String) -> RichText {
    RichText::new(text).monospace().small()
}

fn seconds(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3} s"))
}

/// The number of an agent; a click picks it, if it still is there.
pub fn agent_ui(ui: &mut Ui, cx: &mut Cx<'_>, key: AgentKey) -> Response {
    let alive = cx.frame.agents.row(key).is_some();
    let picked = cx.state.is_picked(key);
    let button = egui::Button::selectable(picked, RichText::new(key.to_string()).small());
    let response = ui.add_enabled(alive, button).on_hover_text("Pick it").on_disabled_hover_text("It is gone");
    let name = format!("Pick agent {key}");
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, alive, picked, &name));
    if response.clicked() {
        cx.state.pick(key);
    }
    response
}

fn links_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    if frame.links.is_empty() {
        return;
    }
    let offline = frame.links.iter().filter(|link| link.offline).count();
    let text = if offline > 0 { format!("Links · ▲ {offline} offline") } else { "Links".to_owned() };
    let color = if offline > 0 { cx.tokens.warning } else { cx.tokens.text_weak };
    egui::CollapsingHeader::new(RichText::new(text).small().strong().color(color)).id_salt("links").show(ui, |ui| {
        let columns = [
            ("agent", "click picks it"),
            ("one way", "time that the last message took"),
            ("round trip", "message and answer, smoothed"),
            ("waits", "then a message is sent again: round trip and four deviations, or the timeout of the scene"),
            ("", ""),
        ];
        table_ui(ui, cx, "links", &columns, |ui, cx| {
            for link in frame.links.iter() {
                link_ui(ui, cx, link);
                ui.end_row();
            }
        });
    });
}

fn link_ui(ui: &mut Ui, cx: &mut Cx<'_>, link: &LinkView) {
    agent_ui(ui, cx, link.agent);
    for value in [link.one_way, link.round_trip, Some(link.wait)] {
        ui.label(small(seconds(value)));
    }
    if link.offline {
        let about = "it did not answer to the last send";
        widgets::badge_ui(ui, "▲ offline", cx.tokens.warning).on_hover_text(about);
    }
}
