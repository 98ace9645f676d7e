const detail = document.getElementById('detail');
let marked = [];

const line = (tag, words, soft) => {
  const element = document.createElement('p');
  if (soft) {
    element.className = 'soft';
  }
  const strong = document.createElement('b');
  strong.textContent = tag;
  element.append(strong, ` ${words}`);
  return element;
};

/** Explains the cell, row or column under the pointer. */
const show = (target) => {
  const cell = target.closest('td, th');
  const table = cell?.closest('table');
  for (const element of marked) {
    element.classList.remove('on', 'cross');
  }
  marked = [];
  if (!table || cell.matches('.corner, .chapter')) {
    detail.hidden = true;
    return;
  }
  const body = cell.closest('tbody');
  const row = body ? cell.parentElement.cells[0] : null;
  const heads = table.tHead.rows[1].cells;
  const index = body ? cell.cellIndex - 1 : cell.cellIndex;
  const column = cell === row ? null : heads[index];
  const parts = [];
  if (row) {
    parts.push(line(row.dataset.id, ''), line('Fault:', row.dataset.says, true));
  }
  if (column) {
    parts.push(
      line(column.dataset.id, `(${column.classList.contains('should') ? 'should' : 'must'})`),
      line('Clause:', column.dataset.says, true),
    );
    if (!body) {
      parts.push(line('Failed by:', `${column.querySelector('b').textContent} faults`, true));
    }
    column.classList.add('on');
    marked.push(column);
  }
  if (row) {
    row.classList.add('on');
    marked.push(row);
  }
  if (row && column && cell.getAttribute('aria-label')) {
    parts.push(line('Here:', cell.getAttribute('aria-label').split(': ').slice(1).join(': ')));
  }
  detail.replaceChildren(...parts);
  detail.hidden = false;
};

document.addEventListener('mouseover', (event) => show(event.target));
document.addEventListener('focusin', (event) => show(event.target));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    detail.hidden = true;
  }
});

document.getElementById('find').addEventListener('input', (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const table of document.querySelectorAll('table')) {
    const columns = [...table.tHead.rows[1].cells].map((head) => head.dataset.id);
    for (const row of table.tBodies[0].rows) {
      const own = `${row.cells[0].dataset.id} ${row.cells[0].dataset.says}`.toLowerCase();
      const hit =
        own.includes(wanted) ||
        columns.some((id, i) => id.includes(wanted) && /^[ramx]$/.test(row.cells[i + 1].className));
      row.classList.toggle('gone', wanted !== '' && !hit);
    }
  }
});
