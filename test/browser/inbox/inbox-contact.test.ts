import { expect, test } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { expectAccessible } from '../stage/accessible.ts';
import { shoot } from '../stage/shots.ts';
import { Stage } from '../stage/stage.ts';
import { arrival, arrivedAt, composer, conversationWith, list, messages, write } from './inbox-stage.ts';

const stage = Stage.open();

test('that the customer types is seen in the chat and in the list, until they stop or what they wrote is there', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'Are you there?' });
  const page = await ada.open(`/inbox/${await conversationWith(ada, customer)}`);
  await messages(page).getByText('Are you there?').waitFor();
  // The network tells of it once it was asked to.
  const does = (state: string) =>
    stage.simulate<{ told: number }>('POST', `/admin/phones/${customer}/typing`, {
      to: ada.phoneNumber,
      state,
    });
  await waitUntil('Nobody wants to know', async () => ((await does('typing')).told > 0 ? true : null));
  const head = page
    .getByRole('banner')
    .or(page.locator('header'))
    .filter({ has: page.locator('h1') });
  await head.getByText('typing…').waitFor();
  await list(page).getByText('typing…').waitFor();
  await shoot(page, 'typing');
  await expectAccessible(page);
  await does('paused');
  await list(page).getByText('typing…').waitFor({ state: 'detached' });
  await does('recording');
  await head.getByText('recording a voice message…').waitFor();
  await write(stage, customer, ada.phoneNumber, { text: 'Hello?' });
  await messages(page).getByText('Hello?').waitFor();
  await head.getByText('recording a voice message…').waitFor({ state: 'detached' });
});

test('whoever wants no more messages is put down beside the chat: nothing is sent, the draft is kept, and they may agree again', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'Do not write to me' });
  const page = await ada.open(`/inbox/${await conversationWith(ada, customer)}`);
  const panel = page.getByRole('complementary');
  await composer(page).fill('One more thing');
  await panel.getByRole('button', { name: 'Opt out' }).click();
  await page.getByText('so no message can be sent').waitFor();
  await composer(page).press('Enter');
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  expect(await composer(page).inputValue()).toBe('One more thing');
  await shoot(page, 'opted-out');
  await expectAccessible(page);
  // A note is for colleagues.
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await page.getByRole('button', { name: 'Add note' }).waitFor();
  await page.getByRole('group', { name: 'Message type' }).getByRole('button', { name: 'Reply' }).click();
  await panel.getByRole('button', { name: 'Opt back in' }).click();
  await page.getByText('so no message can be sent').waitFor({ state: 'detached' });
  await composer(page).press('Enter');
  await arrival(stage, customer, 'One more thing');
  expect(await arrivedAt(stage, customer)).toHaveLength(1);
});

test('whoever writes that they want no more messages is shown so in the open chat', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'Hello' });
  const conversationId = await conversationWith(ada, customer);
  const page = await ada.open(`/inbox/${conversationId}`);
  await composer(page).fill('One more thing');
  await write(stage, customer, ada.phoneNumber, { text: 'STOP' });
  await messages(page).getByText('STOP').waitFor();
  // The list of those who want no more hears of it beside the chat, not before it.
  await waitUntil('The word was not taken', async () => {
    const path = `/v1/conversations/${conversationId}/contact`;
    return (await ada.call<{ optedOutAt: string | null }>('GET', path)).optedOutAt;
  });
  await write(stage, customer, ada.phoneNumber, { text: 'I mean it' });
  await page.getByText('so no message can be sent').waitFor();
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  expect(await composer(page).inputValue()).toBe('One more thing');
});
