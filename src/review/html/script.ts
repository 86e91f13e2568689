/**
 * The script of the report: keys, and unfolding what a link leads to. Nothing of a run may be put into it, and it makes no
 * element of any text: it moves the focus, sets `open` and `hidden`, and writes one number.
 */
export const SCRIPT = `
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];
const help = document.getElementById('help');
const filter = document.getElementById('filter');
let last = null;

function unfold(element) {
  for (let at = element; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
}

function show(element) {
  if (!element) return;
  unfold(element.parentElement);
  if (!element.matches('a, button, input, summary, [tabindex]')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'center' });
}

function followHash() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  unfold(target);
  target.scrollIntoView({ block: target.matches('.l') ? 'center' : 'start' });
}

function step(selector, by) {
  const list = all(selector);
  if (list.length === 0) return;
  const now = list.findIndex((one) => one.contains(document.activeElement));
  const start = by > 0 ? -1 : list.length;
  show(list[Math.min(list.length - 1, Math.max(0, (now < 0 ? (list.indexOf(last) < 0 ? start : list.indexOf(last)) : now) + by))]);
  last = document.activeElement;
}

function foldAll() {
  const files = all('.file');
  const open = files.some((file) => !file.open);
  for (const file of files) file.open = open;
}

function filterEvents() {
  const wanted = filter.value.toLowerCase();
  let count = 0;
  for (const event of all('.event')) {
    const matches = wanted === '' || event.textContent.toLowerCase().includes(wanted);
    event.hidden = !matches;
    if (matches) count += 1;
  }
  for (const chunk of all('.chunk')) chunk.hidden = !chunk.querySelector('.event:not([hidden])');
  document.getElementById('filter-count').value = wanted === '' ? '' : String(count);
}

const keys = {
  j: () => step('.finding', 1),
  k: () => step('.finding', -1),
  n: () => step('.file > summary', 1),
  p: () => step('.file > summary', -1),
  u: () => show(last),
  e: foldAll,
  o: () => {
    const details = document.activeElement.closest('details');
    if (details) details.open = !details.open;
  },
  '/': () => show(filter),
  '?': () => help.showModal(),
  Enter: () => {
    const link = document.activeElement.matches('.finding') && document.activeElement.querySelector('a');
    if (!link) return false;
    last = document.activeElement;
    link.click();
  },
};
all('main > section').forEach((section, at) => {
  keys[String(at + 1)] = () => section.scrollIntoView();
});

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target === filter) {
    if (event.key === 'Escape') filter.blur();
    return;
  }
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
  if (act && act() !== false) event.preventDefault();
});
addEventListener('hashchange', followHash);
document.getElementById('help-button').addEventListener('click', () => help.showModal());
let soon = 0;
filter.addEventListener('input', () => {
  clearTimeout(soon);
  soon = setTimeout(filterEvents, 120);
});
followHash();
`;
