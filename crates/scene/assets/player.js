// Replays a plan on the board of this page. The element `plan` has the plan as JSON: the inks of all
// parts at the start, and for each move its motions. A motion has the part, the positions that it passes,
// and its new ink or null. A position is the upper left corner of the part in the picture.
"use strict";
(() => {
  const { steps, inks } = JSON.parse(document.getElementById("plan").textContent);
  const words = {
    en: { start: "Start", of: "of", first: "To the start", back: "Back", play: "Play", pause: "Pause",
      next: "Forward", last: "To the end", scrub: "Move", speed: "Speed" },
    zh: { start: "开局", of: "/", first: "到开局", back: "上一步", play: "播放", pause: "暂停",
      next: "下一步", last: "到结尾", scrub: "步数", speed: "速度" },
  };
  const language = navigator.language.startsWith("zh") ? "zh" : "en";
  const word = words[language];

  const controls = document.querySelector(".controls");
  const find = (name) => controls.querySelector(`[data-role="${name}"]`);
  const [first, back, play, next, last, speed, output, scrub] =
    ["first", "back", "play", "next", "last", "speed", "move", "scrub"].map(find);
  const named = { first, back, next, last, scrub, speed };
  for (const [name, element] of Object.entries(named)) element.setAttribute("aria-label", word[name]);

  const parts = [...document.querySelectorAll("[data-part]")];
  const list = document.querySelector(".moves");
  const captions = [...list.children].map((row) => row.textContent);
  // Without this script, the rows are text.
  const rows = captions.map((caption, index) => {
    const row = document.createElement("button");
    row.type = "button";
    row.textContent = caption;
    row.addEventListener("click", () => go(index + 1));
    list.children[index].replaceChildren(row);
    return row;
  });

  // The ink of each moving part before each of its moves.
  const before = steps.map((motions) => motions.map(([part, , ink]) => {
    const old = inks[part];
    inks[part] = ink ?? old;
    return old;
  }));

  const place = (part, [x, y]) => parts[part].setAttribute("transform", `translate(${x} ${y})`);
  const paint = (part, ink) => {
    parts[part].setAttribute("class", ink + (parts[part].dataset.part === "line" ? "-line" : ""));
  };
  const forward = (motions) => {
    for (const [part, path, ink] of motions) {
      place(part, path[path.length - 1]);
      if (ink) paint(part, ink);
    }
  };
  const backward = (motions, olds) => {
    motions.forEach(([part, path], index) => {
      place(part, path[0]);
      paint(part, olds[index]);
    });
  };

  let at = 0; // the number of moves that are made
  let playing = false;
  let moving = false; // whether move number `at` is half made
  let frame = 0; // the request of the next picture
  let pause = 0; // the timer of the pause between two moves
  let current = null; // the marked row
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const set = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const show = () => {
    const text = at > 0 ? `${at} ${word.of} ${steps.length}: ${captions[at - 1]}` : `${word.start} (${steps.length})`;
    // Nobody can listen to a plan that is played.
    set(output, "aria-live", playing ? "off" : "polite");
    if (output.textContent !== text) output.textContent = text;
    scrub.value = at;
    set(scrub, "aria-valuetext", text);
    const row = rows[at - 1] ?? null;
    if (row !== current) {
      current?.removeAttribute("aria-current");
      row?.setAttribute("aria-current", "step");
      list.scrollTop = row ? row.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
      current = row;
    }
    // A disabled button would lose the focus.
    for (const button of [first, back]) set(button, "aria-disabled", String(at === 0 && !moving));
    for (const button of [next, last]) set(button, "aria-disabled", String(at === steps.length));
    play.querySelector("path").setAttribute("d", playing ? "M3 2h4v12H3zM9 2h4v12H9z" : "M4 2v12l9-6z");
    set(play, "aria-label", playing ? word.pause : word.play);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(pause);
    if (moving) backward(steps[at], before[at]);
    playing = moving = false;
  };
  const go = (to) => {
    stop();
    to = Math.max(0, Math.min(steps.length, to));
    while (at < to) forward(steps[at++]);
    while (at > to) backward(steps[--at], before[at]);
    show();
  };
  // Makes a move, and the next ones if the plan is played.
  const move = () => {
    const motions = steps[at];
    const milliseconds = 600 / Number(speed.value);
    const end = () => {
      moving = false;
      forward(motions);
      at += 1;
      if (at === steps.length) playing = false;
      if (playing) pause = setTimeout(move, (still.matches ? 1 : 0.25) * milliseconds);
      show();
    };
    if (still.matches) return end();
    moving = true;
    for (const [part, , ink] of motions) if (ink) paint(part, ink);
    const started = performance.now();
    const draw = (now) => {
      const passed = Math.max(0, (now - started) / (0.75 * milliseconds));
      if (passed >= 1) return end();
      const eased = passed * passed * (3 - 2 * passed);
      for (const [part, path] of motions) {
        const way = eased * (path.length - 1);
        const [from, to] = [path[Math.floor(way)], path[Math.ceil(way)]];
        place(part, [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * (way % 1)));
      }
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    show();
  };
  // During a motion, Forward ends it and Back takes it back.
  const goForward = () => {
    if (moving || at === steps.length) return go(at + 1);
    stop();
    move();
  };
  const goBack = () => go(moving ? at : at - 1);
  const playOrPause = () => {
    if (playing) return go(at);
    go(at === steps.length ? 0 : at);
    playing = true;
    move();
  };

  const actions = { first: () => go(0), back: goBack, play: playOrPause, next: goForward, last: () => go(steps.length) };
  for (const [name, action] of Object.entries(actions)) find(name).addEventListener("click", action);
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    const isTaken = event.target.matches(event.key === " " ? "select, input, button" : "select, input");
    const action = actions[keys[event.key]];
    if (!action || isTaken || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  controls.lang = language;
  controls.hidden = false;
  show();
})();
