// A button that copies the address of the link beside it. Where there is no clipboard (a page
// without https), the address takes the link's place, selected, so that it can be copied by hand.
element.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copied]');
  if (!button) return;
  const link = button.parentElement.querySelector('a[data-link]');
  try {
    await navigator.clipboard.writeText(link.href);
    button.textContent = button.dataset.copied;
  } catch {
    link.textContent = link.href;
    getSelection().selectAllChildren(link);
  }
});
