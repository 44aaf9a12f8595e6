import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { AlertOrder } from '../../../src/durable/event-log/alerts/deliveries/alert-order.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { sendAlert } from '../../../src/worker/features/alerts/sending/send-alert.ts';
import { doorWith, mailTo, mailVariables, nextMail } from '../configured-door.ts';
import { ask, openAccount } from '../front-door.ts';
import { addAgent } from '../openapi/openapi-arrangements.ts';

test('an address of nobody in the account is asked first, and gets nothing before it has said yes', async () => {
  const account = await openAccount('Example Ltd');
  const door = doorWith(mailVariables());
  const address = `${crypto.randomUUID()}@example.com`;
  const { body: channel } = await door('POST', '/v1/alert-channels', {
    headers: account.owner,
    json: { kind: 'email', target: address },
  });
  expect(channel.state).toBe('unconfirmed');
  const letter = await nextMail(address, /^Alerts of Example Ltd/);
  expect(letter.text).toContain('https://dashboard.example.com/alerts/confirm#token=');
  const test = () => door('POST', `/v1/alert-channels/${channel.channelId}/test`, { headers: account.owner });
  expect((await test()).body.error.code).toBe('CONFLICT');

  // Asked once more, the first link is good no more.
  const again = await door('POST', `/v1/alert-channels/${channel.channelId}/ask-again`, {
    headers: account.owner,
  });
  expect(again).toMatchObject({ status: 202, body: { email: address } });
  const second = await nextMail(address, /^Alerts of/, 1);
  const confirm = (token: string) => door('POST', '/v1/alert-channels/confirm', { json: { token } });
  expect((await confirm(letter.token)).status).toBe(401);
  const goodUntil = (time: number) =>
    env.DB.prepare('update alert_channels set confirmation_expires_at = ? where id = ?')
      .bind(time, channel.channelId)
      .run();
  await goodUntil(Date.now() - 1);
  expect((await confirm(second.token)).status).toBe(401);
  await goodUntil(Date.now() + 60_000);
  expect(await confirm(second.token)).toMatchObject({ status: 200, body: { email: address } });
  expect((await confirm(second.token)).status).toBe(401);
  expect((await test()).body).toMatchObject({ status: 'delivered', error: null });
  const mail = await nextMail(address, /^Test alert for/);
  expect(mail.text).toContain('This is a test');
  expect(mail.html).toContain('This is a test');

  // Whoever says the address again has changed nothing.
  const same = await door('PATCH', `/v1/alert-channels/${channel.channelId}`, {
    headers: account.owner,
    json: { target: address },
  });
  expect(same.body.state).toBe('ready');

  // Another address in its place has agreed to nothing.
  const moved = await door('PATCH', `/v1/alert-channels/${channel.channelId}`, {
    headers: account.owner,
    json: { target: `${crypto.randomUUID()}@example.com` },
  });
  expect(moved.body.state).toBe('unconfirmed');
  const entries = await env.AUDIT_LOG.getByName(account.accountId).list(100, undefined);
  expect(JSON.stringify(entries)).toContain('alert_channel.confirmed');
});

test('one address is not asked again and again', async () => {
  const door = doorWith(mailVariables());
  const address = `${crypto.randomUUID()}@example.com`;
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    const { owner } = await openAccount();
    const json = { kind: 'email', target: address };
    statuses.push((await door('POST', '/v1/alert-channels', { headers: owner, json })).status);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  expect(await mailTo(address)).toHaveLength(5);
});

test('people of the account need not be asked, and get nothing any more once they have left', async () => {
  const account = await openAccount();
  const door = doorWith(mailVariables());
  const colleague = await addAgent(account);
  const { body } = await door('POST', '/v1/alert-channels', {
    headers: account.owner,
    json: { kind: 'email', target: colleague.email.toUpperCase() },
  });
  expect(body).toMatchObject({ state: 'ready', target: colleague.email });
  const order: AlertOrder = {
    deliveryId: newUuid(),
    channel: {
      id: body.channelId,
      kind: 'email',
      shownTarget: body.target,
      sealedTarget: null,
      confirmedAt: null,
    },
    news: 'raised',
    alerts: [
      {
        id: newUuid(),
        kind: 'quota.exceeded',
        subject: 'quota:2026-01',
        at: Date.now(),
        detail: { used: 1000, limit: 1000, resetAt: '2026-02-01T00:00:00.000Z' },
        endedAt: null,
        acknowledgedBy: null,
      },
    ],
    at: Date.now(),
    attempt: 1,
  };
  const withMail = { ...env, ...mailVariables() } as Env;
  expect(await sendAlert(withMail, account.accountId, order)).toMatchObject({ outcome: 'delivered' });
  const mail = await nextMail(colleague.email, /used up/);
  expect(mail.text).toContain('New messages are refused until 2026-02-01 00:00 UTC.');
  expect(mail.text).toContain('https://dashboard.example.com/alerts');
  await ask('DELETE', `/v1/auth/members/${colleague.userId}`, { headers: account.owner });
  expect(await sendAlert(withMail, account.accountId, order)).toMatchObject({
    outcome: 'failed',
    attempt: { error: expect.stringContaining('not confirmed') },
  });
  expect(await mailTo(colleague.email)).toHaveLength(1);
  // A mail server that is away is asked again.
  const away = { ...withMail, SMTP_PORT: '1' } as Env;
  const own = { ...order, channel: { ...order.channel, shownTarget: account.email } };
  expect(await sendAlert(away, account.accountId, own)).toMatchObject({ outcome: 'retry' });
});
