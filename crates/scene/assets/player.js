// Moves the parts of a board through the moves of a plan: by buttons, a scrub bar and keys.
//
// A board is an <svg> whose parts have the attribute `data-part`. A step is { caption, motions }. A motion is
// a list of the part, the positions that it passes, and its new ink or null. A position is the upper left
// corner of the part in the picture.

const controlWords = {
  en: { of: "of", first: "To the start", back: "Back", play: "Play", pause: "Pause",
    next: "Forward", last: "To the end", scrub: "Move", speed: "Speed" },
  zh: { of: "/", first: "到开局", back: "上一步", play: "播放", pause: "暂停",
    next: "下一步", last: "到结尾", scrub: "步数", speed: "速度" },
};

// Drawn, because fonts lack some of the characters.
const icons = {
  first: "M3 3h2v10H3zM13 3v10L6 8z", back: "M11 3v10L4 8zM11 7h2v2h-2z", play: "M4 2v12l9-6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z", next: "M5 3v10l7-5zM3 7h2v2H3z", last: "M11 3h2v10h-2zM3 3v10l7-5z",
};

/** The parts of a board that have these inks at the start. */
const boardOf = (svg, inks) => {
  const parts = [...svg.querySelectorAll("[data-part]")];
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
  return { svg, parts, inks, place, paint, forward, backward };
};

/** The player whose controls are put into an element. `onShow` is told the number of moves that are made. */
const playerIn = (controls, language, onShow) => {
  const word = controlWords[language];
  const make = (name, role) => {
    const element = document.createElement(name);
    element.dataset.role = role;
    if (word[role]) element.setAttribute("aria-label", word[role]);
    controls.append(element);
    return element;
  };
  const button = (role) => {
    const element = make("button", role);
    element.type = "button";
    element.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${icons[role]}"/></svg>`;
    return element;
  };
  const [first, back, play, next, last] = ["first", "back", "play", "next", "last"].map(button);
  const speed = make("select", "speed");
  for (const [factor, name] of [[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"]]) {
    speed.append(new Option(name, factor, false, factor === 1));
  }
  const output = make("output", "move");
  const scrub = make("input", "scrub");
  scrub.type = "range";
  scrub.min = 0;

  let board = null;
  let steps = [];
  let before = []; // the ink of each moving part before each of its moves
  let at = 0; // the number of moves that are made
  let playing = false;
  let moving = false; // whether move number `at` is half made
  let frame = 0; // the request of the next picture
  let pause = 0; // the timer of the pause between two moves
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const set = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const show = () => {
    const text = `${at} ${word.of} ${steps.length}${at > 0 ? `: ${steps[at - 1].caption}` : ""}`;
    // Nobody can listen to a plan that is played.
    set(output, "aria-live", playing ? "off" : "polite");
    if (output.textContent !== text) output.textContent = text;
    scrub.value = at;
    set(scrub, "aria-valuetext", text);
    // A disabled button would lose the focus.
    for (const element of [first, back]) set(element, "aria-disabled", String(at === 0 && !moving));
    for (const element of [next, last]) set(element, "aria-disabled", String(at === steps.length));
    play.querySelector("path").setAttribute("d", playing ? icons.pause : icons.play);
    set(play, "aria-label", playing ? word.pause : word.play);
    onShow(at, playing);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(pause);
    if (moving) board.backward(steps[at].motions, before[at]);
    playing = moving = false;
  };
  const go = (to) => {
    stop();
    to = Math.max(0, Math.min(steps.length, to));
    while (at < to) board.forward(steps[at++].motions);
    while (at > to) board.backward(steps[--at].motions, before[at]);
    show();
  };
  /** Ends what moves and plays. */
  const finish = () => go(moving ? at + 1 : at);
  // Makes a move, and the next ones if the plan is played.
  const move = () => {
    const { motions } = steps[at];
    const milliseconds = 600 / Number(speed.value);
    const end = () => {
      moving = false;
      board.forward(motions);
      at += 1;
      if (at === steps.length) playing = false;
      if (playing) pause = setTimeout(move, (still.matches ? 1 : 0.25) * milliseconds);
      show();
    };
    if (still.matches) return end();
    moving = true;
    for (const [part, , ink] of motions) if (ink) board.paint(part, ink);
    const started = performance.now();
    const draw = (now) => {
      const passed = Math.max(0, (now - started) / (0.75 * milliseconds));
      if (passed >= 1) return end();
      const eased = passed * passed * (3 - 2 * passed);
      for (const [part, path] of motions) {
        const way = eased * (path.length - 1);
        const [from, to] = [path[Math.floor(way)], path[Math.ceil(way)]];
        board.place(part, [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * (way % 1)));
      }
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    show();
  };
  // During a motion, Forward ends it and goes on, and Back takes it back.
  const goForward = () => {
    finish();
    if (at < steps.length) move();
  };
  const goBack = () => go(moving ? at : at - 1);
  const playOrPause = () => {
    if (playing || steps.length === 0) return go(at);
    go(at === steps.length ? 0 : at);
    playing = true;
    move();
  };
  /** Takes the steps of a plan on a board on which the first `made` of them are made. */
  const load = (newBoard, newSteps, made) => {
    stop();
    [board, steps, at] = [newBoard, newSteps, made];
    const inks = [...board.inks];
    before = steps.map(({ motions }) => motions.map(([part, , ink]) => {
      const old = inks[part];
      inks[part] = ink ?? old;
      return old;
    }));
    scrub.max = steps.length;
    show();
  };

  const actions = { first: () => go(0), back: goBack, play: playOrPause, next: goForward, last: () => go(steps.length) };
  for (const element of [first, back, play, next, last]) element.addEventListener("click", actions[element.dataset.role]);
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  /** Answers a key; false if it is none of the player's. */
  const press = (event) => {
    const taking = event.key === " " ? "select, input, textarea, button, summary, [role=button]" : "select, input, textarea";
    const isTaken = event.target.matches(taking);
    const action = actions[keys[event.key]];
    if (!action || isTaken || event.ctrlKey || event.metaKey || event.altKey) return false;
    event.preventDefault();
    action();
    return true;
  };
  controls.lang = language;
  controls.hidden = false;
  return { load, go, press, forward: goForward, finish };
};
