// The pages that mailed links lead to: each form posts its fields, and the token of the link, to the API.
const token = new URLSearchParams(location.hash.slice(1)).get('token');

for (const part of document.querySelectorAll('[data-when]')) {
  part.hidden = part.dataset.when !== (token ? 'token' : 'no-token');
}

for (const box of document.querySelectorAll('input[data-shows]')) {
  box.addEventListener('change', () => {
    document.getElementById(box.dataset.shows).type = box.checked ? 'text' : 'password';
  });
}

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
}

async function submit(form) {
  const button = form.querySelector('button');
  button.disabled = true;
  tell(form, '');
  try {
    const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
    const response = await fetch(form.dataset.call, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(token === null ? fields : { token, ...fields }),
    });
    if (response.ok) showDone(form);
    else showProblem(form, response, (await response.json()).error);
  } catch {
    tell(form, 'The gateway could not be reached. Try again in a moment.');
  } finally {
    button.disabled = false;
  }
}

function showDone(form) {
  const done = document.getElementById(form.dataset.done);
  form.closest('section').hidden = true;
  done.hidden = false;
  done.querySelector('h1').focus();
}

function showProblem(form, response, error) {
  const details = error.details ?? [];
  const newcomer = form.querySelector('fieldset[hidden]');
  if (newcomer && details.some(({ path }) => newcomer.querySelector(`[name="${path}"]`))) {
    // Whoever has a user joins with the link alone; the gateway has just said that this person has none.
    newcomer.hidden = false;
    newcomer.disabled = false;
    newcomer.querySelector('input').focus();
    form.querySelector('button').textContent = form.dataset.newcomer;
    return;
  }
  const [detail] = details.filter(({ path }) => path !== undefined);
  const field = detail && form.querySelector(`[name="${detail.path}"]`);
  if (field) {
    field.setAttribute('aria-invalid', 'true');
    field.focus();
  }
  const wait = Number(response.headers.get('Retry-After'));
  const later =
    wait > 0 ? ` Try again in ${wait > 90 ? `${Math.ceil(wait / 60)} minutes` : `${wait} seconds`}.` : '';
  tell(form, field ? detail.message : `${error.message}${later}`);
}

function tell(form, problem) {
  form.querySelector('.problem').textContent = problem;
  if (problem !== '') return;
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
}
