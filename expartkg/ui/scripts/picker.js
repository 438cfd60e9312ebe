// Suggestions while a title is typed into the field that the list names: a combobox, as the ARIA practices describe it. The options
// come from the server as HTML in which everything is escaped.
const list = element.querySelector('[role=listbox]');
let field = null;
let asked = 0;
let active = -1;

const options = () => [...list.children];

// A late answer does not take back what the keyboard is at.
function show(html) {
  const work = options()[active]?.dataset.work;
  list.innerHTML = html;
  const open = list.children.length > 0;
  list.hidden = !open;
  field.setAttribute('aria-expanded', String(open));
  activate(options().findIndex((option) => option.dataset.work === work));
}

function activate(index) {
  active = index;
  options().forEach((option, i) => option.setAttribute('aria-selected', String(i === index)));
  const option = options()[index];
  if (option) {
    field.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  } else {
    field.removeAttribute('aria-activedescendant');
  }
}

function close() {
  asked += 1;
  show('');
}

async function suggest() {
  const mine = ++asked;
  const html = field.value.trim() ? await server.suggest(field.value) : '';
  if (mine === asked && document.activeElement === field) show(html);
}

function pick(option) {
  close();
  trigger('pick', { id: option.dataset.work });
}

function move(event, step) {
  event.preventDefault();
  const count = options().length;
  if (count === 0) suggest();
  // One place more than there are options: none is active, the text is what was typed.
  else activate(((active + 1 + step + count + 1) % (count + 1)) - 1);
}

function onKey(event) {
  if (event.isComposing) return;
  if (event.key === 'ArrowDown') move(event, 1);
  else if (event.key === 'ArrowUp') move(event, -1);
  else if (event.key === 'Escape' && !list.hidden) {
    event.preventDefault();
    close();
  } else if (event.key === 'Enter') {
    if (active >= 0) {
      // gradio would take it for the end of the form.
      event.preventDefault();
      event.stopImmediatePropagation();
      pick(options()[active]);
    } else close();
  }
}

function connect() {
  field = document.querySelector(list.dataset.field);
  if (!field) return requestAnimationFrame(connect);
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-expanded', 'false');
  field.setAttribute('aria-controls', list.id);
  field.setAttribute('autocomplete', 'off');
  field.addEventListener('input', suggest);
  field.addEventListener('blur', close);
  field.addEventListener('keydown', onKey, true);
}

// The keyboard stays in the field while the pointer chooses.
list.addEventListener('pointerdown', (event) => event.preventDefault());
list.addEventListener('click', (event) => {
  const option = event.target.closest('[role=option]');
  if (option) pick(option);
});
connect();
