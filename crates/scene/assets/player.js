// Replays a plan on the board of this page. The element `plan` has the plan as JSON: for each move the
// motions of parts, and for each motion the part, the positions that it passes, and its new colour or
// null. A position is the upper left corner of the part in the picture.
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
  document.documentElement.lang = language;

  const find = (name) => document.querySelector(`[data-role="${name}"]`);
  const parts = [...document.querySelectorAll("[data-part]")];
  const rows = [...document.querySelectorAll(".moves button")];
  const [scrub, speed, output] = ["scrub", "speed", "move"].map(find);
  const buttons = { first: find("first"), back: find("back"), play: find("play"), next: find("next"), last: find("last") };
  for (const [name, button] of Object.entries(buttons)) button.setAttribute("aria-label", word[name]);
  scrub.setAttribute("aria-label", word.scrub);
  speed.setAttribute("aria-label", word.speed);

  // The colour of each moving part before each of its moves that change it.
  const before = steps.map((motions) => motions.map(([part, , ink]) => {
    const old = inks[part];
    inks[part] = ink ?? old;
    return old;
  }));

  const place = (part, [x, y]) => parts[part].setAttribute("transform", `translate(${x} ${y})`);
  const paint = (part, ink) => {
    const line = parts[part].dataset.part === "line" ? "-line" : "";
    parts[part].setAttribute("class", ink + line);
  };
  const forward = (motions) => {
    for (const [part, path, ink] of motions) {
      place(part, path[path.length - 1]);
      if (ink) paint(part, ink);
    }
  };
  const backward = (motions, olds) => {
    motions.forEach(([part, path, ink], index) => {
      place(part, path[0]);
      if (ink) paint(part, olds[index]);
    });
  };

  let at = 0; // the number of moves that are made
  let playing = false;
  let frame = 0; // the request of the next picture of a motion
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const show = () => {
    const current = at > 0 ? rows[at - 1].textContent : word.start;
    output.textContent = at > 0 ? `${at} ${word.of} ${steps.length}: ${current}` : `${word.start} (${steps.length})`;
    scrub.value = at;
    scrub.setAttribute("aria-valuetext", output.textContent);
    rows.forEach((row, index) => {
      if (index === at - 1) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
    const list = rows[0]?.closest("ol");
    if (at > 0) {
      const row = rows[at - 1];
      list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
    } else if (list) {
      list.scrollTop = 0;
    }
    buttons.first.disabled = buttons.back.disabled = at === 0;
    buttons.next.disabled = buttons.last.disabled = at === steps.length;
    buttons.play.querySelector("path").setAttribute("d", playing ? "M3 2h4v12H3zM9 2h4v12H9z" : "M4 2v12l9-6z");
    buttons.play.setAttribute("aria-label", playing ? word.pause : word.play);
  };
  const stop = () => {
    playing = false;
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
  };
  const go = (to) => {
    stop();
    to = Math.max(0, Math.min(steps.length, to));
    // A motion that was interrupted ends where it began.
    if (at < steps.length) backward(steps[at], before[at]);
    while (at < to) forward(steps[at++]);
    while (at > to) backward(steps[--at], before[at]);
    show();
  };
  // Moves once, and then goes on if the plan is played.
  const move = () => {
    if (at === steps.length) return go(at);
    const motions = steps[at];
    const milliseconds = 600 / Number(speed.value);
    const started = performance.now();
    for (const [part, , ink] of motions) if (ink) paint(part, ink);
    const draw = (now) => {
      const passed = Math.max(0, Math.min(1, (now - started) / (still.matches ? 1 : 0.75 * milliseconds)));
      const eased = passed * passed * (3 - 2 * passed);
      for (const [part, path] of motions) {
        const way = eased * (path.length - 1);
        const from = path[Math.floor(way)];
        const to = path[Math.ceil(way)];
        const [x, y] = [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * (way % 1));
        place(part, [x, y]);
      }
      if (now - started < (playing ? milliseconds : 0.75 * milliseconds)) {
        frame = requestAnimationFrame(draw);
        return;
      }
      frame = 0;
      forward(motions);
      at += 1;
      if (at === steps.length) playing = false;
      show();
      if (playing) move();
    };
    frame = requestAnimationFrame(draw);
  };
  const next = () => {
    // A second press ends a motion at once.
    const moving = frame !== 0;
    stop();
    if (moving) go(at + 1);
    else move();
    show();
  };
  const play = () => {
    if (playing) return go(at);
    if (frame || at === steps.length) go(at === steps.length ? 0 : at);
    playing = true;
    show();
    move();
  };

  buttons.first.addEventListener("click", () => go(0));
  buttons.back.addEventListener("click", () => go(at - 1));
  buttons.play.addEventListener("click", play);
  buttons.next.addEventListener("click", next);
  buttons.last.addEventListener("click", () => go(steps.length));
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  rows.forEach((row, index) => row.addEventListener("click", () => go(index + 1)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input")) return;
    const actions = { ArrowLeft: () => go(at - 1), ArrowRight: next, Home: () => go(0), End: () => go(steps.length) };
    if (event.key === " " && !event.target.matches("button")) actions[" "] = play;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.querySelector(".controls").hidden = false;
  show();
})();
