// The part of the step that is in view, the same for all charts, and the ways to move it: wheel,
// drag, pinch, keys and buttons. What draws registers in `drawers` and is called when it changes.
const view = { left: 0, right: Math.max(1, data.step) };
const drawers = [];
let drawing = false;
const redraw = () => {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; for (const draw of drawers) draw(); });
};
const narrowest = Math.min(data.step || 1, 40);
const whole = () => view.left <= 0 && view.right >= data.step;
const show = (left, right) => {
  const span = Math.min(data.step || 1, Math.max(narrowest, right - left));
  const middle = (left + right) / 2;
  view.left = Math.max(0, Math.min(data.step - span, right - left === span ? left : middle - span / 2));
  view.right = view.left + span;
  redraw();
};
const zoom = (factor, anchor = (view.left + view.right) / 2) => {
  const span = Math.min(data.step || 1, Math.max(narrowest, (view.right - view.left) * factor));
  const left = anchor - (anchor - view.left) * span / (view.right - view.left);
  show(left, left + span);
};
const pan = ticks => show(view.left + ticks, view.right + ticks);
// Brings an interval into view: as it is when it can be seen well, else in its surroundings.
const reveal = (start, end) => {
  const span = view.right - view.left, length = Math.max(end - start, narrowest / 8);
  if (start >= view.left && end <= view.right && length > span / 100) return redraw();
  const wanted = Math.min(data.step, Math.max(length * 12, narrowest));
  show((start + end) / 2 - wanted / 2, (start + end) / 2 + wanted / 2);
};

const charts = [...document.querySelectorAll('.chart')];
const canvases = [...document.querySelectorAll('.chart canvas')];
const plotOf = element => (element.closest('.chart') || element).querySelector('canvas')
  .getBoundingClientRect();
const instantAt = (element, x) => {
  const box = plotOf(element);
  const part = Math.min(1, Math.max(0, (x - box.left) / box.width));
  return view.left + part * (view.right - view.left);
};

// Scrolling the page must not stop where a chart comes under the pointer: a wheel that began to
// turn outside the charts keeps scrolling until it rests.
let lastWheel = 0, wheelScrolls = false;
addEventListener('wheel', event => {
  const inside = event.target.closest && event.target.closest('.chart canvas');
  if (event.timeStamp - lastWheel > 250) wheelScrolls = !inside;
  lastWheel = event.timeStamp;
  if (!inside || (wheelScrolls && !event.ctrlKey)) return;
  const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    return pan(event.deltaX * lines / plotOf(inside).width * (view.right - view.left));
  }
  // There is no more to see: let the page scroll.
  if (event.deltaY > 0 && whole() && !event.ctrlKey) return;
  event.preventDefault();
  zoom(Math.exp(event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)),
       instantAt(inside, event.clientX));
}, { passive: false });

// Pointers that are down on a chart, by id. One pans (with shift it picks a part to zoom to), two
// zoom; one that does not move is a click.
const pointers = new Map();
const pick = document.body.appendChild(make('div', { id: 'pick' }));
let moved = false, picking = null;
const clicks = [];  // called with the canvas and the event

const beginPointer = event => {
  if (event.button > 0) return;
  const chart = event.currentTarget;
  if (!event.target.closest('canvas')) return;
  if (!pointers.size) { moved = false; picking = event.shiftKey ? event.clientX : null; }
  pointers.set(event.pointerId, { x: event.clientX, chart, canvas: event.target, from: event.clientX });
};
const movePointer = event => {
  const pointer = pointers.get(event.pointerId);
  if (!pointer) return;
  if (!moved && Math.abs(event.clientX - pointer.from) < 5 && pointers.size === 1) return;
  moved = true;
  pointer.chart.classList.add('moving');
  const box = plotOf(pointer.chart), span = view.right - view.left;
  const others = [...pointers.values()].filter(other => other !== pointer);
  if (picking !== null) {
    const chart = pointer.chart.getBoundingClientRect();
    Object.assign(pick.style, { display: 'block', top: chart.top + 'px', height: chart.height + 'px',
      left: Math.min(picking, event.clientX) + 'px', width: Math.abs(event.clientX - picking) + 'px' });
  } else if (!others.length) {
    pan((pointer.x - event.clientX) / box.width * span);
  } else {
    const fixed = others[0].x;
    const before = Math.max(12, Math.abs(pointer.x - fixed));
    const after = Math.max(12, Math.abs(event.clientX - fixed));
    zoom(before / after, instantAt(pointer.chart, fixed));
  }
  pointer.x = event.clientX;
};
const endPointer = event => {
  const pointer = pointers.get(event.pointerId);
  if (!pointer) return;
  pointers.delete(event.pointerId);
  pointer.chart.classList.remove('moving');
  pick.style.display = 'none';
  if (event.type === 'pointercancel') return;
  if (picking !== null && moved) {
    const ends = [instantAt(pointer.chart, picking), instantAt(pointer.chart, event.clientX)];
    show(Math.min(...ends), Math.max(...ends));
  } else if (!moved) {
    for (const click of clicks) click(pointer.canvas, event);
  }
  picking = null;
};
addEventListener('pointermove', movePointer);
addEventListener('pointerup', endPointer);
addEventListener('pointercancel', endPointer);
for (const chart of charts) {
  chart.tabIndex = 0;
  chart.addEventListener('pointerdown', beginPointer);
  chart.addEventListener('dblclick', () => show(0, data.step));
  chart.addEventListener('keydown', event => {
    const span = view.right - view.left;
    const action = { ArrowLeft: () => pan(-span / 8), ArrowRight: () => pan(span / 8),
                     '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
                     0: () => show(0, data.step) }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}
for (const button of document.querySelectorAll('[data-zoom]')) {
  button.addEventListener('click', () => {
    const factor = Number(button.dataset.zoom);
    factor ? zoom(factor) : show(0, data.step);
  });
}

// Round marks below every chart.
const drawAxes = () => {
  for (const axis of document.querySelectorAll('.axis')) {
    const width = axis.clientWidth || 600, span = view.right - view.left;
    const rough = span * data.tick * 96 / width, power = 10 ** Math.floor(Math.log10(rough));
    const apart = power * [1, 2, 5, 10].find(m => m * power >= rough * 0.999) / data.tick;
    axis.textContent = '';
    if (!data.step) continue;
    for (let i = Math.ceil(view.left / apart - 1e-9); i * apart <= view.right + apart * 1e-6; i++) {
      const at = (i * apart - view.left) / span;
      const mark = make('span', { textContent: formatInstant(i * apart, apart) });
      mark.style.left = at * 100 + '%';
      mark.className = at * width < 30 ? 'first' : (1 - at) * width < 36 ? 'last' : '';
      axis.append(mark);
    }
  }
};
drawers.push(drawAxes);
