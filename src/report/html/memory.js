// How full every device is when: the highest level of every pixel, so that no peak is lost, with the
// limit and the parameters as lines.
const memoryOf = canvas => data.memory[canvas.dataset.memory];
const memoryCanvases = canvases.filter(canvas => canvas.dataset.memory !== undefined);

// Position of the last level that holds at the instant.
const levelAt = (memory, instant) => {
  let low = 0, high = memory.time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (memory.time[middle] <= instant) low = middle + 1; else high = middle;
  }
  return low - 1;
};

const drawMemory = canvas => {
  const memory = memoryOf(canvas);
  const { context, width, height } = prepare(canvas);
  const perPixel = (view.right - view.left) / width;
  const y = bytes => height * (1 - bytes / memory.top);
  let at = Math.max(0, levelAt(memory, view.left));
  context.beginPath();
  context.moveTo(-2, height + 2);
  for (let pixel = 0; pixel < width; pixel++) {
    const end = view.left + (pixel + 1) * perPixel;
    let highest = memory.level[at] || 0;
    while (at + 1 < memory.time.length && memory.time[at + 1] < end) {
      highest = Math.max(highest, memory.level[++at]);
    }
    const top = y(highest);
    context.lineTo(pixel ? pixel : -2, top);
    context.lineTo(pixel + 1 < width ? pixel + 1 : width + 2, top);
  }
  context.lineTo(width + 2, height + 2);
  context.closePath();
  context.fillStyle = memory.over ? colors.bad : colors.memory;
  context.globalAlpha = memory.over ? 0.35 : 1;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 1;
  context.strokeStyle = memory.over ? colors.bad : colors['memory-edge'];
  context.stroke();
  const line = (bytes, color, lineWidth, dashes) => {
    context.beginPath();
    context.setLineDash(dashes);
    context.strokeStyle = color;
    context.lineWidth = lineWidth;
    context.moveTo(0, y(bytes));
    context.lineTo(width, y(bytes));
    context.stroke();
    context.setLineDash([]);
  };
  line(memory.parameters, colors.faint, 1, [1, 3]);
  if (memory.limit >= 0) line(memory.limit, colors.bad, 1.5, [5, 4]);
};
drawers.push(() => { for (const canvas of memoryCanvases) drawMemory(canvas); });

const heldBytes = (held, i) => held.more[i] + (held.what[i] === 2 ? 0 : data.bytes[held.item[i]]);
const heldName = (held, i) => {
  if (held.what[i] === 2) return data.names[held.item[i]] + ' (workspace)';
  return tensorName(held.item[i]) + (held.what[i] === 1 ? ' (copy)' : '');
};
// What is held at the instant: the largest few, and how many more.
const largestHeld = (held, instant, most) => {
  const alive = [];
  let count = 0;
  for (let i = 0; i < held.from.length && held.from[i] <= instant; i++) {
    if (held.until[i] <= instant) continue;
    count++;
    const bytes = heldBytes(held, i);
    if (alive.length === most && bytes <= alive[most - 1].bytes) continue;
    alive.push({ bytes, i });
    alive.sort((a, b) => b.bytes - a.bytes);
    alive.length = Math.min(alive.length, most);
  }
  return { alive, more: count - alive.length };
};
const memoryLines = (memory, instant) => {
  const level = memory.level[levelAt(memory, instant)] || 0;
  const { alive, more } = largestHeld(memory.held, instant, 5);
  const apart = (view.right - view.left) / 1000;
  const lines = [[data.devices[memory.device] + ' holds ' + formatBytes(level) + ' at ' +
                  formatInstant(instant, apart)],
                 ['parameters ' + formatBytes(memory.parameters)]];
  for (const { bytes, i } of alive) lines.push([formatBytes(bytes) + '  ' + heldName(memory.held, i)]);
  if (more) lines.push(['and ' + formatCount(more) + ' more']);
  return lines;
};
