"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const table = document.querySelector("table");
const body = table.tBodies[0];
const dialog = document.querySelector("dialog");

// Names come from a cluster: they are set as text, never as HTML.
const element = (tag, text, name) => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  return made;
};

const key = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
};

const sort = (heading) => {
  const column = heading.cellIndex;
  const up = heading.getAttribute("aria-sort") !== "ascending";
  for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", up ? "ascending" : "descending");
  const rows = [...body.rows].map((row) => [key(row, column), row]);
  rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (up ? 1 : -1));
  body.append(...rows.map(([, row]) => row));
};

const open = (cell) => {
  const row = Number(cell.parentElement.dataset.row);
  const column = cell.cellIndex - 3;
  const [outlook, refusal, warnings, missing, steps] = data.cells[row][column];
  document.getElementById("what").textContent = `${data.sources[row]} → ${data.classes[column]}`;
  document.getElementById("outlook").textContent = outlook;
  const said = [];
  if (refusal) said.push(...refusal.split("\n").map((line) => element("p", line)));
  said.push(...warnings.map((warning) => element("p", `Warning: ${warning}`)));
  if (missing.length) said.push(element("p", `Not known: ${missing.join(", ")}`));
  document.getElementById("said").replaceChildren(...said);
  const list = steps.map((index) => {
    const [object, question, found, so, decides] = data.steps[index];
    const item = element("li", "", decides ? "decides" : "");
    item.append(element("strong", decides ? `${object} (this decides)` : object));
    item.append(element("em", question), element("span", `Found: ${found}.`), element("span", so));
    return item;
  });
  document.getElementById("steps").replaceChildren(...list);
  dialog.showModal();
};

table.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.classList.contains("sort")) sort(button.closest("th"));
  else open(button.closest("td"));
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
