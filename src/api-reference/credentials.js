/** A token is renewed this long before its end. */
const renewedEarlyMs = 60_000;

/** The one place where credentials are given to the forms of the reference. Nothing is stored. */
export function offerCredentials(viewer) {
  const dialog = document.getElementById('credentials');
  const opener = document.getElementById('open-credentials');
  const form = dialog.querySelector('form');
  const problem = dialog.querySelector('.problem');
  const person = dialog.querySelector('[data-state=person]');
  const used = new Set();
  let renewal;

  const use = (name, value) => {
    if (value === '') return;
    viewer.preauthorizeApiKey(name, value);
    used.add(name);
  };

  const signedIn = ({ token, expiresAt, user, account }) => {
    use('dashboardToken', token);
    person.textContent = `Signed in as ${user.email}, ${account.role} of ${account.name}.`;
    clearTimeout(renewal);
    renewal = setTimeout(renew, Math.max(30_000, Date.parse(expiresAt) - Date.now() - renewedEarlyMs));
  };

  const renew = async () => {
    const answer = await fetch('/v1/auth/refresh', { method: 'POST' });
    if (answer.ok) signedIn(await answer.json());
    else person.textContent = 'The session has ended: sign in again.';
  };

  const forget = () => {
    clearTimeout(renewal);
    viewer.getSystem().authActions.logout([...used]);
    used.clear();
    form.reset();
    person.textContent = '';
  };

  const showState = () => {
    opener.dataset.given = String(used.size > 0);
    opener.querySelector('span').textContent = used.size > 0 ? 'Credentials given' : 'Credentials';
  };

  opener.hidden = false;
  opener.addEventListener('click', () => {
    problem.textContent = '';
    dialog.showModal();
  });
  dialog.querySelector('[data-act=close]').addEventListener('click', () => dialog.close());
  dialog.querySelector('[data-act=forget]').addEventListener('click', () => {
    forget();
    showState();
    dialog.close();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    const { apiKey, operatorToken, email, password, code } = Object.fromEntries(new FormData(form));
    use('apiKey', apiKey.trim());
    use('operatorToken', operatorToken.trim());
    showState();
    if (email !== '' && password !== '') {
      const outcome = await signIn({ email, password, ...(code !== '' && { code }) });
      if (outcome.problem !== undefined) {
        problem.textContent = outcome.problem;
        return;
      }
      signedIn(outcome);
      form.elements.password.value = '';
      form.elements.code.value = '';
      showState();
    }
    dialog.close();
  });
}

async function signIn(login) {
  try {
    const answer = await fetch('/v1/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(login),
    });
    const body = await answer.json();
    return answer.ok ? body : { problem: body.error.message };
  } catch {
    return { problem: 'The gateway could not be reached.' };
  }
}
