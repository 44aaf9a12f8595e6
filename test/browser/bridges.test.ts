import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { requestJson } from '../../src/local/json-client.ts';
import { expectAccessible } from './stage/accessible.ts';
import { shoot } from './stage/shots.ts';
import { Stage } from './stage/stage.ts';

const stage = Stage.openOwn({ BRIDGES: '2', FLEET_REGIONS: 'weur,apac', DEVICE_GRACE_SECONDS: '2' });

/** As whoever started the gateway. */
async function openAsOperator(path = '/operator/bridges', heading = 'Bridges'): Promise<Page> {
  const page = await stage.newTab();
  await page.goto(`/sign-in?next=${path}`);
  const { email, password } = stage.gateway.secrets.admin;
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  return page;
}

const bridgeOf = (place: number) => {
  const bridge = stage.gateway.local.bridges[place];
  if (bridge === undefined) throw new Error(`there is no bridge ${place}`);
  return { ...bridge, name: bridge.bridgeId.slice(-6) };
};

test('who runs the gateway sees its bridges, empties one and takes it back, lets one in, and throws one out', async () => {
  const [first, second] = [bridgeOf(0), bridgeOf(1)];
  const page = await openAsOperator();
  await page.getByRole('navigation').getByRole('link', { name: 'Bridges' }).waitFor();
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  for (const { name } of [first, second]) await row(name).filter({ hasText: 'Linked' }).waitFor();
  // A bridge says what memory it takes once it is linked, and the page looks every five seconds.
  await row(first.name).filter({ hasText: 'MiB' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'bridges');

  await page.getByRole('link', { name: first.name }).click();
  const panel = page.getByRole('complementary', { name: first.name });
  await panel.getByRole('button', { name: 'Drain' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
  await panel.getByText('Its machine can be taken down.').waitFor();
  await row(first.name).filter({ hasText: 'Drained' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'bridges-drained');
  await panel.getByRole('button', { name: 'Resume' }).click();
  await row(first.name).filter({ hasText: 'Linked' }).waitFor();

  await page.getByRole('button', { name: 'Add bridge' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('rack 4');
  await dialog.getByRole('combobox', { name: 'Token valid for' }).selectOption('a day');
  await dialog.getByRole('combobox', { name: 'Region' }).selectOption('weur');
  await expectAccessible(page);
  await shoot(page, 'bridges-add');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const shown = dialog.getByRole('region', { name: 'Token for the new bridge' });
  const token = ((await shown.textContent()) ?? '').trim();
  const command = await dialog.getByRole('region', { name: 'Command to start the bridge' }).textContent();
  expect(command).toContain(`BRIDGE_ENROLMENT_TOKEN=${token} `);
  await expectAccessible(page);
  await shoot(page, 'bridges-added');
  const headers = { authorization: `Bearer ${token}` };
  const body = { bridgeId: crypto.randomUUID() };
  const enrolled = await requestJson<object>(stage.baseUrl, 'POST', '/bridge/enrol', { headers, body });
  expect(enrolled).toMatchObject({ token: expect.stringContaining('hb_weur_') });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(token);

  await page.getByRole('link', { name: second.name }).click();
  const other = page.getByRole('complementary', { name: second.name });
  await other.getByRole('button', { name: 'Revoke' }).click();
  const asked = page.getByRole('dialog', { name: `Revoke ${second.name}?` });
  const revoke = asked.getByRole('button', { name: 'Revoke' });
  expect(await revoke.isDisabled()).toBe(true);
  await asked.getByRole('textbox', { name: `Type ${second.name} to confirm` }).fill(second.name);
  await expectAccessible(page);
  await revoke.click();
  await row(second.name).filter({ hasText: 'Revoked' }).waitFor();
  await other.getByText('The machine can only come back as a new bridge.').waitFor();
});

test('a bridge that is lost is told of, also to whoever pairs a number, until it is back', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const { pid, name } = bridgeOf(0);
  const page = await openAsOperator();
  await page.getByRole('link', { name }).click();
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    process.kill(pid, 'SIGCONT');
  });
  await page.getByText('No bridge is linked.').waitFor();
  await page.getByText(`${name} is lost.`).waitFor();
  await page.getByText('1 number waits').waitFor();
  await expectAccessible(page);
  await shoot(page, 'bridges-lost');
  const hers = await ada.open('/alerts');
  const alert = hers.getByRole('listitem').filter({
    hasText: '1 number is offline: its session bridge is down.',
  });
  await alert.waitFor();
  expect(await alert.textContent()).not.toContain(name);
  await expectAccessible(hers);
  await shoot(hers, 'bridge-alert-lost');
  await page.setViewportSize({ width: 390, height: 844 });
  await shoot(page, 'bridges-lost-panel-phone');
  await page.getByRole('button', { name: 'Close' }).click();
  await expectAccessible(page);
  await shoot(page, 'bridges-lost-phone');
  await hers.goto('/numbers');
  await hers.getByRole('button', { name: 'Add number' }).click();
  await hers.getByRole('textbox', { name: 'Label' }).fill('Front desk');
  await hers.getByRole('button', { name: 'Continue' }).click();
  const pairing = hers.getByRole('complementary', { name: 'Front desk' }).locator('[data-tone] > p');
  await pairing.filter({ hasText: 'No session bridge is available for it.' }).waitFor();
  await expectAccessible(hers);
  await shoot(hers, 'pairing-no-bridge');
  await hers.setViewportSize({ width: 390, height: 844 });
  await shoot(hers, 'pairing-no-bridge-phone');
  process.kill(pid, 'SIGCONT');
  await hers.getByRole('img', { name: 'QR code' }).waitFor();
  await pairing.filter({ hasText: 'Waiting for the phone.' }).waitFor();
  await page
    .getByRole('row', { name: new RegExp(name) })
    .filter({ hasText: 'Linked' })
    .waitFor();
  await page.getByText(`${name} is lost.`).waitFor({ state: 'detached' });
  await hers.goto('/alerts?show=over');
  await hers.getByText('1 number waited for a session bridge.').first().waitFor();
  await shoot(hers, 'bridge-alert-over');
});

/** Where the runtime listens, behind the front: there a request may say where on earth it comes from. */
function runtimeUrl(): string {
  const lines = stage.gateway.logs().flatMap(({ text }) => text.split('\n'));
  const listening = lines.find((line) => line.includes('"gateway.listening"')) ?? '{}';
  return `http://127.0.0.1:${JSON.parse(listening).runtimePort}`;
}

/** A number that wants a bridge of Western Europe: the account is there, as the platform tells the gateway. */
async function waitingNumber({ email, password }: { email: string; password: string }): Promise<void> {
  const { token } = await stage.request<{ token: string }>('POST', '/v1/auth/login', {
    body: { email, password },
  });
  const headers = { authorization: `Bearer ${token}` };
  const fromParis = { ...headers, 'mf-cf-blob': JSON.stringify({ continent: 'EU', longitude: '2.35' }) };
  const { numberId } = await requestJson<{ numberId: string }>(runtimeUrl(), 'POST', '/v1/numbers', {
    headers: fromParis,
    body: { label: 'Support desk' },
  });
  await stage.request('POST', `/v1/numbers/${numberId}/pair`, { headers, body: { method: 'qr' } });
}

const told = {
  en: "there is no session bridge in Western Europe. Messages are queued, and your phones are fine. The gateway's operator can start one.",
  es: 'no hay ningún puente de sesión en Europa Occidental. Los mensajes quedan en cola y tus teléfonos están bien. Quien opera la pasarela puede iniciar uno.',
  pt: 'não há nenhuma ponte de sessão na Europa Ocidental. As mensagens ficam na fila, e seus telefones estão bem. Quem opera o gateway pode iniciar uma.',
  id: 'tidak ada jembatan sesi di Eropa Barat. Pesan masuk antrean, dan ponsel Anda tidak bermasalah. Pengelola gateway dapat menjalankan satu.',
};

test('an alert of numbers that no bridge has says how many, where and what to do, in every language', async () => {
  const ada = await stage.newPerson();
  for (let numbers = 0; numbers < 2; numbers += 1) await waitingNumber(ada);
  const begins = { en: '2 numbers ', es: '2 números ', pt: '2 números ', id: '2 nomor ' };
  const page = await ada.open('/alerts');
  for (const [language, sentence] of Object.entries(told)) {
    await page.evaluate(`localStorage.setItem('heliograph-language', '${language}')`);
    await page.reload();
    const alert = page.getByRole('listitem').filter({ hasText: sentence });
    await alert.waitFor();
    const text = (await alert.textContent()) ?? '';
    expect(text.trimStart().startsWith(begins[language as keyof typeof begins])).toBe(true);
    expect(text).not.toMatch(/region:|weur|\{|[0-9a-f]{8}-/);
    await shoot(page, `bridge-alert-${language}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, `bridge-alert-${language}-phone`);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  await page.evaluate(`localStorage.setItem('heliograph-language', 'en')`);
  await page.goto('/');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText(`2 numbers are offline: ${told.en}`).waitFor();
  await expectAccessible(page);
  await shoot(page, 'bridge-alert-overview');
  await attention.getByRole('link', { name: 'All alerts' }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'View numbers' }).click();
  await page.getByRole('heading', { name: 'Numbers', exact: true }).waitFor();
});

test('who runs the gateway goes from such an alert to the bridges', async () => {
  await waitingNumber(stage.gateway.secrets.admin);
  const page = await openAsOperator('/alerts', 'Alerts');
  const alert = page.getByRole('listitem').filter({ hasText: '1 number is offline' });
  await alert.getByRole('link', { name: 'View bridges' }).click();
  await page.getByText('No bridge in weur is linked.').waitFor();
});

test('who owns an account, and does not run the gateway, finds no bridges', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/operator/bridges');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Bridges' }).count()).toBe(0);
});
