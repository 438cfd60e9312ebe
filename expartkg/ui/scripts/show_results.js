// On a phone the results are below the form, out of sight, when a run begins. Stop stays in sight.
// A run that is begun, or opened, from below has its results above.
let before = false;
watch('value', () => {
  const now = element.querySelector('.running, .waiting') !== null;
  const place = element.getBoundingClientRect();
  const hidden = place.top > window.innerHeight * 0.7;
  if (now && !before && hidden) document.getElementById('buttons').scrollIntoView();
  else if (!before && place.bottom < 0) element.scrollIntoView();
  before = now;
});
