// Finding ops by name, and the table of all ops, sorted by any column and narrowed to what is
// looked for.
const input = document.getElementById('find');
const matchList = document.getElementById('matches');
const opTable = document.getElementById('ops');
const shownMatches = 8;
let found = [], chosen = 0, lowered = null;

const search = text => {
  const wanted = text.trim().toLowerCase();
  const exact = [], starts = [], ends = [], others = [];
  if (!wanted) return exact;
  lowered = lowered || data.names.map(name => name.toLowerCase());
  for (let op = 0; op < lowered.length; op++) {
    const at = lowered[op].indexOf(wanted);
    if (at < 0) continue;
    const rest = lowered[op].length - wanted.length;
    (rest === 0 ? exact : at === 0 ? starts : at === rest ? ends : others).push(op);
  }
  return exact.concat(starts, ends, others);
};
const listMatches = () => {
  const items = found.slice(0, shownMatches).map((op, i) => {
    const run = data.runOf[op];
    const item = make('li', { className: i === chosen ? 'chosen' : '' }, ...nameNodes(data.names[op]),
      make('small', { textContent: ' ' + data.devices[data.runs.device[run]] + ', ' +
        formatTime(data.runs.length[run]) + ' from ' + precise(data.runs.start[run]) }));
    item.dataset.run = run;
    return item;
  });
  const more = found.length - items.length;
  if (!found.length) items.push(make('li', {}, make('small', { textContent: 'no op has that in its name' })));
  if (more > 0) items.push(make('li', {}, make('small', { textContent: 'and ' + formatCount(more) + ' more' })));
  matchList.replaceChildren(...items);
  matchList.hidden = !input.value.trim();
};
// With the chart at the top, so that the panel at the foot of the window does not lie over it.
const showRun = run => {
  select('run', run);
  document.getElementById('when').scrollIntoView({ block: 'start' });
};
input.addEventListener('input', () => {
  found = search(input.value);
  chosen = 0;
  listMatches();
  fillOps();
});
input.addEventListener('focus', () => { if (input.value.trim()) listMatches(); });
input.addEventListener('blur', () => setTimeout(() => { matchList.hidden = true; }, 150));
input.addEventListener('keydown', event => {
  const last = Math.min(found.length, shownMatches) - 1;
  if (event.key === 'ArrowDown') chosen = Math.min(last, chosen + 1);
  else if (event.key === 'ArrowUp') chosen = Math.max(0, chosen - 1);
  else if (event.key === 'Enter' && found.length) {
    matchList.hidden = true;
    return showRun(data.runOf[found[chosen]]);
  } else if (event.key === 'Escape') { matchList.hidden = true; return; } else return;
  event.preventDefault();
  listMatches();
});
matchList.addEventListener('mousedown', event => event.preventDefault());
matchList.addEventListener('click', event => {
  const item = event.target.closest('li[data-run]');
  if (!item) return;
  matchList.hidden = true;
  showRun(Number(item.dataset.run));
});

// The table of ops; what is fused is listed under the op that stands for it.
const columns = [
  { name: 'op', of: run => runName(run), ascending: true },
  { name: 'type', of: run => data.types[data.type[data.runs.op[run]]], ascending: true },
  { name: 'device', of: run => data.runs.device[run], text: run => data.devices[data.runs.device[run]],
    ascending: true },
  { name: 'start', of: run => data.runs.start[run], text: run => precise(data.runs.start[run]),
    number: true, ascending: true },
  { name: 'time', of: run => data.runs.length[run], text: run => formatTime(data.runs.length[run]),
    number: true },
  { name: 'waited', of: run => data.runs.waited[run], text: run => formatTime(data.runs.waited[run]),
    number: true },
];
let sortColumn = columns[4], ascending = false, rowsShown = 10;
const fillOps = () => {
  const { of } = sortColumn, way = ascending ? 1 : -1;
  const runs = input.value.trim() ? Int32Array.from(new Set(found.map(op => data.runOf[op])))
                                  : Int32Array.from({ length: data.runs.count }, (_, run) => run);
  const keys = Array.from({ length: data.runs.count }, (_, run) => of(run));
  runs.sort((a, b) => keys[a] < keys[b] ? -way : keys[a] > keys[b] ? way : a - b);
  const head = make('tr', {}, ...columns.map(column => {
    const cell = make('th', { textContent: column.name, tabIndex: 0,
                              className: 'sorts' + (column.number ? ' number' : '') });
    if (column === sortColumn) cell.ariaSort = ascending ? 'ascending' : 'descending';
    const sort = () => {
      ascending = column === sortColumn ? !ascending : !!column.ascending;
      sortColumn = column;
      fillOps();
    };
    cell.addEventListener('click', sort);
    cell.addEventListener('keydown', event => { if (event.key === 'Enter') sort(); });
    return cell;
  }));
  const rows = [...runs.slice(0, rowsShown)].map(run => make('tr', {}, ...columns.map((column, i) => {
    const text = (column.text || column.of)(run);
    if (i) return make('td', { textContent: text, className: column.number ? 'number' : '' });
    const link = make('a', { tabIndex: 0 }, ...nameNodes(text));
    link.addEventListener('click', () => showRun(run));
    return make('td', { className: 'words' }, link);
  })));
  opTable.replaceChildren(make('tbody', {}, head, ...rows));
  document.getElementById('ops-count').textContent = formatCount(runs.length) +
    (input.value.trim() ? ' with “' + input.value.trim() + '” in the name.' : ' in total.') +
    ' Click on a column to sort by it, on an op to see it above.';
  document.getElementById('more-ops').hidden = runs.length <= rowsShown;
};
document.getElementById('more-ops').addEventListener('click', () => { rowsShown += 50; fillOps(); });
