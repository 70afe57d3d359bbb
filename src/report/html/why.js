// What is known of an op, a transfer or a step of the critical path, and above all why it was not
// earlier. Everything is a list of lines; a line is a list of words and references to others,
// {kind, item}, that a click follows.
const runName = run => data.names[data.runs.op[run]];
const precise = ticks => formatInstant(ticks, Math.max(1, Math.min(data.step / 1e5, ticks / 1e3)));
const runRef = run => ({ kind: 'run', item: run, text: runName(run) });
const transferRef = i => ({ kind: 'transfer', item: i, text: tensorName(data.transfers.tensor[i]) });

// The transfer whose end this one's start waited for, and over which channel.
const heldUpBy = transfer => {
  const { start, end, routes, route } = data.transfers;
  for (const channel of routes[route[transfer]].slice(2)) {
    const lane = { source: data.transfers, items: transfersByChannel[channel] };
    const before = lane.items[firstEndingAfter(lane, start[transfer]) - 1];
    if (before !== undefined && before !== transfer && end[before] === start[transfer]) {
      return { transfer: before, channel };
    }
  }
  return null;
};
const queued = transfer => {
  const waited = data.transfers.waited[transfer];
  if (!waited) return ['sent at once'];
  const by = heldUpBy(transfer);
  const words = ['queued ' + formatTime(waited)];
  if (by) words.push(' behind ', transferRef(by.transfer), ' on ' + data.channels[by.channel]);
  return words;
};

// What its device ran between the instants, without the op itself: the longest, and how many more.
const ranMeanwhile = (device, from, to, self) => {
  const items = runsByDevice[device], { start, end } = data.runs;
  let low = 0, high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[items[middle]] >= to) high = middle; else low = middle + 1;
  }
  let longest = -1, most = 0, count = 0;
  for (let at = low - 1; at >= 0; at--) {
    const run = items[at];
    const both = Math.min(end[run], to) - Math.max(start[run], from);
    // With one slot, what came before this ended before it.
    if (both <= 0 && start[run] < from && !data.runs.lane[run]) break;
    if (both <= 0 || run === self) continue;
    count++;
    if (both > most) { most = both; longest = run; }
  }
  return { longest, most, more: count - 1 };
};
// How long the op's lane had been idle when it started.
const idleBefore = run => {
  const items = runsByLane.get(data.runs.device[run] + '/' + data.runs.lane[run]) || [];
  const lane = { source: data.runs, items };
  const before = items[firstEndingAfter(lane, data.runs.start[run]) - 1];
  return data.runs.start[run] - (before === undefined ? 0 : data.runs.end[before]);
};

const readyLine = run => {
  const ready = data.runs.start[run] - data.runs.waited[run];
  const brought = data.runs.brought[run] - 1, after = data.runs.after[run];
  if (brought >= 0) {
    const route = data.transfers.routes[data.transfers.route[brought]];
    return ['ready at ' + precise(ready) + ', when the transfer of ', transferRef(brought),
            ' from ' + data.devices[route[0]] + ' ended: ', ...queued(brought),
            ', took ' + formatTime(data.transfers.length[brought])];
  }
  if (after) return ['ready at ' + precise(ready) + ', when ', runRef(run - after), ' ended'];
  return ['ready from the start'];
};
const waitLine = run => {
  const device = data.devices[data.runs.device[run]];
  const start = data.runs.start[run], waited = data.runs.waited[run];
  if (waited > 0) {
    const { longest, more } = ranMeanwhile(data.runs.device[run], start - waited, start, run);
    const words = ['waited ' + formatTime(waited) + ' for ' + device];
    if (longest >= 0) words.push(', which ran ', runRef(longest));
    if (longest >= 0 && more > 0) words.push(' and ' + formatCount(more) + ' more');
    return words;
  }
  const idle = idleBefore(run);
  return idle > 0 ? ['started at once; ' + device + ' had been idle for ' + formatTime(idle)]
                  : ['started at once'];
};

const runLines = run => {
  const { op, device, start, length, critical, members } = data.runs;
  const facts = [data.types[data.type[op[run]]] + ' on ' + data.devices[device[run]] + ', ' +
                 formatTime(length[run]) + ' from ' + precise(start[run])];
  if (critical[run]) facts[0] += ', on the critical path';
  const lines = [[{ strong: runName(run) }], facts];
  if (members.has(run)) {
    const names = members.get(run).map(member => data.names[member]);
    lines.push([formatCount(names.length) + ' fused: ' + names.slice(0, 4).join(', ') +
                (names.length > 4 ? ', ...' : '')]);
  }
  return [...lines, readyLine(run), waitLine(run)];
};
const transferLines = i => {
  const { routes, route, tensor, sent, length, start, critical } = data.transfers;
  const [from, to] = routes[route[i]];
  const maker = data.runOf[data.producer[tensor[i]]];
  return [[{ strong: tensorName(tensor[i]) }],
          ['transfer from ' + data.devices[from] + ' to ' + data.devices[to] + ', ' +
           formatBytes(data.bytes[tensor[i]]) + ', ' + formatTime(length[i]) + ' from ' +
           precise(start[i]) + (critical[i] ? ', on the critical path' : '')],
          ['made by ', runRef(maker), ', which ended at ' + precise(sent[i]) + '; ', ...queued(i)]];
};
const pathLines = i => {
  const { kind, op, tensor, device, start, length } = data.path;
  const subject = tensor[i] ? tensorName(tensor[i] - 1) : data.names[op[i]];
  const where = kind[i] === 1 || kind[i] === 2 ? ' to ' : ' on ';
  const lines = [[{ strong: subject }],
                 [pathKinds[kind[i]] + where + data.devices[device[i]] + ', ' +
                  formatTime(length[i]) + ' from ' + precise(start[i])]];
  if (!tensor[i]) lines.push(kind[i] === 3 ? waitLine(data.runOf[op[i]]) : readyLine(data.runOf[op[i]]));
  return lines;
};
// Of a time in which a device did nothing: how long, and what it waited for.
const idleLines = (lane, instant, device) => {
  const at = firstEndingAfter(lane, instant), next = lane.items[at], before = lane.items[at - 1];
  const from = before === undefined ? 0 : lane.source.end[before];
  const until = next === undefined ? data.step : lane.source.start[next];
  const lines = [[{ strong: data.devices[device] + ' idle' }],
                 [formatTime(until - from) + ' from ' + precise(from)]];
  if (next === undefined) return [...lines, ['no op was left to run here']];
  return [...lines, ['then ran ', runRef(next), ', ', ...readyLine(next)]];
};
const linesOf = { run: runLines, transfer: transferLines, path: pathLines };

// A line as elements; references become links where they can be followed.
const lineElement = (line, linked) => make('p', {}, ...line.flatMap(part => {
  if (typeof part === 'string') return nameNodes(part);
  if (part.strong) return [make('strong', {}, ...nameNodes(part.strong))];
  if (!linked) return nameNodes(part.text);
  const link = make('a', { tabIndex: 0 }, ...nameNodes(part.text));
  link.addEventListener('click', () => select(part.kind, part.item));
  link.addEventListener('keydown', event => { if (event.key === 'Enter') link.click(); });
  return [link];
}));

// The panel about what was clicked or found.
const about = document.getElementById('about');
const select = (kind, item) => {
  selected = { kind, item };
  const close = make('button', { className: 'close', textContent: '×', ariaLabel: 'Close' });
  close.addEventListener('click', () => { selected = null; about.hidden = true; redraw(); });
  about.replaceChildren(close, ...linesOf[kind](item).map(line => lineElement(line, true)));
  about.hidden = false;
  const source = kind === 'run' ? data.runs : data.transfers;
  reveal(source.start[item], source.end[item]);
};

// Hints under the pointer, and a line through all charts at its instant.
const hint = document.body.appendChild(make('div', { id: 'hint' }));
const cursors = charts.map(chart => chart.appendChild(make('div', { className: 'cursor' })));
const under = (canvas, event) => {
  const instant = instantAt(canvas, event.clientX);
  if (canvas.dataset.memory !== undefined) return { lines: memoryLines(memoryOf(canvas), instant) };
  const lane = lanes.get(canvas);
  const reach = (view.right - view.left) / plotOf(canvas).width * 2;
  const item = itemAt(lane, instant, reach);
  if (item >= 0) return { kind: lane.kind, item, lines: linesOf[lane.kind](item) };
  const { device } = canvas.dataset;
  return device === undefined ? null : { lines: idleLines(lane, instant, device) };
};
const hideHint = () => {
  hint.style.display = 'none';
  for (const cursor of cursors) cursor.style.display = 'none';
};
const showHint = (canvas, event) => {
  cursors.forEach((cursor, i) => {
    const plot = plotOf(charts[i]), chart = charts[i].getBoundingClientRect();
    const box = plotOf(canvas), part = (event.clientX - box.left) / box.width;
    Object.assign(cursor.style, { display: 'block',
      left: plot.left - chart.left + part * plot.width + 'px' });
  });
  const found = under(canvas, event);
  if (!found) { hint.style.display = 'none'; return; }
  hint.replaceChildren(...found.lines.map(line => lineElement(line, false)));
  hint.style.display = 'block';
  const below = event.clientY + 18, tall = hint.offsetHeight;
  hint.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - hint.offsetWidth - 8)) + 'px';
  hint.style.top = (below + tall > innerHeight - 8 && event.clientY - tall - 12 > 0
    ? event.clientY - tall - 12 : below) + 'px';
};
addEventListener('pointermove', event => {
  const canvas = event.target.closest ? event.target.closest('.chart canvas') : null;
  if (!canvas || pointers.size || event.pointerType === 'touch') return hideHint();
  showHint(canvas, event);
});
addEventListener('scroll', hideHint, { passive: true });
clicks.push((canvas, event) => {
  const found = under(canvas, event);
  if (canvas.dataset.memory !== undefined) return showHint(canvas, event);
  hideHint();
  if (!found || !found.kind) return;
  if (found.kind !== 'path') return select(found.kind, found.item);
  // A step of the critical path is about an op or about a transfer of it.
  const tensor = data.path.tensor[found.item] - 1, to = data.path.device[found.item];
  if (tensor < 0) return select('run', data.runOf[data.path.op[found.item]]);
  const { routes, route } = data.transfers;
  const at = data.transfers.tensor.findIndex((t, i) => t === tensor && routes[route[i]][1] === to);
  if (at >= 0) select('transfer', at);
});
