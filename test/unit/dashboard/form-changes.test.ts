import { expect, test } from 'vitest';
import * as channels from '../../../src/dashboard/features/alerts/channels/channel-form.ts';
import * as keys from '../../../src/dashboard/features/api-keys/key-form.ts';
import { changedSettings } from '../../../src/dashboard/features/settings/changed-settings.ts';
import * as webhooks from '../../../src/dashboard/features/webhooks/webhook-form.ts';
import type { AlertChannel, Webhook } from '../../../src/sdk/index.ts';

test('of the settings of an account only those go out that somebody has changed, also within a part', () => {
  const filters = { allowPrefixes: ['62'], blockPrefixes: [], blockNumbers: [], checkOnNetwork: false };
  const before = { stickyHours: 24, rerouteAfterMs: 5_000, filters };
  expect(changedSettings({ ...before, stickyHours: 12 }, before)).toEqual({ stickyHours: 12 });
  const checked = { ...before, filters: { ...filters, checkOnNetwork: true } };
  expect(changedSettings(checked, before)).toEqual({ filters: { checkOnNetwork: true } });
  const support = { reports: false, autoResolveHours: 8, survey: null };
  const asking = { ...support, survey: { question: 'How was it?', everyDays: 30 } };
  expect(changedSettings({ support: asking }, { support })).toEqual({ support: { survey: asking.survey } });
  expect(changedSettings(structuredClone(before), before)).toEqual({});
});

test('of an API key only what was changed goes out', () => {
  const first = { ...keys.newKeyFields, name: 'Shop' };
  expect(keys.changesOf({ ...first, name: ' Shop two ' }, first)).toEqual({ name: 'Shop two' });
  const pinned = { ...first, sender: 'a number', onPinFailure: 'fallback' as const };
  expect(keys.changesOf(pinned, first)).toEqual({ pinnedNumberId: 'a number', onPinFailure: 'fallback' });
});

test('of a webhook only what was changed goes out', () => {
  const webhook = { headerNames: ['Authorization'] } as Webhook;
  const headers = [{ name: 'Authorization', value: '', isStored: true }];
  const first = { ...webhooks.newFields, url: 'https://example.com/hook', headers };
  const update = (fields: Partial<webhooks.Fields>) =>
    webhooks.updateRequest({ ...first, ...fields }, first, webhook);
  expect(update({ description: 'Shop' })).toEqual({ description: 'Shop' });
  expect(update({ isEveryEvent: false, events: ['message.sent'] })).toEqual({ events: ['message.sent'] });
  expect(update({ headers: [] })).toEqual({ headers: { Authorization: null } });
  expect(update({})).toEqual({});
});

test('of an alert channel only what was changed goes out, and its target where it was typed anew', () => {
  const shared = { name: 'Nights', kinds: 'all', numberIds: 'all', digest: null };
  const telegram = { ...shared, kind: 'telegram', target: { chatId: '42' } } as unknown as AlertChannel;
  const update = (channel: AlertChannel, fields: Partial<channels.Fields>) => {
    const first = channels.fieldsOf(channel);
    return channels.updateRequest({ ...first, ...fields }, first, channel);
  };
  expect(update(telegram, { name: 'Days' })).toEqual({ name: 'Days' });
  expect(update(telegram, { chatId: '43' })).toEqual({ target: { chatId: '43' } });
  expect(update(telegram, { botToken: 'new' })).toEqual({ target: { chatId: '42', botToken: 'new' } });
  const target = { numberId: null, to: '15550000001' };
  const whatsapp = { ...shared, kind: 'whatsapp', target } as unknown as AlertChannel;
  expect(update(whatsapp, { numberIds: ['one'] })).toEqual({ numberIds: ['one'] });
  expect(update(whatsapp, { to: '15550000002' })).toEqual({ target: { numberId: null, to: '15550000002' } });
});
