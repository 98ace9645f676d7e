// What the page can do with a script beyond reading: copy commands, search, open all, hide chapters that a filter emptied.
const clauses = [...document.querySelectorAll('.clause')];
const boxes = [...document.querySelectorAll('.tile input')];
const search = document.getElementById('search');
const expand = document.getElementById('expand');
const verdictOf = (box) => box.id.replace('show-', '');

document.querySelector('.tools').hidden = false;

function apply() {
  const shown = new Set(boxes.filter((box) => box.checked).map(verdictOf));
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const clause of clauses) {
    const text = clause.querySelector('.head').textContent.toLowerCase();
    clause.hidden = !shown.has(clause.dataset.verdict) || !words.every((word) => text.includes(word));
    if (!clause.hidden) {
      count += 1;
    }
  }
  for (const chapter of document.querySelectorAll('.chapter')) {
    chapter.hidden = [...chapter.querySelectorAll('.clause')].every((clause) => clause.hidden);
  }
  document.getElementById('shown').textContent =
    count === clauses.length ? '' : `${count} of ${clauses.length} clauses shown`;
}

function show(wanted) {
  for (const box of boxes) {
    box.checked = wanted(verdictOf(box));
  }
  apply();
}

function openAll(open) {
  for (const details of document.querySelectorAll('details')) {
    details.open = open;
  }
  expand.setAttribute('aria-pressed', String(open));
  expand.textContent = open ? 'Close all' : 'Open all';
}

async function copy(button) {
  const code = button.parentElement.querySelector('pre');
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}

function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) {
    return;
  }
  if (target.closest('[hidden]')) {
    search.value = '';
    show(() => true);
  }
  for (let details = target.closest('details'); details; details = details.parentElement.closest('details')) {
    details.open = true;
  }
  target.scrollIntoView();
}

for (const box of boxes) {
  box.addEventListener('change', apply);
}
search.addEventListener('input', apply);
document
  .getElementById('problems')
  .addEventListener('click', () => show((verdict) => ['fail', 'broken', 'warn', 'inconclusive'].includes(verdict)));
document.getElementById('all').addEventListener('click', () => {
  search.value = '';
  show(() => true);
});
expand.addEventListener('click', () => openAll(expand.getAttribute('aria-pressed') !== 'true'));
for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.addEventListener('click', () => copy(button));
}

let closed = [];
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')];
  for (const details of closed) {
    details.open = true;
  }
});
addEventListener('afterprint', () => {
  for (const details of closed) {
    details.open = false;
  }
});
addEventListener('hashchange', reveal);
apply();
reveal();
