//! A browser without a window, driven by its DevTools protocol over two pipes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The names of browsers that the tests can drive.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The name of a browser that starts. If there is none, this says so and the test passes.
pub(crate) fn installed() -> Option<&'static str> {
    let starts = |browser: &&str| {
        let version = Command::new(browser).arg("--version").stdout(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    let browser = NAMES.into_iter().find(starts);
    if browser.is_none() {
        fewest_testing::not_checked("there is no chromium");
    }
    browser
}

/// A page in a browser.
pub(crate) struct Page {
    browser: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    events: VecDeque<Value>,
    session: Option<String>,
    sent: u64,
    _profile: TempDir,
}

impl Page {
    /// An empty page; `None` if there is no browser, or if it does not start.
    pub(crate) fn new() -> Option<Self> {
        let profile = tempfile::tempdir().expect("a folder");
        let script = format!(
            "exec {} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
             --remote-debugging-pipe \
             --user-data-dir='{}' 3<&0 4>&1 </dev/null >/dev/null 2>&1",
            installed()?,
            profile.path().display()
        );
        let mut browser = Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let input = browser.stdin.take().expect("a pipe");
        let output = browser.stdout.take().expect("a pipe");
        let (send, messages) = channel();
        thread::spawn(move || {
            for message in BufReader::new(output).split(0) {
                // When the browser is killed, the last message can be cut short.
                let Ok(message) = message else { break };
                let Ok(message) = serde_json::from_slice(&message) else { break };
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let (events, session) = (VecDeque::new(), None);
        let mut page =
            Self { browser, input, messages, events, session, sent: 0, _profile: profile };
        if page.try_call("Browser.getVersion", json!({})).is_none() {
            fewest_testing::not_checked("chromium does not start");
            return None;
        }
        let target = page.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = page.call("Target.attachToTarget", attach);
        page.session = Some(attached["sessionId"].as_str().expect("a session").to_owned());
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.speak("en-US");
        Some(page)
    }

    /// Calls a method of the protocol.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_call(method, params).expect(method);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The answer of the browser, if it comes.
    fn try_call(&mut self, method: &str, params: Value) -> Option<Value> {
        self.sent += 1;
        let id = self.sent;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        write!(self.input, "{message}\0").ok()?;
        loop {
            let answer = self.messages.recv_timeout(PATIENCE).ok()?;
            if answer["id"] == id {
                return Some(answer);
            }
            self.events.push_back(answer);
        }
    }

    /// Loads an address and waits until the page is loaded.
    pub(crate) fn load(&mut self, url: &str) {
        self.events.clear();
        let loader = self.call("Page.navigate", json!({ "url": url }))["loaderId"].clone();
        let is_loaded = |events: &VecDeque<Value>| {
            let of_this = |event: &&Value| event["params"]["frame"]["loaderId"] == loader;
            let from = events.iter().position(|event| of_this(&event));
            let mut later = from.into_iter().flat_map(|from| events.range(from..));
            later.any(|event| event["method"] == "Page.loadEventFired")
        };
        while !is_loaded(&self.events) {
            let event = self.messages.recv_timeout(PATIENCE).expect("a loaded page");
            self.events.push_back(event);
        }
    }

    /// Loads a file.
    pub(crate) fn open(&mut self, file: &Path) {
        self.load(&format!("file://{}", file.display()));
    }

    /// The value of an expression; of a promise, what it is fulfilled with.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let promise = format!(
            "new Promise((done) => {{ const look = (left) => ({expression}) ? done(true) : \
             left > 0 ? setTimeout(look, 20, left - 1) : done(false); look({}); }})",
            PATIENCE.as_millis() / 25
        );
        let is_true = self.value(&promise) == true;
        assert!(is_true, "{expression} stays false on {}", self.value("document.body.innerText"));
    }

    /// Presses and releases a key.
    pub(crate) fn press(&mut self, key: &str) {
        self.press_with(key, false);
    }

    /// Presses and releases a key while Shift is held, or not.
    pub(crate) fn press_with(&mut self, key: &str, shift: bool) {
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 => key,
            _ => "",
        };
        let code = if key == " " { "Space" } else { key };
        let modifiers = if shift { 8 } else { 0 };
        for kind in ["keyDown", "keyUp"] {
            let params = json!({
                "type": kind, "key": key, "code": code, "text": text, "modifiers": modifiers
            });
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Releases Shift.
    pub(crate) fn release_shift(&mut self) {
        let params = json!({ "type": "keyUp", "key": "Shift", "code": "ShiftLeft" });
        self.call("Input.dispatchKeyEvent", params);
    }

    /// Types a text into the element with the focus.
    pub(crate) fn insert(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// A point that an expression returns as `[x, y]`.
    pub(crate) fn point(&mut self, expression: &str) -> (f64, f64) {
        let point = self.value(expression);
        let number = |index: usize| point[index].as_f64().expect(expression);
        (number(0), number(1))
    }

    /// Presses the mouse on the first of some points and releases it on the last.
    pub(crate) fn drag_along(&mut self, points: &[(f64, f64)]) {
        let mut mouse = |kind: &str, (x, y): (f64, f64)| {
            let params = json!({
                "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1
            });
            self.call("Input.dispatchMouseEvent", params);
        };
        mouse("mousePressed", points[0]);
        between(points).for_each(|point| mouse("mouseMoved", point));
        mouse("mouseReleased", points[points.len() - 1]);
    }

    /// The same with a finger.
    pub(crate) fn swipe_along(&mut self, points: &[(f64, f64)]) {
        let mut touch = |kind: &str, points: &[(f64, f64)]| {
            let points: Vec<Value> =
                points.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
            let params = json!({ "type": kind, "touchPoints": points });
            self.call("Input.dispatchTouchEvent", params);
        };
        touch("touchStart", &points[..1]);
        between(points).for_each(|point| touch("touchMove", &[point]));
        touch("touchEnd", &[]);
    }

    /// The middle of an element, or another place in it as fractions of its width and height.
    fn place(&mut self, selector: &str, (across, down): (f64, f64)) -> (f64, f64) {
        let bounds = self.value(&format!(
            "(() => {{ const element = document.querySelector('{selector}'); \
             element.scrollIntoView({{ block: 'center' }}); \
             const {{ x, y, width, height }} = element.getBoundingClientRect(); \
             return [x, y, width, height]; }})()"
        ));
        let number = |index: usize| bounds[index].as_f64().expect("a number");
        (number(0) + across * number(2), number(1) + down * number(3))
    }

    /// Clicks an element with the mouse.
    pub(crate) fn click(&mut self, selector: &str) {
        self.drag(selector, (0.5, 0.5), (0.5, 0.5));
    }

    /// Drags the mouse from one place in an element to another.
    pub(crate) fn drag(&mut self, selector: &str, from: (f64, f64), to: (f64, f64)) {
        let (from, to) = (self.place(selector, from), self.place(selector, to));
        self.drag_along(&[from, to]);
    }

    /// Taps an element with a finger.
    pub(crate) fn tap(&mut self, selector: &str) {
        let (x, y) = self.place(selector, (0.5, 0.5));
        let points = json!([{ "x": x, "y": y }]);
        self.call(
            "Input.dispatchTouchEvent",
            json!({ "type": "touchStart", "touchPoints": points }),
        );
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    /// Sets the size of the window.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let params = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false
        });
        self.call("Emulation.setDeviceMetricsOverride", params);
    }

    /// What the user prefers, such as `("prefers-color-scheme", "dark")`.
    pub(crate) fn prefer(&mut self, features: &[(&str, &str)]) {
        let features = features.iter().map(|(name, value)| json!({ "name": name, "value": value }));
        let params = json!({ "features": features.collect::<Vec<_>>() });
        self.call("Emulation.setEmulatedMedia", params);
    }

    /// The languages of the user.
    pub(crate) fn speak(&mut self, languages: &str) {
        let agent = self.value("navigator.userAgent");
        let params = json!({ "userAgent": agent, "acceptLanguage": languages });
        self.call("Emulation.setUserAgentOverride", params);
    }

    /// The errors of the page since it was loaded.
    pub(crate) fn errors(&mut self) -> Vec<Value> {
        // A refused move is an answer, which the browser logs like an error.
        let is_error = |event: &Value| {
            event["method"] != "Network.requestWillBeSent"
                && event["params"]["entry"]["source"] != "network"
        };
        self.faults().into_iter().filter(is_error).collect()
    }

    /// The errors of the page, and the addresses that it has asked for since it was loaded.
    pub(crate) fn faults(&mut self) -> Vec<Value> {
        // A round trip, so that earlier events have arrived.
        self.value("0");
        let is_fault = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Log.entryAdded") => true,
            Some("Network.requestWillBeSent") => event["params"]["type"] != "Document",
            _ => false,
        };
        self.events.iter().filter(is_fault).cloned().collect()
    }
}

/// The points on the way along some points, without the first one.
fn between(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> + '_ {
    points.windows(2).flat_map(|pair| {
        let [from, to] = [pair[0], pair[1]];
        (1..=4).map(move |part| {
            let share = f64::from(part) / 4.0;
            (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
        })
    })
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}
