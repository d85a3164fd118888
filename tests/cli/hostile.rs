//! Scripts that mean harm, or do it: the run ends, names them, and the program lives.

use crate::program::{Project, scene};

/// What hostile steps do, and what the report must hold.
const STEPS: [(&str, &str); 7] = [
    ("while true do end", "over its"),
    ("while true do pcall(function() while true do end end) end", "over its"),
    ("local t = {} while true do t[#t + 1] = string.rep(\"x\", 100000) end", ""),
    ("string.find(string.rep(\"a\", 40), string.rep(\"a-\", 40) .. \"b\")", ""),
    ("local function f() return f() + 1 end f()", "stack"),
    ("error({})", ""),
    ("return vector.create(0 / 0, 0, 0)", "not a number"),
];

#[test]
fn a_hostile_step_is_stopped_and_named() {
    for (step, wanted) in STEPS {
        let text = format!(
            "return yard.behavior {{\n  step = function(agent, p)\n    if yard.tick >= 2 then\n      {step}\n    end\n  end,\n}}\n"
        );
        let project =
            Project::new().with("scripts/behaviors/hostile.luau", &text).with("scenes/h.ron", &scene("hostile"));
        let answer = project.call(&["run", "scenes/h.ron", "--ticks", "10", "--json", "--keep-going"]).with(1);
        let json = answer.json();
        assert_eq!(json["ticks"], 10, "{step}: the others go on");
        let problems = json["problems"].to_string();
        assert!(problems.contains("hostile.luau") && problems.contains(wanted), "{step}:\n{problems}");
    }
}

#[test]
fn a_time_stop_says_that_the_run_is_not_reproducible() {
    let text = "return yard.behavior { step = function(agent, p) if yard.tick == 2 then while true do end end end }\n";
    let project = Project::new().with("scripts/behaviors/hostile.luau", text).with("scenes/h.ron", &scene("hostile"));
    let json = project.call(&["run", "scenes/h.ron", "--ticks", "5", "--json", "--keep-going"]).with(1).json();
    assert_eq!(json["reproducible"], false);
}

#[test]
fn a_script_that_never_finishes_loading_is_stopped() {
    let project = Project::new()
        .with("scripts/behaviors/endless.luau", "while true do end\nreturn yard.behavior {}\n")
        .with("scenes/h.ron", &scene("endless"));
    project.call(&["check", "scripts/behaviors/endless.luau"]).with(1).saying("endless.luau");
    project.call(&["run", "scenes/h.ron", "--ticks", "5"]).with(1).saying("endless");
}

#[test]
fn nothing_reaches_files_or_other_programs() {
    for step in [
        "io.open(\"/etc/passwd\")",
        "os.execute(\"true\")",
        "require(\"../../secret\")",
        "load(\"return 1\")",
        "debug.info(1, \"s\")",
    ] {
        let text = format!("return yard.behavior {{ step = function(agent, p) {step} end }}\n");
        let project = Project::new().with("scripts/behaviors/spy.luau", &text).with("scenes/h.ron", &scene("spy"));
        project.call(&["run", "scenes/h.ron", "--ticks", "3"]).with(1).saying("spy.luau");
    }
}
