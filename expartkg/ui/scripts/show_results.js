// On a phone the results are below the form, out of sight, when a run begins. Stop stays in sight.
let before = false;
watch('value', () => {
  const now = element.querySelector('.running, .waiting') !== null;
  const hidden = element.getBoundingClientRect().top > window.innerHeight * 0.7;
  if (now && !before && hidden) document.getElementById('buttons').scrollIntoView();
  before = now;
});
