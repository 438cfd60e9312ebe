// The answer to "is it this work?", or another work of the list. The button that was pressed goes
// away with the answer, and the keyboard goes on at what is next.
let answered = false;
element.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  answered = true;
  if (button.dataset.work) trigger('pick', { id: button.dataset.work });
  else if (button.dataset.answer === 'agree') trigger('agree');
  else trigger('refuse');
});
watch('value', () => {
  if (!answered) return;
  answered = false;
  const next = element.querySelector('button') ?? document.querySelector('#title input');
  next?.focus();
});
