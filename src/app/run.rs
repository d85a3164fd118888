//! Opens the window: OpenGL first, wgpu if that fails, one clear line if there is no display.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use eframe::egui::{ViewportBuilder, vec2};

use crate::experiment::session::Session;

use super::state::ThemeChoice;
use super::workbench::Workbench;

/// How the window is opened.
#[derive(Clone)]
pub struct Options {
    /// The experiment to watch and steer.
    pub session: Arc<dyn Session>,
    /// What draws.
    pub renderer: RendererChoice,
    /// Theme; none for the remembered one.
    pub theme: Option<ThemeChoice>,
    /// Inner size in points; none for the remembered one.
    pub size: Option<[f32; 2]>,
    /// Forget layout, theme and dismissed hints of earlier starts, and remember nothing.
    pub fresh: bool,
}

impl Options {
    /// Everything as usual.
    pub fn new(session: Arc<dyn Session>) -> Self {
        Self { session, renderer: RendererChoice::Auto, theme: None, size: None, fresh: false }
    }
}

/// What draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RendererChoice {
    /// OpenGL, and wgpu if that fails.
    #[default]
    Auto,
    /// OpenGL only.
    Glow,
    /// wgpu only.
    Wgpu,
}

/// Why there is no window. Each is one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppError {
    /// Nothing to show it on.
    #[error("no display ({reason}); run headless: swarmyard run SCENE")]
    NoDisplay {
        /// Which variable is missing, or who refused.
        reason: String,
    },
    /// A library of the desktop is missing.
    #[error("the window needs the library {library}; install it, or run headless: swarmyard run SCENE")]
    MissingLibrary {
        /// Its name.
        library: String,
    },
    /// Neither OpenGL nor wgpu works.
    #[error("nothing can draw here (OpenGL: {glow}; wgpu: {wgpu}); run headless: swarmyard run SCENE")]
    NoRenderer {
        /// What OpenGL said.
        glow: String,
        /// What wgpu said.
        wgpu: String,
    },
}

/// Open the window and stay until it is closed.
///
/// # Errors
/// [`AppError`]: no display, a missing library, or nothing that draws.
pub fn run(options: &Options) -> Result<(), AppError> {
    if !cfg!(any(target_os = "windows", target_os = "macos")) {
        let known = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"];
        if known.iter().all(|name| std::env::var_os(name).is_none_or(|value| value.is_empty())) {
            return Err(AppError::NoDisplay { reason: "neither WAYLAND_DISPLAY nor DISPLAY is set".to_owned() });
        }
    }
    let glow = match options.renderer {
        RendererChoice::Wgpu => "not asked for".to_owned(),
        _ => match open(options, eframe::Renderer::Glow)? {
            Ok(()) => return Ok(()),
            Err(reason) => reason,
        },
    };
    let wgpu = match options.renderer {
        RendererChoice::Glow => "not asked for".to_owned(),
        _ => match open(options, eframe::Renderer::Wgpu)? {
            Ok(()) => return Ok(()),
            Err(reason) => reason,
        },
    };
    Err(AppError::NoRenderer { glow, wgpu })
}

/// One try; the inner error says why this renderer does not work, the outer one that no renderer can.
fn open(options: &Options, renderer: eframe::Renderer) -> Result<Result<(), String>, AppError> {
    let [width, height] = options.size.unwrap_or([1280.0, 800.0]);
    let native = eframe::NativeOptions {
        renderer,
        viewport: ViewportBuilder::default()
            .with_app_id("swarmyard")
            .with_title("swarmyard")
            .with_inner_size(vec2(width, height))
            .with_min_inner_size(vec2(480.0, 400.0)),
        persist_window: !options.fresh && options.size.is_none(),
        ..Default::default()
    };
    let chosen = options.clone();
    silence_missing_library();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        eframe::run_native("swarmyard", native, Box::new(move |cc| Ok(Box::new(Workbench::new(cc, &chosen)))))
    }));
    match outcome {
        Ok(Ok(())) => Ok(Ok(())),
        Ok(Err(error)) => classify(&error.to_string()),
        Err(panic) => match missing_library(panic.as_ref()) {
            Some(library) => Err(AppError::MissingLibrary { library }),
            None => resume_unwind(panic),
        },
    }
}

fn classify(text: &str) -> Result<Result<(), String>, AppError> {
    if text.contains("Failed to load one of xlib's shared libraries") {
        return Err(AppError::MissingLibrary { library: "libX11".to_owned() });
    }
    if text.contains("EventLoopError") || text.contains("Failed to open connection") {
        let display = std::env::var("DISPLAY").unwrap_or_default();
        return Err(AppError::NoDisplay { reason: format!("cannot connect to display {display:?}") });
    }
    // Errors of the drawing libraries span lines and name paths of the build; their first line is enough.
    Ok(Err(text.lines().next().unwrap_or_default().to_owned()))
}

/// The library that a panic of the keyboard layer names; it panics instead of returning an error.
fn missing_library(panic: &(dyn Any + Send)) -> Option<String> {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied())?;
    let end = text.find(" could not be loaded")?;
    let start = text[..end].rfind(' ').map_or(0, |at| at + 1);
    Some(text[start..end].to_owned())
}

/// The panic of a missing library is told as an error of ours, so its own message is not printed.
fn silence_missing_library() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if missing_library(info.payload()).is_none() {
            before(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_keyboard_library_is_told_by_name() {
        let panic: Box<dyn Any + Send> = Box::new("Library libxkbcommon-x11.so could not be loaded.".to_owned());
        assert_eq!(missing_library(panic.as_ref()).as_deref(), Some("libxkbcommon-x11.so"));
        let other: Box<dyn Any + Send> = Box::new("index out of bounds");
        assert_eq!(missing_library(other.as_ref()), None);
    }

    #[test]
    fn a_refused_connection_is_one_line_that_says_how_to_run_headless() {
        let error = classify("winit EventLoopError: os error at x.rs:788: Failed to open connection to X server")
            .expect_err("there is no display");
        let text = error.to_string();
        assert!(text.starts_with("no display") && text.contains("swarmyard run SCENE") && !text.contains('\n'));
    }
}
