//! The one binary: hands the arguments to the command line, and the window to whom the command line opens it for.

use std::process::ExitCode;

use swarmyard::cli::StartExperiment;

fn main() -> ExitCode {
    swarmyard::cli::main(std::env::args_os(), window)
}

/// Opens the window on an experiment; the error is for a person.
#[cfg(feature = "app")]
fn window(start: &StartExperiment<'_>) -> Result<(), String> {
    use swarmyard::app;
    let session = std::sync::Arc::new(start()?);
    app::run(&app::Options::new(session)).map_err(|error| format!("error: {error}\n"))
}

/// Says that this program was built without a window.
#[cfg(not(feature = "app"))]
fn window(_: &StartExperiment<'_>) -> Result<(), String> {
    Err("error: this program was built without its window; run headless: swarmyard run SCENE\n".to_owned())
}
