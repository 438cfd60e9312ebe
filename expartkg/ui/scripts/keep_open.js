// The reader's choice of open and closed cards, which a redrawn card would undo. `details` are
// told from one another by `data-key`, which no two runs share.
const chosen = new Map();
element.addEventListener('click', (event) => {
  const summary = event.target.closest('summary');
  if (summary && element.contains(summary)) {
    const details = summary.parentElement;
    chosen.set(details.dataset.key, !details.open);
  }
});
watch('value', () => {
  for (const details of element.querySelectorAll('details[data-key]')) {
    if (chosen.has(details.dataset.key)) details.open = chosen.get(details.dataset.key);
  }
});
