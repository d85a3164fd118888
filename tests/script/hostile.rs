//! Scripts that mean harm, or look like it: each is stopped, named, and leaves the others alone.

use swarmyard::script::define::Kind;

use crate::support::open;

/// Loads the text beside a good file and gives the codes of its problems.
fn codes(text: &str) -> Vec<String> {
    let host =
        open(&[("scripts/behaviors/bad.luau", text), ("scripts/behaviors/good.luau", "return yard.behavior {}")]);
    assert!(host.library().find(Kind::Behavior, "good").is_some(), "the other file runs");
    host.problems().iter().map(|problem| problem.code.clone()).collect()
}

fn stopped(text: &str, allowed: &[&str]) {
    let found = codes(text);
    assert!(!found.is_empty() && found.iter().all(|code| allowed.contains(&code.as_str())), "{text}\n→ {found:?}");
}

#[test]
fn endless_loops_are_stopped_by_time() {
    let loops = [
        "while true do end",
        "for i = 1, math.huge do end",
        "repeat until false",
        "local x = 0 while true do x = math.sin(x) end",
        "while true do pcall(function() while true do end end) end",
        "local function f() while true do end end while true do pcall(f) end",
        "xpcall(function() while true do end end, function() while true do end end)",
        "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "local s = string.rep('a', 40) string.find(s .. '!', string.rep('a?', 40) .. string.rep('a', 40) .. 'b')",
        "string.find(string.rep('a', 5000), string.rep('.-', 6) .. 'b')",
        "string.gsub(string.rep('a', 3000), string.rep('a-', 6) .. 'b', '')",
        "table.sort(table.create(300000, 1), function(a, b) for i = 1, 50 do end return a < b end) while true do end",
        "local function tree(n) if n > 0 then pcall(tree, n - 1) pcall(tree, n - 1) pcall(tree, n - 1) end end tree(150)",
        "for i in function() return 1 end do end",
        "local t = setmetatable({}, { __index = function(t, k) while true do end end }) local x = t.x",
        "tostring(setmetatable({}, { __tostring = function() while true do end end }))",
    ];
    for text in loops {
        stopped(text, &["time", "memory", "script"]);
    }
}

#[test]
fn memory_bombs_end_in_a_message() {
    let bombs = [
        "local t = {} while true do t[#t + 1] = table.create(1000, 0) end",
        "local s = 'x' while true do s = s .. s end",
        "buffer.create(1073741823)",
        "local t = {} while true do t[#t + 1] = buffer.create(1000000) end",
        "table.create(100000000, 0)",
        "local t = {} while true do t[#t + 1] = string.rep('x', 1000000) .. #t end",
        "string.rep('x', 1600000000)",
        "local t = {} while true do t[{}] = {} end",
        "while true do pcall(function() local t = {} while true do t[#t + 1] = table.create(100000, 0) end end) end",
        "local t = table.create(10) for i = 1, 1e9 do t[i] = {} end",
    ];
    for text in bombs {
        stopped(text, &["time", "memory", "script"]);
    }
}

#[test]
fn deep_recursion_is_a_clean_error() {
    let deep = [
        "local function f() return 1 + f() end f()",
        "local function f() f() end f()",
        "local t t = setmetatable({}, { __index = function(_, k) return t[k] end }) local x = t.x",
        "local t t = setmetatable({}, { __tostring = function() return tostring(t) end }) tostring(t)",
        "local function f(s) return (string.gsub(s, '.', f)) end f('a')",
        "local function f() table.sort({ 3, 2, 1 }, function() f() return false end) end f()",
        "local function f() coroutine.wrap(f)() end f()",
        "local a = setmetatable({}, { __add = function(a, b) return a + b end }) local x = a + a",
        "error(setmetatable({}, { __tostring = function() error('again') end }))",
    ];
    for text in deep {
        stopped(text, &["script", "time", "memory"]);
    }
    let nested = format!("return {}1{}", "(".repeat(5000), ")".repeat(5000));
    stopped(&nested, &["syntax"]);
    let tables = format!("return {}{}", "{".repeat(5000), "}".repeat(5000));
    stopped(&tables, &["syntax"]);
}

#[test]
fn odd_errors_are_reported_too() {
    for text in [
        "error()",
        "error(nil)",
        "error({})",
        "error(5)",
        "error('x', 0)",
        "error(setmetatable({}, { __tostring = function() return 'y' end }))",
        "assert(false)",
        "assert(nil, {})",
        "coroutine.yield()",
        "coroutine.wrap(function() error('in') end)()",
    ] {
        stopped(text, &["script"]);
    }
}

#[test]
fn the_ways_out_of_the_sandbox_are_closed() {
    let ways = [
        "os.execute('true')",
        "io.open('x')",
        "debug.getregistry()",
        "loadstring('return 1')()",
        "getfenv()",
        "setfenv(1, {})",
        "newproxy(true)",
        "collectgarbage('stop')",
        "rawset(math, 'pi', 3)",
        "math.pi = 3",
        "string.format = nil",
        "yard.behavior = nil",
        "yard = nil",
        "_G.x = 1",
        "dofile('x')",
        "require('os')",
        "getmetatable('').__index = {}",
        "getmetatable(math).__index = nil",
        "setmetatable(math, nil)",
        "string.dump(function() end)",
        "math.randomseed(1)",
        "vector.zero = 1",
        "table.insert(yard, 1)",
        "table.clear(math)",
    ];
    for text in ways {
        stopped(&format!("{text}\nreturn yard.behavior {{}}"), &["script"]);
    }
    stopped("\u{1b}LJ binary", &["syntax"]);
    stopped("return yard.behavior(5)", &["script"]);
    stopped("local d = yard.behavior {} return yard.behavior(d)", &["script"]);
}

#[test]
fn hostile_tables_do_not_hang_the_reader() {
    let cyclic = "local t = {} t.t = t return yard.behavior { memory = { m = t } }";
    stopped(cyclic, &["wrong-type"]);
    let huge = "local t = {} for i = 1, 100000 do t['k' .. i] = 1 end return yard.behavior { params = t }";
    assert_eq!(codes(huge), Vec::<String>::new());
    let trap = "return yard.behavior(setmetatable({}, { __index = function() while true do end end }))";
    stopped(trap, &["script"]);
    let inner = "return yard.behavior { params = setmetatable({}, { __index = function() error('x') end, __iter = function() error('y') end }) }";
    assert_eq!(codes(inner), Vec::<String>::new());
}

/// Addresses and the whims of memory differ from run to run: no script gets to see them.
#[test]
fn no_address_is_shown_and_no_weak_table_is_made() {
    let vm = swarmyard::script::vm::Vm::new().expect("a machine");
    let eval = |text: &str| vm.lua().load(text).set_environment(vm.env().clone()).eval::<String>();
    for (text, shown) in [
        ("return tostring({})", "table"),
        ("return tostring(print)", "function"),
        ("return `{coroutine.create(print)}`", "thread"),
        ("return string.format('%s %d', {}, 3)", "table 3"),
        ("return ('%s'):format(buffer.create(1))", "buffer"),
        ("return tostring(1.5) .. tostring(nil) .. `{true}`", "1.5niltrue"),
        ("return tostring(setmetatable({}, { __tostring = function() return 'mine' end }))", "mine"),
        ("return tostring(select(2, pcall(setmetatable, {}, { __mode = 'k' }))):match('weak tables')", "weak tables"),
    ] {
        assert_eq!(eval(text).unwrap_or_else(|error| panic!("{text}: {error}")), shown, "{text}");
    }
}
