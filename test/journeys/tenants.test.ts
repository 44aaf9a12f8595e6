import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestJson } from '../../src/local/json-client.ts';
import { GatewayProcess } from './stage/gateway-process.ts';

/** Two accounts on one machine, of which one tries to reach what is the other's, and the machine's. */
let gateway: GatewayProcess;
let machinesOwn: Server;
let asked = 0;

interface Tenant {
  headers: { authorization: string };
  accountId: string;
}
let victim: Tenant;
let other: Tenant;

async function signIn(email: string, password: string): Promise<Tenant> {
  const { token, account } = await requestJson<{ token: string; account: { id: string } }>(
    gateway.local.baseUrl,
    'POST',
    '/v1/auth/login',
    { body: { email, password } },
  );
  return { headers: { authorization: `Bearer ${token}` }, accountId: account.id };
}

beforeAll(async () => {
  machinesOwn = createServer((_, response) => {
    asked += 1;
    response.end('a service of this machine');
  });
  await new Promise<void>((resolve) => machinesOwn.listen(0, '127.0.0.1', resolve));
  // Nothing is open on this machine: that is what an operator gets who says nothing.
  gateway = await GatewayProcess.start({ WEBHOOK_PRIVATE_HOSTS: '' });
  const { baseUrl, admin } = gateway.local;
  victim = await signIn(admin.email, admin.password);
  const body = { email: 'eve@example.com', password: 'four random words', name: 'Eve', accountName: 'Eve' };
  const headers = { authorization: `Bearer ${gateway.secrets.bootstrapToken}` };
  await requestJson(baseUrl, 'POST', '/v1/auth/sign-up', { headers, body });
  other = await signIn(body.email, body.password);
});
afterAll(async () => {
  await gateway?.discard();
  machinesOwn?.close();
});

const call = (tenant: Tenant, method: string, path: string, json?: object) =>
  fetch(`${gateway.local.baseUrl}${path}`, {
    method,
    headers: { ...tenant.headers, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  });

function raw(head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port: Number(gateway.environment.PORT), host: '127.0.0.1' }, () =>
      socket.write(`${head}\r\nConnection: close\r\n\r\n`),
    );
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

test('the files of the other account are out of reach, by the API and by every way into the runtime', async () => {
  const secret = 'the other account wrote this';
  const stored = await fetch(`${gateway.local.baseUrl}/v1/media`, {
    method: 'POST',
    headers: { ...victim.headers, 'content-type': 'text/plain' },
    body: secret,
  });
  const { mediaId } = (await stored.json()) as { mediaId: string };
  expect(await (await call(victim, 'GET', `/v1/media/${mediaId}`)).text()).toBe(secret);
  expect((await call(other, 'GET', `/v1/media/${mediaId}`)).status).toBe(404);

  const key = `${victim.accountId}/${mediaId}/bytes`;
  const paths = ['heliograph-media', 'MEDIA'].flatMap((bucket) =>
    ['r2/public', 'r2/s3'].flatMap((service) => [
      `/cdn-cgi/local/${service}/${bucket}/${key}`,
      `/./cdn-cgi/local/${service}/${bucket}/${key}`,
      `/%63dn-cgi/local/${service}/${bucket}/${key}`,
      `//cdn-cgi/local/${service}/${bucket}/${key}`,
    ]),
  );
  for (const path of paths) {
    const answers = await Promise.all([
      raw(`GET ${path} HTTP/1.1\r\nHost: localhost`),
      raw(`GET /x HTTP/1.1\r\nHost: localhost\r\nMF-Original-URL: http://localhost${path}`),
    ]);
    for (const answer of answers) {
      expect(answer, path).not.toContain(secret);
      expect(answer, path).toMatch(/^HTTP\/1\.1 404 /);
    }
  }
  expect(
    await raw('GET /x HTTP/1.1\r\nHost: localhost\r\nMF-Original-URL: http://localhost/healthz'),
  ).toMatch(/^HTTP\/1\.1 404 /);
});

test("the machine's own services are out of reach of webhooks, assistants and files", async () => {
  const { port } = machinesOwn.address() as AddressInfo;
  const { simulator, apiKey: _ } = gateway.local;
  const everything = { numberIds: 'all', events: 'all' };
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `https://localhost:${port}/`,
    `http://[::1]:${port}/`,
    `${simulator?.adminUrl}/admin/messages`,
    gateway.local.baseUrl,
    gateway.local.mail.url,
  ]) {
    const webhook = await call(other, 'POST', '/v1/webhooks', { url, ...everything });
    expect(webhook.status, url).toBe(400);
    const channel = { kind: 'slack', target: url, kinds: 'all', numberIds: 'all' };
    expect((await call(other, 'POST', '/v1/alert-channels', channel)).status, url).toBe(400);
  }
  expect(asked).toBe(0);
});

test('the address book of the other account is not there', async () => {
  const person = { phoneNumber: '628123456789', name: 'Grace' };
  const imported = await call(victim, 'POST', '/v1/contacts/import', {
    contacts: [person],
    consentSource: 'a form on paper',
  });
  expect(imported.status).toBeLessThan(300);
  const { data } = (await (await call(victim, 'GET', '/v1/contacts')).json()) as {
    data: { contactId: string }[];
  };
  expect(data).toHaveLength(1);
  expect((await call(other, 'GET', `/v1/contacts/${data[0]?.contactId}`)).status).toBe(404);
  expect(await (await call(other, 'GET', '/v1/contacts')).json()).toMatchObject({ data: [] });
});
