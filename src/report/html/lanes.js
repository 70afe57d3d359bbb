// What ran when: the critical path, a lane for every device (or slot) and channel. Each lane is a
// list of spans that do not overlap; what is narrower than a pixel is gathered by pixel, as dense as
// it is busy, so a picture costs one look at every span in view and at most one shape per pixel.
let colors = {};
const readColors = () => {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['card', 'ink', 'soft', 'faint', 'track', 'heavy', 'light', 'transfer',
                      'channel', 'idle', 'bad', 'memory', 'memory-edge']) {
    colors[name] = style.getPropertyValue('--' + name).trim();
  }
};
readColors();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColors(); redraw(); });

const pathColors = ['heavy', 'transfer', 'channel', 'idle'];
const pathKinds = ['compute', 'transfer', 'waiting for a channel', 'waiting for the device'];
const opColor = run => data.heavy[data.type[data.runs.op[run]]] ? 'heavy' : 'light';

// What has a length, in order of start: `source` has start and end, `items` are positions in it.
const lasting = (source, items) => items.filter(i => source.end[i] > source.start[i]);
const runsByLane = new Map();  // "device/lane"
const runsByDevice = data.devices.map(() => []);
for (let run = 0; run < data.runs.count; run++) {
  if (data.runs.end[run] <= data.runs.start[run]) continue;
  const lane = data.runs.device[run] + '/' + data.runs.lane[run];
  if (!runsByLane.has(lane)) runsByLane.set(lane, []);
  runsByLane.get(lane).push(run);
  runsByDevice[data.runs.device[run]].push(run);
}
const transfersByChannel = data.channels.map(() => []);
for (let i = 0; i < data.transfers.count; i++) {
  if (data.transfers.end[i] <= data.transfers.start[i]) continue;
  const route = data.transfers.routes[data.transfers.route[i]];
  for (let k = 2; k < route.length; k++) transfersByChannel[route[k]].push(i);
}
for (const list of transfersByChannel) {
  list.sort((a, b) => data.transfers.start[a] - data.transfers.start[b]);
}

const laneOf = canvas => {
  const { device, lane, channel } = canvas.dataset;
  if (device !== undefined) {
    return { source: data.runs, items: runsByLane.get(device + '/' + lane) || [], kind: 'run',
             color: opColor, critical: run => data.runs.critical[run],
             label: run => data.names[data.runs.op[run]] };
  }
  if (channel !== undefined) {
    return { source: data.transfers, items: transfersByChannel[channel], kind: 'transfer',
             color: () => 'transfer', critical: i => data.transfers.critical[i] };
  }
  if ('path' in canvas.dataset) {
    return { source: data.path, items: lasting(data.path, [...data.path.kind.keys()]),
             kind: 'path', color: i => pathColors[data.path.kind[i]], critical: () => 1 };
  }
  return null;
};

// Position of the first item that ends after the instant.
const firstEndingAfter = (lane, instant) => {
  let low = 0, high = lane.items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.source.end[lane.items[middle]] > instant) high = middle; else low = middle + 1;
  }
  return low;
};
// The item at the instant, or the nearest within the reach.
const itemAt = (lane, instant, reach) => {
  let best = -1, distance = reach;
  for (let at = firstEndingAfter(lane, instant - reach); at < lane.items.length; at++) {
    const item = lane.items[at];
    if (lane.source.start[item] > instant + reach) break;
    const away = Math.max(0, lane.source.start[item] - instant, instant - lane.source.end[item]);
    if (away === 0) return item;
    if (away < distance) { best = item; distance = away; }
  }
  return best;
};

const prepare = canvas => {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const context = canvas.getContext('2d');
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.clearRect(0, 0, width, height);
  return { context, width, height };
};

// A torn edge where a bar goes on beyond the picture.
const tear = (context, x, inward, height) => {
  context.globalAlpha = 1;
  context.fillStyle = colors.card;
  context.beginPath();
  context.moveTo(x, 0);
  for (let i = 0; i <= 4; i++) context.lineTo(x + (i % 2 ? inward : 0), height * i / 4);
  context.closePath();
  context.fill();
};

const drawLabel = (context, lane, item, from, to, height) => {
  const room = to - from - 8;
  if (!lane.label || room < 30 || height < 14) return;
  const most = Math.floor(room / 6.6);
  const name = lane.label(item);
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from - 2, height);
  context.clip();
  context.globalAlpha = 1;
  context.fillStyle = lane.critical(item) ? '#fff' : colors.ink;
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  // The ends of names tell them apart.
  context.fillText(name.length > most ? '…' + name.slice(1 - most) : name, from + 5, height / 2 + 0.5);
  context.restore();
};

let selected = null;  // {kind, item}

const drawLane = (canvas, lane) => {
  const { context, width, height } = prepare(canvas);
  const { source, items } = lane;
  const scale = width / (view.right - view.left);
  let pixel = -1, busy = 0, critical = 0, byColor = {};
  const flush = () => {
    if (pixel < 0) return;
    const color = Object.keys(byColor).reduce((a, b) => byColor[b] > byColor[a] ? b : a);
    context.globalAlpha = Math.max(0.2, Math.min(1, busy)) * (critical * 2 > busy ? 1 : 0.42);
    context.fillStyle = colors[color];
    context.fillRect(pixel, 0, 1, height);
    pixel = -1;
  };
  for (let at = firstEndingAfter(lane, view.left); at < items.length; at++) {
    const item = items[at];
    if (source.start[item] >= view.right) break;
    const from = (source.start[item] - view.left) * scale;
    const to = (source.end[item] - view.left) * scale;
    if (to - from >= 1.2) {
      flush();
      const left = Math.max(0, from), right = Math.min(width, to);
      context.globalAlpha = lane.critical(item) ? 1 : 0.42;
      context.fillStyle = colors[lane.color(item)];
      // Neighbours are kept apart where there is room.
      context.fillRect(left, 0, right - left - (to - from > 3 ? 0.75 : 0), height);
      drawLabel(context, lane, item, left + (from < 0 ? 4 : 0), right, height);
      if (from < -0.5) tear(context, 0, 5, height);
      if (to > width + 0.5) tear(context, width, -5, height);
      continue;
    }
    const column = Math.max(0, Math.floor(from));
    if (column !== pixel) { flush(); pixel = column; busy = critical = 0; byColor = {}; }
    const color = lane.color(item);
    busy += to - from;
    byColor[color] = (byColor[color] || 0) + to - from;
    if (lane.critical(item)) critical += to - from;
  }
  flush();
  drawSelected(context, lane, scale, width, height);
};

const drawSelected = (context, lane, scale, width, height) => {
  if (!selected || selected.kind !== lane.kind || !lane.items.includes(selected.item)) return;
  const from = (lane.source.start[selected.item] - view.left) * scale;
  const to = (lane.source.end[selected.item] - view.left) * scale;
  context.globalAlpha = 1;
  context.strokeStyle = colors.ink;
  context.lineWidth = 2;
  if (to - from >= 4) context.strokeRect(from + 1, 1, to - from - 2, height - 2);
  else { context.fillStyle = colors.ink; context.fillRect((from + to) / 2 - 1.5, 0, 3, height); }
};

const lanes = new Map();
for (const canvas of canvases) {
  const lane = laneOf(canvas);
  if (lane) lanes.set(canvas, lane);
}
drawers.push(() => { for (const [canvas, lane] of lanes) drawLane(canvas, lane); });
