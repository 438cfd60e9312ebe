// An address that is too long for some servers on the way is not made: a long query is posted.
const LONGEST = 2000;
const form = document.querySelector('form.query');
form?.addEventListener('submit', () => {
  form.method = form.elements.query.value.length > LONGEST ? 'post' : 'get';
  const button = form.querySelector('button');
  button.textContent = button.dataset.meanwhile;
});
// The page may come back from the browser's memory, with the button as it was left.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
