// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "report_page.hpp"

namespace samples {

const char* const REPORT_HEAD = R"HTML(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tracks</title>
<style>
  :root { --back: #16171a; --panel: #202227; --text: #e6e6e6; --dim: #9a9fa8; --bar: #5aa9e6; }
  body { margin: 0; background: var(--back); color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
  header { padding: 14px 20px; display: flex; flex-wrap: wrap; gap: 8px 26px; align-items: baseline; }
  h1 { font-size: 18px; margin: 0 12px 0 0; }
  h2 { font-size: 13px; margin: 0 0 8px; color: var(--dim); font-weight: 600; }
  header span b { font-variant-numeric: tabular-nums; }
  header span { color: var(--dim); } header span b { color: var(--text); }
  #selection { position: sticky; top: 0; z-index: 2; background: var(--panel); padding: 8px 20px; min-height: 21px; }
  #views { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 10px; padding: 12px 20px; }
  figure { margin: 0; background: var(--panel); border-radius: 4px; overflow: hidden; outline: 2px solid transparent; }
  figure.sees { outline-color: #ffd166; }
  figure canvas { display: block; width: 100%; cursor: crosshair; }
  figcaption { padding: 4px 8px; color: var(--dim); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  #charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 10px; padding: 0 20px 24px; }
  section { background: var(--panel); border-radius: 4px; padding: 12px 14px; }
  svg { width: 100%; display: block; } svg text { fill: var(--dim); font-size: 11px; }
  table { border-collapse: collapse; width: 100%; } td { padding: 2px 0; }
  td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
</style>
</head>
<body>
<header id="counts"><h1>Tracks</h1></header>
<div id="selection">Move the mouse over a point to see its track in all views; click to hold it.</div>
<div id="views"></div>
<div id="charts">
  <section><h2>Tracks by number of views</h2><div id="lengths"></div></section>
  <section><h2>Points by confidence</h2><div id="confidence"></div></section>
  <section><h2>Views and the matches they share</h2><div id="graph"></div></section>
  <section><h2>Seconds by stage</h2><table id="stages"></table></section>
</div>
<script>
)HTML";

const char* const REPORT_SCRIPT = R"JS(
"use strict";
const hint = document.getElementById("selection").textContent;
const color = (id, light) => `hsl(${(id * 137.508) % 360} ${id % 3 === 1 ? 60 : 85}% ${light || 60}%)`;
// Per view its points: [x, y, confidence, index of the track].
const points = DATA.views.map(() => []);
DATA.tracks.forEach((track, t) => {
  for (let i = 1; i < track.length; i += 4)
    points[track[i]].push([track[i + 1] / 10, track[i + 2] / 10, track[i + 3] / 100, t]);
});

for (const [name, value] of Object.entries(DATA.counts)) {
  const span = document.createElement("span");
  span.innerHTML = `${name} <b>${value.toLocaleString("en")}</b>`;
  document.getElementById("counts").append(span);
}

const WIDTH = 640;
const panes = DATA.views.map((view, v) => {
  const figure = document.createElement("figure");
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.max(1, Math.round(WIDTH * view.h / Math.max(1, view.w)));
  const caption = document.createElement("figcaption");
  caption.textContent = `${v}  ${view.name}  ${points[v].length} of ${view.points} points`;
  figure.append(canvas, caption);
  document.getElementById("views").append(figure);
  const pane = { v, figure, canvas, scale: WIDTH / Math.max(1, view.w), image: null };
  if (view.picture) {
    const image = new Image();
    image.onload = () => { pane.image = image; paint(pane); };
    image.src = view.picture;
  }
  canvas.addEventListener("mousemove", event => { if (held === null) select(nearest(pane, event)); });
  canvas.addEventListener("mouseleave", () => { if (held === null) select(null); });
  canvas.addEventListener("click", event => {
    const found = nearest(pane, event);
    held = held === found ? null : found;
    select(found);
  });
  return pane;
});
let selected = null, held = null;

function nearest(pane, event) {
  const box = pane.canvas.getBoundingClientRect();
  const perPixel = DATA.views[pane.v].w / box.width;
  const x = (event.clientX - box.left) * perPixel, y = (event.clientY - box.top) * perPixel;
  let best = null, closest = (9 * perPixel) ** 2;
  for (const point of points[pane.v]) {
    const d = (point[0] - x) ** 2 + (point[1] - y) ** 2;
    if (d < closest) { closest = d; best = point[3]; }
  }
  return best;
}

function paint(pane) {
  const c = pane.canvas.getContext("2d");
  c.globalAlpha = 1;
  c.fillStyle = "#3a3d44";
  c.fillRect(0, 0, pane.canvas.width, pane.canvas.height);
  if (pane.image) {
    c.globalAlpha = selected === null ? 0.75 : 0.5;
    c.drawImage(pane.image, 0, 0, pane.canvas.width, pane.canvas.height);
  }
  let own = null;
  for (const point of points[pane.v]) {
    if (point[3] === selected) { own = point; continue; }
    c.globalAlpha = (selected === null ? 0.9 : 0.25) * (0.25 + 0.75 * point[2]);
    c.fillStyle = color(DATA.tracks[point[3]][0]);
    c.beginPath();
    c.arc((point[0] + 0.5) * pane.scale, (point[1] + 0.5) * pane.scale, 2.6, 0, 7);
    c.fill();
  }
  c.globalAlpha = 1;
  if (own) {
    const x = (own[0] + 0.5) * pane.scale, y = (own[1] + 0.5) * pane.scale;
    for (const [radius, width, style] of [[13, 6, "#000"], [13, 3, color(DATA.tracks[selected][0], 65)]]) {
      c.lineWidth = width;
      c.strokeStyle = style;
      c.beginPath();
      c.arc(x, y, radius, 0, 7);
      c.stroke();
    }
    c.fillStyle = "#fff";
    c.beginPath();
    c.arc(x, y, 2.6, 0, 7);
    c.fill();
  }
  pane.figure.classList.toggle("sees", own !== null);
}

function select(index) {
  if (index === selected) return;
  selected = index;
  const line = document.getElementById("selection");
  if (index === null) line.textContent = hint;
  else {
    const track = DATA.tracks[index], seen = [];
    for (let i = 1; i < track.length; i += 4)
      seen.push(`${DATA.views[track[i]].name} (${(track[i + 3] / 100).toFixed(2)})`);
    line.textContent = `Track ${track[0]} in ${seen.length} views (confidence): ${seen.join(", ")}`;
  }
  panes.forEach(paint);
}

function bars(target, values, label) {
  const width = 360, height = 150, base = 128, largest = Math.max(1, ...values);
  const step = width / values.length;
  let svg = "";
  values.forEach((value, i) => {
    const size = value / largest * 110;
    svg += `<rect x="${i * step + 1}" y="${base - size}" width="${Math.max(1, step - 2)}" height="${size}"
      fill="#5aa9e6"><title>${label(i)}: ${value}</title></rect>`;
    if (values.length <= 14 || i % Math.ceil(values.length / 10) === 0)
      svg += `<text x="${(i + 0.5) * step}" y="${base + 14}" text-anchor="middle">${label(i)}</text>`;
  });
  svg += `<text x="2" y="12">${largest.toLocaleString("en")}</text>`;
  document.getElementById(target).innerHTML = `<svg viewBox="-12 0 ${width + 24} ${height}">${svg}</svg>`;
}
bars("lengths", DATA.lengths.slice(2), i => i + 2);
bars("confidence", DATA.confidence, i => (i / DATA.confidence.length).toFixed(2));

(function graph() {
  const n = DATA.views.length, largest = Math.max(1, ...DATA.pairs.map(p => p[2]));
  const at = v => {
    const turn = 2 * Math.PI * v / n - Math.PI / 2;
    return [180 + 140 * Math.cos(turn), 160 + 140 * Math.sin(turn)];
  };
  let svg = "";
  for (const [i, j, count] of [...DATA.pairs].sort((a, b) => a[2] - b[2])) {
    const [x, y] = at(i), [s, t] = at(j), share = count / largest;
    svg += `<line x1="${x}" y1="${y}" x2="${s}" y2="${t}" stroke="#ffd166" stroke-width="${0.4 + 4 * share}"
      stroke-opacity="${0.08 + 0.8 * share}"><title>${i} and ${j}: ${count} matches</title></line>`;
  }
  for (let v = 0; v < n; ++v) {
    const [x, y] = at(v);
    svg += `<circle cx="${x}" cy="${y}" r="${n > 60 ? 2 : 8}" fill="#5aa9e6"></circle>`;
    if (n <= 60) svg += `<text x="${x}" y="${y + 4}" text-anchor="middle" style="fill:#111">${v}</text>`;
  }
  document.getElementById("graph").innerHTML = `<svg viewBox="0 0 360 320">${svg}</svg>`;
})();

document.getElementById("stages").innerHTML = DATA.stages.map(([name, seconds]) =>
  `<tr><td>${name}</td><td>${seconds.toFixed(2)}</td></tr>`).join("");

// report.html#track=17 opens with that track held.
const wanted = /^#track=(\d+)$/.exec(location.hash);
panes.forEach(paint);
if (wanted) {
  const index = DATA.tracks.findIndex(track => track[0] === Number(wanted[1]));
  if (index >= 0) { held = index; select(index); }
}
)JS";

const char* const REPORT_TAIL = R"HTML(</script>
</body>
</html>
)HTML";

} // namespace samples
