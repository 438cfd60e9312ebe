// A work that is chosen from a list of buttons, and a button that asks for a picture. The list is
// drawn anew with the choice in it, and the keyboard stays where it was.
let chosen = null;
element.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button || button.disabled) return;
  if (button.dataset.work) {
    chosen = button.dataset.work;
    trigger('pick', { id: chosen });
  }
  if (button.dataset.meanwhile) {
    button.disabled = true;
    button.textContent = button.dataset.meanwhile;
    trigger('fetch');
  }
});
watch('value', () => {
  if (chosen) element.querySelector(`button[data-work="${CSS.escape(chosen)}"]`)?.focus();
  chosen = null;
});
