#include "report/html_style.h"

namespace berth {

std::string_view html_style() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #f4f4f1; --card: #fdfdfc; --ink: #141413; --soft: #5b5a56; --faint: #8c8b85;
  --line: #e4e3de; --track: #efeeea;
  --heavy: #2a78d6; --light: #1baf7a; --transfer: #6a5acd; --channel: #eda100; --idle: #bdbcb6;
  --good: #0b7a3b; --bad: #c8322f; --memory: #9ec4f0; --memory-edge: #2a78d6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121211; --card: #1c1c1a; --ink: #f3f2ee; --soft: #b9b8b0; --faint: #85847d;
    --line: #32322f; --track: #282826;
    --heavy: #3987e5; --light: #199e70; --transfer: #9085e9; --channel: #c98500; --idle: #5c5b57;
    --good: #4fc07f; --bad: #f0716d; --memory: #24466f; --memory-edge: #3987e5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 40px 24px 64px; background: var(--page); color: var(--ink);
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums;
}
main { max-width: 1120px; margin: 0 auto; }
header { margin: 0 4px 24px; }
h1 { font-size: 24px; line-height: 1.25; font-weight: 650; margin: 0 0 4px; letter-spacing: -.01em;
     overflow-wrap: anywhere; }
header p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
          padding: 20px 24px 22px; margin: 0 0 16px; }
h2 { font-size: 15px; font-weight: 650; margin: 0 0 2px; }
section > p { margin: 0 0 14px; color: var(--soft); max-width: 116ch; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 16px;
         margin: 0 0 16px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
        padding: 16px 20px 18px; }
.tile b { display: block; font-size: 26px; line-height: 1.25; font-weight: 650;
          letter-spacing: -.015em; margin: 2px 0; }
.tile i { font-style: normal; color: var(--soft); }
.tile small { display: block; color: var(--soft); font-size: 13px; }
.good { color: var(--good); } .bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; color: var(--faint); font-size: 12.5px; }
th, td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
.number { text-align: right; }
td.wide { width: 40%; padding-right: 28px; }
td.words { white-space: normal; overflow-wrap: anywhere; }
tr.best td { font-weight: 650; }
.scroll { overflow-x: auto; }
.bar { height: 10px; border-radius: 3px; background: var(--heavy); min-width: 2px; opacity: .55; }
tr.best .bar { opacity: 1; }
.bar.off { background: var(--idle); }
.bar.cut { border-right: 4px double var(--card); }
.chart { position: relative; }
.row { display: grid; grid-template-columns: 216px 1fr; align-items: center; gap: 12px;
       margin: 0 0 3px; }
.row.tall { margin: 0 0 10px; }
.name { display: flex; justify-content: space-between; gap: 8px; white-space: nowrap;
        font-size: 12.5px; min-height: 12px; line-height: 1.2; }
.name b { font-weight: inherit; overflow: hidden; text-overflow: ellipsis; min-width: 0; }
.name span { color: var(--faint); }
.name span.bad { color: var(--bad); font-weight: 600; }
.row.tall .name { flex-direction: column; justify-content: center; gap: 2px; }
.gap { height: 12px; }
.note { color: var(--faint); font-size: 12.5px; margin: 4px 0 0; }
svg.t { display: block; width: 100%; background: var(--track); border-radius: 3px; cursor: crosshair; }
svg.t rect { opacity: .42; }
svg.t rect.e { opacity: 1; }
svg.t rect:hover { opacity: .75; }
rect.heavy { fill: var(--heavy); } rect.light { fill: var(--light); }
rect.transfer { fill: var(--transfer); } rect.channel { fill: var(--channel); }
rect.idle { fill: var(--idle); }
path.memory { fill: var(--memory); stroke: var(--memory-edge); stroke-width: 1;
              vector-effect: non-scaling-stroke; }
path.memory.over { fill: var(--bad); fill-opacity: .35; stroke: var(--bad); }
path.limit { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 5 4; fill: none;
             vector-effect: non-scaling-stroke; }
path.parameters { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 1 3; fill: none;
                  vector-effect: non-scaling-stroke; }
.axis { position: relative; height: 18px; margin: 4px 0 0 228px; color: var(--faint);
        font-size: 12px; border-top: 1px solid var(--line); overflow: hidden; }
.axis span { position: absolute; top: 2px; transform: translateX(-50%); white-space: nowrap; }
.axis span.first { transform: none; }
.axis span.last { transform: translateX(-100%); }
.stack { display: flex; height: 18px; border-radius: 4px; overflow: hidden; gap: 2px;
         background: var(--card); margin: 4px 0 10px; }
.stack div { min-width: 2px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; color: var(--soft); font-size: 13px;
          margin: 0 0 14px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 7px; }
.legend i.line { height: 0; border-top: 2px dashed var(--bad); border-radius: 0; width: 16px;
                 vertical-align: middle; }
.legend i.dots { height: 0; border-top: 2px dotted var(--faint); border-radius: 0; width: 16px;
                 vertical-align: middle; }
.heavy-bg { background: var(--heavy); } .light-bg { background: var(--light); }
.transfer-bg { background: var(--transfer); } .channel-bg { background: var(--channel); }
.idle-bg { background: var(--idle); }
.peaks { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 18px 32px; }
.peaks h3 { font-size: 13px; font-weight: 600; margin: 0 0 2px; }
.peaks h3 span { color: var(--faint); font-weight: 400; }
.peaks td { border: 0; padding: 2px 10px 2px 0; font-size: 13px; }
ul { margin: 6px 0 0; padding-left: 18px; color: var(--soft); }
footer { color: var(--faint); font-size: 12.5px; margin: 20px 4px 0; }
#hint { position: fixed; z-index: 9; pointer-events: none; background: var(--ink); color: var(--card);
        padding: 5px 9px; border-radius: 6px; font-size: 12.5px; max-width: 420px; display: none; }
#pick { position: fixed; z-index: 8; pointer-events: none; background: var(--heavy); opacity: .18;
        display: none; }
@media (max-width: 720px) {
  .row { grid-template-columns: 110px 1fr; } .axis { margin-left: 122px; }
  section { padding: 16px; }
}
@media print { body { background: none; padding: 0; } section, .tile { break-inside: avoid; } }
)css";
}

std::string_view html_script() {
  return R"js(
(() => {
  const strips = [...document.querySelectorAll('svg.t')];
  const axes = [...document.querySelectorAll('.axis')];
  if (!strips.length) return;
  const step = Number(document.body.dataset.step);
  const make = id => { const e = document.createElement('div'); e.id = id; document.body.append(e); return e; };
  const hint = make('hint'), pick = make('pick');
  let left = 0, right = 1000, from = null;

  const time = s => {
    for (const [f, u] of [[1, 's'], [1e-3, 'ms'], [1e-6, 'us']])
      if (Math.abs(s) >= f * 0.9995) return Number((s / f).toPrecision(4)) + ' ' + u;
    return s ? Number((s * 1e9).toPrecision(4)) + ' ns' : '0';
  };
  const drawAxis = () => {
    const span = (right - left) / 1000 * step, rough = span / 7;
    const power = 10 ** Math.floor(Math.log10(rough));
    const tick = power * [1, 2, 5, 10].find(m => m * power >= rough);
    for (const axis of axes) {
      axis.textContent = '';
      for (let i = Math.ceil(left / 1000 * step / tick - 1e-9); i * tick <= right / 1000 * step * (1 + 1e-9); i++) {
        const at = (i * tick / step * 1000 - left) / (right - left) * 100, mark = document.createElement('span');
        mark.style.left = at + '%';
        mark.textContent = time(i * tick);
        mark.className = at < 2 ? 'first' : at > 96 ? 'last' : '';
        axis.append(mark);
      }
    }
  };
  const show = (a, b) => {
    left = a; right = b;
    for (const s of strips) {
      const box = s.viewBox.baseVal;
      s.setAttribute('viewBox', `${left} 0 ${right - left} ${box.height}`);
    }
    drawAxis();
  };
  const place = (s, x) => {
    const r = s.getBoundingClientRect();
    return left + Math.min(1, Math.max(0, (x - r.left) / r.width)) * (right - left);
  };
  for (const s of strips) {
    s.addEventListener('pointerdown', e => { from = [s, e.clientX]; e.preventDefault(); });
    s.addEventListener('dblclick', () => show(0, 1000));
  }
  addEventListener('pointermove', e => {
    const shape = e.target.closest ? e.target.closest('svg.t rect') : null;
    if (shape) {
      const title = shape.querySelector('title');
      if (title) { shape.dataset.hint = title.textContent; title.remove(); }
      hint.textContent = shape.dataset.hint;
      hint.style.display = 'block';
      hint.style.left = Math.min(e.clientX + 14, innerWidth - hint.offsetWidth - 8) + 'px';
      hint.style.top = e.clientY + 16 + 'px';
    } else hint.style.display = 'none';
    if (!from) return;
    const chart = from[0].closest('.chart').getBoundingClientRect();
    Object.assign(pick.style, { display: 'block', top: chart.top + 'px', height: chart.height + 'px',
      left: Math.min(from[1], e.clientX) + 'px', width: Math.abs(e.clientX - from[1]) + 'px' });
  });
  addEventListener('pointerup', e => {
    if (!from) return;
    const [s, x] = from;
    from = null;
    pick.style.display = 'none';
    if (Math.abs(e.clientX - x) < 6) return;
    const a = place(s, Math.min(x, e.clientX)), b = place(s, Math.max(x, e.clientX));
    if (b - a > 1e-4) show(a, b);
  });
  drawAxis();
})();
)js";
}

}  // namespace berth
