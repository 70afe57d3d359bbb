// Tables that a click on a column's name sorts. A cell counts as its data-value where it has one,
// else as its text; cells without either come last.
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.rows[0].cells];
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    if (!cell) return '';
    return cell.dataset.value !== undefined ? Number(cell.dataset.value) : cell.textContent.trim();
  };
  const sort = column => {
    const head = heads[column], rows = [...table.rows].slice(1);
    const ascending = head.ariaSort !== 'ascending';
    for (const each of heads) each.removeAttribute('aria-sort');
    head.ariaSort = ascending ? 'ascending' : 'descending';
    const keys = new Map(rows.map(row => [row, valueOf(row, column)]));
    rows.sort((a, b) => {
      const x = keys.get(a), y = keys.get(b);
      if ((x === '') !== (y === '')) return x === '' ? 1 : -1;
      return (x < y ? -1 : x > y ? 1 : 0) * (ascending ? 1 : -1);
    });
    for (const row of rows) row.parentNode.append(row);
  };
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    head.classList.add('sorts');
    head.tabIndex = 0;
    head.addEventListener('click', () => sort(column));
    head.addEventListener('keydown', event => { if (event.key === 'Enter') sort(column); });
  });
}
