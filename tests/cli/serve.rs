//! `serve`: another program drives a scene through JSON lines.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{Answer, Project, answer, call, command, package, scene};

const DRILL: [&str; 3] = ["serve", "scenes/01_drill.ron", "--stdio"];

/// Says all of `input` to the program; what it answers until it ends.
fn talk(folder: &Path, arguments: &[&str], input: &[u8]) -> Answer {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::Builder::new().spawn(move || drop(stdin.write_all(&input))).expect("a thread");
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("all is said");
    answer(&output)
}

fn lines(answer: &Answer) -> Vec<Value> {
    let line = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    answer.stdout.lines().map(line).collect()
}

/// The lines that answer commands to the drill.
fn drill(commands: &[Value]) -> Vec<Value> {
    let text: Vec<String> = commands.iter().map(Value::to_string).collect();
    lines(&talk(package(), &DRILL, text.join("\n").as_bytes()).with(0))
}

fn events<'a>(lines: &'a [Value], name: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["event"] == name).collect()
}

fn replies(lines: &[Value]) -> Vec<&Value> {
    lines.iter().filter(|line| !line["ok"].is_null()).collect()
}

#[test]
fn it_says_hello_and_how_all_stands_and_ends_with_its_input() {
    let lines = drill(&[]);
    assert_eq!(lines.len(), 2, "{lines:?}");
    let hello = &lines[0];
    assert_eq!((&hello["event"], &hello["protocol"]), (&json!("hello"), &json!(1)));
    assert_eq!((&hello["title"], &hello["seed"], &hello["tick_hz"]), (&json!("Drill yard"), &json!(7), &json!(60.0)));
    let group = json!({ "name": "drill", "agents": 20, "behavior": "soldier", "formation": "line" });
    assert_eq!(hello["groups"], json!([group]));
    assert!(hello["formations"].as_array().is_some_and(|names| names.contains(&json!("s_wave_lua"))), "{hello}");
    assert_eq!((&lines[1]["event"], &lines[1]["tick"]), (&json!("state"), &json!(0)));
    assert!(lines[1]["groups"][0]["metrics"]["slot_error"].is_number(), "{}", lines[1]);
    assert!(lines[1]["groups"][0]["contract"]["terms"]["spacing"].is_object(), "{}", lines[1]);
}

#[test]
fn a_step_is_the_run_and_tells_the_schedule() {
    let commands = [json!({ "id": "a", "do": "step", "ticks": 100 }), json!({ "id": 2, "do": "step", "seconds": 5 })];
    let lines = drill(&commands);
    let run = |ticks| call(&["run", "scenes/01_drill.ron", "--ticks", ticks, "--json"]).with(0).json()["hash"].clone();
    let replies = replies(&lines);
    assert_eq!((&replies[0]["id"], &replies[0]["tick"], &replies[0]["hash"]), (&json!("a"), &json!(100), &run("100")));
    assert_eq!((&replies[1]["id"], &replies[1]["tick"], &replies[1]["hash"]), (&json!(2), &json!(400), &run("400")));
    let wave = json!({ "event": "formationUpdate", "group": "drill", "formation": "s_wave_lua", "tick": 300 });
    assert_eq!(events(&lines, "formationUpdate"), [&wave]);
}

#[test]
fn an_order_is_told_settles_and_moves_everybody_into_place() {
    let commands = [
        json!({ "do": "form", "group": "drill", "formation": "line", "params": { "spacing": 0.9 }, "at": [1, 2], "turn_deg": 10 }),
        json!({ "do": "step", "ticks": 299 }),
        json!({ "do": "agents", "group": "drill" }),
        json!({ "do": "setFormation", "payload": { "type": "circle" } }),
        json!({ "do": "setFormation", "formation": "line", "spacing": 1 }),
        json!({ "do": "startMoving", "payload": { "speed": 1 } }),
        json!({ "do": "reset" }),
        json!({ "do": "quit" }),
        json!({ "do": "state" }),
    ];
    let lines = drill(&commands);
    let updates = events(&lines, "formationUpdate");
    let names: Vec<&Value> = updates.iter().map(|update| &update["formation"]).collect();
    assert_eq!(names, ["line", "circle", "line"]);
    let settled = events(&lines, "settled");
    assert_eq!(settled.len(), 1, "{settled:?}");
    assert_eq!((&settled[0]["group"], &settled[0]["command"]), (&json!("drill"), &json!("form line")));
    assert!(settled[0]["took"].as_f64().is_some_and(|took| took > 0.0 && took < 5.0), "{}", settled[0]);
    let replies = replies(&lines);
    assert_eq!(replies.len(), commands.len() - 1, "nothing after quit");
    let agents = replies[2]["agents"].as_array().expect("a list");
    assert_eq!(agents.len(), 20);
    for (index, agent) in agents.iter().enumerate() {
        assert_eq!(agent["agent"], json!(index as f64 + 1.0));
        assert!(agent["slot"].is_u64() && agent["slot_error"].as_f64().is_some_and(|error| error < 0.05), "{agent}");
        assert!(agent["position"].as_array().is_some_and(|position| position.len() == 3), "{agent}");
    }
    assert_eq!(replies[5]["ok"], json!(true), "a march is taken: {}", replies[5]);
    assert_eq!((&replies[6]["tick"], &replies[6]["groups"][0]["formation"]), (&json!(0), &json!("line")));
    assert_eq!(lines.iter().position(|line| line == updates[0]), Some(2), "events come before the answer");
}

#[test]
fn the_same_commands_give_the_same_lines() {
    let commands = [
        json!({ "do": "subscribe", "every": 30, "agents": true }),
        json!({ "do": "set", "address": "drill.k1", "value": 3 }),
        json!({ "do": "get", "address": "drill.k1" }),
        json!({ "do": "step", "ticks": 60 }),
        json!({ "do": "remove", "agents": [3, 4, 3] }),
        json!({ "do": "send", "to": "drill", "name": "wave", "value": [1, 2] }),
        json!({ "do": "send", "to": 1, "name": "wave" }),
        json!({ "do": "form", "formation": "spiral_lua" }),
        json!({ "do": "step", "ticks": 45 }),
        json!({ "do": "subscribe", "every": 0 }),
        json!({ "do": "step", "ticks": 30 }),
    ];
    let lines = drill(&commands);
    assert!(replies(&lines).iter().all(|reply| reply["ok"] == true), "{lines:#?}");
    assert_eq!(replies(&lines)[2]["value"], json!(3.0));
    assert_eq!((&replies(&lines)[4]["removed"], &replies(&lines)[5]["told"]), (&json!(2), &json!(18)));
    let ticks: Vec<&Value> = events(&lines, "state").iter().map(|state| &state["tick"]).collect();
    assert_eq!(ticks, [0, 30, 60, 90]);
    assert_eq!(events(&lines, "state")[3]["agents"].as_array().map(Vec::len), Some(18));
    assert_eq!(lines, drill(&commands));
}

#[test]
fn a_value_set_for_a_formation_acts_at_once_and_an_order_is_newer() {
    let length = |commands: &[Value]| {
        let mut all = commands.to_vec();
        all.extend([json!({ "do": "step", "ticks": 200 }), json!({ "do": "agents" })]);
        let lines = drill(&all);
        assert!(replies(&lines).iter().all(|reply| reply["ok"] == true), "{lines:#?}");
        let last = lines.last().and_then(|reply| reply["agents"].as_array().cloned()).expect("agents");
        let x: Vec<f64> = last.iter().filter_map(|agent| agent["position"][0].as_f64()).collect();
        x.iter().fold(f64::MIN, |a, b| a.max(*b)) - x.iter().fold(f64::MAX, |a, b| a.min(*b))
    };
    let set = |value: f64| json!({ "do": "set", "address": "drill.formation.spacing", "value": value });
    let form = json!({ "do": "form", "formation": "line", "params": { "spacing": 1.1 } });
    assert!((length(&[set(0.8), set(1.0)]) - 19.0).abs() < 0.2, "the second value acts");
    assert!((length(&[set(0.8), form]) - 20.9).abs() < 0.2, "the order is newer");
}

/// Lines that mean harm or are mistaken, the code of the answer, and what its hint must hold.
const HOSTILE: [(&[u8], &str, &str); 46] = [
    (b"", "empty-line", ""),
    (b"   \r", "empty-line", ""),
    (b"nonsense", "not-json", ""),
    (b"{\"do\":\"state\"", "not-json", ""),
    (b"{\"do\":\"state\"} {}", "not-json", ""),
    (b"{\"do\":\"step\",\"ticks\":NaN}", "not-json", ""),
    (b"{\"do\":\"set\",\"address\":\"drill.k1\",\"value\":1e400}", "not-json", ""),
    (b"{\"do\":\"st\xffte\"}", "not-utf8", ""),
    (b"{\"do\":\"\\ud800\"}", "not-json", ""),
    (b"[1,2]", "not-an-object", ""),
    (b"null", "not-an-object", ""),
    (b"{}", "missing-field", "known are"),
    (b"{\"do\":7}", "bad-type", ""),
    (b"{\"do\":\"stepp\",\"ticks\":1}", "unknown-command", "`step`"),
    (b"{\"do\":\"step\"}", "missing-field", ""),
    (b"{\"do\":\"step\",\"tics\":1}", "unknown-field", "`ticks`"),
    (b"{\"do\":\"state\",\"verbose\":true}", "unknown-field", "no fields"),
    (b"{\"do\":\"step\",\"ticks\":-1}", "bad-value", ""),
    (b"{\"do\":\"step\",\"ticks\":1.5}", "bad-value", ""),
    (b"{\"do\":\"step\",\"ticks\":\"5\"}", "bad-type", ""),
    (b"{\"do\":\"step\",\"ticks\":1000001}", "bad-value", ""),
    (b"{\"do\":\"step\",\"ticks\":99999999999999999999999}", "bad-value", ""),
    (b"{\"do\":\"step\",\"seconds\":1e300}", "bad-value", ""),
    (b"{\"do\":\"step\",\"seconds\":1e8}", "bad-value", ""),
    (b"{\"do\":\"step\",\"ticks\":1,\"seconds\":1}", "bad-value", ""),
    (b"{\"do\":\"form\",\"group\":\"dril\",\"formation\":\"line\"}", "unknown-group", "`drill`"),
    (b"{\"do\":\"form\",\"group\":7,\"formation\":\"line\"}", "bad-type", ""),
    (b"{\"do\":\"form\",\"formation\":\"s_wav\"}", "unknown-formation", "`s_wave`"),
    (b"{\"do\":\"form\",\"formation\":\"line\",\"params\":{\"spacin\":1}}", "unknown-parameter", "`spacing`"),
    (b"{\"do\":\"form\",\"formation\":\"line\",\"params\":{\"spacing\":\"wide\"}}", "bad-value", ""),
    (b"{\"do\":\"form\",\"formation\":\"line\",\"params\":{\"spacing\":{}}}", "bad-type", ""),
    (b"{\"do\":\"form\",\"formation\":\"line\",\"params\":{\"spacing\":-1}}", "", ""),
    (b"{\"do\":\"form\",\"formation\":\"line\",\"params\":[1]}", "bad-type", ""),
    (b"{\"do\":\"form\",\"formation\":\"line\",\"at\":[1e300,0]}", "bad-value", ""),
    (b"{\"do\":\"form\",\"formation\":\"line\",\"at\":[1]}", "bad-type", ""),
    (b"{\"do\":\"form\",\"formation\":\"line\",\"at\":[1,2,3]}", "bad-value", ""),
    (b"{\"do\":\"send\",\"to\":99,\"name\":\"wave\"}", "unknown-agent", "`agents`"),
    (b"{\"do\":\"send\",\"to\":\"drill\",\"name\":\"\"}", "missing-field", ""),
    (b"{\"do\":\"set\",\"address\":\"drill.kk1\",\"value\":1}", "unknown-address", "drill.k1"),
    (b"{\"do\":\"set\",\"address\":\"drill.k1\",\"value\":\"fast\"}", "bad-value", ""),
    (b"{\"do\":\"set\",\"address\":\"drill.formation.spacing\",\"value\":-1}", "formation", ""),
    (b"{\"do\":\"get\",\"address\":\"\"}", "missing-field", ""),
    (b"{\"do\":\"remove\",\"agents\":[1,0.5]}", "unknown-agent", ""),
    (b"{\"do\":\"subscribe\",\"every\":1,\"agents\":\"yes\"}", "bad-type", ""),
    (b"{\"do\":\"march\",\"speed\":-1}", "bad-value", "halt"),
    (b"{\"do\":\"march\",\"speed\":\"fast\"}", "bad-type", ""),
];

#[test]
fn a_hostile_line_gets_one_error_and_the_session_goes_on() {
    let deep = format!("{{\"do\":\"state\",\"id\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
    let long = format!("{{\"do\":\"{}\"}}", "x".repeat(2_000_000));
    let wordy = format!("{{\"do\":\"{}\"}}", "x".repeat(900_000));
    let made = [
        (deep.as_bytes(), "not-json", ""),
        (long.as_bytes(), "too-long", ""),
        (wordy.as_bytes(), "unknown-command", ""),
    ];
    let table: Vec<_> = HOSTILE.iter().copied().chain(made).collect();
    let mut input = Vec::new();
    for (line, _, _) in &table {
        input.extend([*line, b"\n"].concat());
    }
    input.extend(b"{\"id\":{\"last\":true},\"do\":\"step\",\"ticks\":100}");
    let lines = lines(&talk(package(), &DRILL, &input).with(0));
    assert_eq!(replies(&lines).len(), table.len() + 1, "one answer each");
    for ((line, code, hint), answer) in table.iter().zip(&lines[2..]) {
        let shown = String::from_utf8_lossy(&line[..line.len().min(100)]);
        assert_eq!(answer["ok"], false, "{shown}: {answer}");
        let error = &answer["error"];
        assert!(code.is_empty() || error["code"] == *code, "{shown}: {answer}");
        assert!(
            error["message"].as_str().is_some_and(|message| !message.is_empty() && message.len() < 400),
            "{shown}: {answer}"
        );
        assert!(error["hint"].as_str().unwrap_or_default().contains(hint), "{shown}: {answer}");
    }
    let last = &lines[lines.len() - 1];
    assert_eq!((&last["id"], &last["ok"]), (&json!({ "last": true }), &json!(true)));
    let run = call(&["run", "scenes/01_drill.ron", "--ticks", "100", "--json"]).with(0).json();
    assert_eq!(last["hash"], run["hash"], "what is refused changes nothing");
}

#[test]
fn a_fault_of_a_script_is_told_once_and_so_is_what_it_prints() {
    let text = "return yard.behavior { step = function(agent, p)\n\
                if yard.tick == 2 then print(\"two\") end\n if yard.tick == 3 then error(\"three\") end\nend }\n";
    let project = Project::new().with("scripts/behaviors/odd.luau", text).with("scenes/odd.ron", &scene("odd"));
    let input = "{\"do\":\"step\",\"ticks\":10}\n{\"do\":\"report\"}\n";
    let lines = lines(&talk(project.path(), &["serve", "scenes/odd.ron", "--stdio"], input.as_bytes()).with(0));
    let problems = events(&lines, "problem");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0]["message"].as_str().is_some_and(|message| message.contains("three")), "{}", problems[0]);
    let logged = events(&lines, "log");
    assert!(!logged.is_empty() && logged.iter().all(|line| line["text"].to_string().contains("two")), "{logged:?}");
    assert_eq!(replies(&lines)[1]["report"]["ticks"], 10);
}

#[test]
fn with_the_clock_time_moves_by_itself() {
    let mut child = command(package(), &["serve", "scenes/01_drill.ron", "--stdio", "--realtime"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"{\"do\":\"subscribe\",\"every\":2}\n").expect("it listens");
    let mut output = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("\"tick\":6") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut output, &mut line).expect("text") > 0, "it ended early");
    }
    // Nobody reads any more: the program ends by itself, though its input is open.
    drop(output);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    drop(stdin);
}

#[test]
fn wrong_usage_and_bad_scenes_are_told_as_everywhere() {
    call(&["serve", "scenes/01_drill.ron"]).with(2).saying("the only transport");
    call(&["serve", "scenes/01_drill.ron", "--stdio", "--set", "drill.kk1=3"]).with(2).saying("`k1`");
    let nowhere = call(&["serve", "scenes/nowhere.ron", "--stdio"]).with(1).saying("nowhere.ron");
    assert!(nowhere.stdout.is_empty(), "{}", nowhere.stdout);
}

#[test]
fn the_python_example_of_the_manual_runs() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let page = std::fs::read_to_string(package().join("scenes/SERVE.md")).expect("the page is there");
    let example = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let program = env!("CARGO_BIN_EXE_swarmyard");
    let example = example.replace("\"swarmyard\"", &format!("{program:?}"));
    let output = Command::new("python3").current_dir(package()).args(["-c", &example]).output().expect("it starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("event formationUpdate s_wave") && stdout.contains("event settled"), "{stdout}");
}

#[test]
fn a_march_moves_everybody_and_a_halt_stops_them() {
    let commands = [
        json!({ "do": "step", "seconds": 1 }),
        json!({ "do": "march", "speed": 1 }),
        json!({ "do": "step", "seconds": 3 }),
        json!({ "do": "agents" }),
        json!({ "do": "march", "speed": 0 }),
        json!({ "do": "step", "seconds": 2.5 }),
        json!({ "do": "agents" }),
    ];
    let lines = drill(&commands);
    let replies = replies(&lines);
    let first = |reply: usize, field: &str| replies[reply]["agents"][0][field][0].as_f64().expect("a number");
    assert!((first(3, "velocity") - 1.0).abs() < 0.02, "{}", replies[3]["agents"][0]);
    assert!(first(3, "position") > 1.0);
    assert!(first(6, "velocity").abs() < 0.02, "{}", replies[6]["agents"][0]);
    assert_eq!(events(&lines, "formationUpdate").len(), 1, "the schedule's; a march is no new formation");
    let speeds: Vec<&Value> = events(&lines, "marchUpdate").iter().map(|update| &update["speed"]).collect();
    assert_eq!(speeds, [&json!(1.0), &json!(0.0)]);
}
