
// The page of one plan. The element `plan` has the plan as JSON.
const { steps, inks } = JSON.parse(document.getElementById("plan").textContent);
const list = document.querySelector(".moves");
const rows = [...list.children].map((row, index) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = row.textContent;
  button.addEventListener("click", () => player.go(index + 1));
  row.replaceChildren(button);
  return button;
});
let current = null;
const mark = (at) => {
  const row = rows[at - 1] ?? null;
  if (row === current) return;
  current?.removeAttribute("aria-current");
  row?.setAttribute("aria-current", "step");
  list.scrollTop = row ? row.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
  current = row;
};
const language = navigator.language.startsWith("zh") ? "zh" : "en";
const player = playerIn(document.querySelector(".controls"), language, mark);
document.addEventListener("keydown", player.press);
const captioned = steps.map((motions, index) => ({ caption: rows[index].textContent, motions }));
player.load(boardOf(document.querySelector(".picture svg"), inks), captioned, 0);
