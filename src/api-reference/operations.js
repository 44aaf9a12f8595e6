const contents = document.getElementById('contents');
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation, by chapter, in the side navigation; a field narrows them down. */
export function listOperations(spec, viewer) {
  const list = document.getElementById('operations');
  const chapters = spec.tags.map(({ name }) => chapter(name, operationsOf(spec, name), viewer));
  list.replaceChildren(...chapters);

  const search = document.getElementById('find-operation');
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const group of chapters) {
      let found = 0;
      for (const item of group.querySelectorAll('li')) {
        const fits = words.every((word) => item.dataset.text.includes(word));
        item.hidden = !fits;
        if (fits) found += 1;
      }
      group.hidden = found === 0;
      group.open = search.value !== '';
    }
  });
}

function operationsOf(spec, tag) {
  return Object.entries(spec.paths).flatMap(([path, operations]) =>
    methods
      .filter((method) => operations[method]?.tags?.includes(tag))
      .map((method) => ({ method, path, ...operations[method] })),
  );
}

function chapter(tag, operations, viewer) {
  const group = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = tag;
  const items = document.createElement('ul');
  for (const operation of operations) items.append(entry(tag, operation, viewer));
  group.append(summary, items);
  return group;
}

function entry(tag, { method, path, summary, operationId }, viewer) {
  const item = document.createElement('li');
  item.dataset.text = `${tag} ${method} ${path} ${summary}`.toLowerCase();
  const link = document.createElement('a');
  link.href = `#/${encodeURIComponent(tag)}/${operationId}`;
  link.textContent = summary;
  const badge = document.createElement('span');
  badge.className = `method ${method}`;
  badge.textContent = method === 'delete' ? 'del' : method;
  link.prepend(badge, ' ');
  link.addEventListener('click', (event) => {
    event.preventDefault();
    show(tag, operationId, viewer);
    for (const other of contents.querySelectorAll('[aria-current]')) other.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    history.replaceState(null, '', link.href);
  });
  item.append(link);
  return item;
}

/** Opens it and brings it into view. The viewer itself follows an address only when the page loads. */
function show(tag, operationId, viewer) {
  const { layoutActions } = viewer.getSystem();
  layoutActions.show(['operations-tag', tag], true);
  layoutActions.show(['operations', tag, operationId], true);
  if (contents.matches(':popover-open')) contents.hidePopover();
  requestAnimationFrame(() => {
    const block = document.getElementById(`operations-${tag.replaceAll(' ', '_')}-${operationId}`);
    block?.scrollIntoView({ block: 'start' });
    block?.querySelector('button')?.focus({ preventScroll: true });
  });
}
