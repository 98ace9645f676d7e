const clauses = [...document.querySelectorAll('.clause')];
const chapters = [...document.querySelectorAll('.chapter')];
const boxes = [...document.querySelectorAll('.chip input')];
const search = document.getElementById('search');
const expand = document.getElementById('expand');
const texts = new Map(clauses.map((clause) => [clause, clause.textContent.toLowerCase()]));

document.querySelector('.tools').hidden = false;

/** Shows the clauses that fit the filter, and opens the chapters that have any. */
function apply() {
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.id.replace('show-', '')));
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const clause of clauses) {
    const text = texts.get(clause);
    clause.hidden = !shown.has(clause.dataset.word) || !words.every((word) => text.includes(word));
    count += clause.hidden ? 0 : 1;
  }
  const narrowed = words.length > 0 || boxes.some((box) => !box.checked);
  for (const chapter of chapters) {
    chapter.hidden = [...chapter.querySelectorAll('.clause')].every((clause) => clause.hidden);
    if (narrowed && !chapter.hidden) {
      chapter.open = true;
    }
  }
  document.getElementById('shown').textContent =
    count === clauses.length ? '' : `${count} of ${clauses.length} clauses shown`;
}

function openAll(open) {
  for (const details of document.querySelectorAll('details')) {
    details.open = open;
  }
  expand.setAttribute('aria-pressed', String(open));
  expand.textContent = open ? 'Close all' : 'Open all';
}

async function copy(button, text, source) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = before;
  }, 2000);
}

/** Opens the element that the URL names, and everything around it. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  document.querySelector('.clause.current')?.classList.remove('current');
  if (!target) {
    return;
  }
  if (target.closest('[hidden]')) {
    search.value = '';
    for (const box of boxes) {
      box.checked = true;
    }
    apply();
  }
  for (let details = target.closest('details'); details; details = details.parentElement.closest('details')) {
    details.open = true;
  }
  if (target.matches('.clause')) {
    target.classList.add('current');
  }
  target.scrollIntoView();
}

for (const box of boxes) {
  box.addEventListener('change', apply);
}
search.addEventListener('input', apply);
expand.addEventListener('click', () => openAll(expand.getAttribute('aria-pressed') !== 'true'));
for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  const code = button.parentElement.querySelector('pre');
  button.addEventListener('click', () => copy(button, code.textContent, code));
}
addEventListener('hashchange', reveal);
apply();
reveal();
