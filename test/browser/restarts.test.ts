import { expect, test } from 'vitest';
import {
  arrival,
  arrivedAt,
  composer,
  conversationWith,
  list,
  messages,
  newColleague,
  write,
} from './inbox/inbox-stage.ts';
import { expectAccessible } from './stage/accessible.ts';
import { shoot } from './stage/shots.ts';
import { Stage } from './stage/stage.ts';

const stage = Stage.openOwn({ SIGNUP: 'open' });

test('a gateway that is gone is told, what was shown stays, and its return is noticed', async () => {
  stage.expectNoConnection();
  stage.expectRefusals(500, 502, 503);
  const ada = await stage.newPerson();
  const page = await ada.open('/numbers');
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  const supervisor = stage.gateway.pidOf('supervisor');
  // Or the gateway would be back before anybody missed it.
  process.kill(supervisor, 'SIGSTOP');
  process.kill(stage.gateway.pidOf('gateway'), 'SIGKILL');
  await page.getByRole('alert').filter({ hasText: 'The gateway cannot be reached.' }).waitFor();
  await page.getByRole('heading', { name: 'No number yet' }).waitFor();
  process.kill(supervisor, 'SIGCONT');
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('somebody who answers is led to the inbox, whatever page they ask for, and finds no other', async () => {
  const ada = await stage.newPerson();
  const bob = await newColleague(stage, ada, 'Bob');
  const page = await bob.open('/contacts');
  await page.waitForURL('**/inbox');
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await links.first().waitFor();
  expect(await links.allInnerTexts()).toEqual(['Inbox']);
  for (const path of ['/campaigns/new', '/settings/security', '/operator/bridges']) {
    await page.goto(path);
    await page.waitForURL('**/inbox');
  }
});

test('two people and one customer: who is there is seen, one writes at a time, a chat is handed over, and notes never leave', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const bob = await newColleague(stage, ada, 'Bob');
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'My parcel is gone' });
  const path = `/inbox/${await conversationWith(ada, customer)}`;
  const adas = await ada.open(path);
  const bobs = await bob.open(path);
  // Each sees that the other looks.
  await adas.getByText('Also here: Bob').waitFor();
  await bobs.getByText('Also here: Ada').waitFor();
  // Who begins to write keeps the other from it, until they want to all the same.
  await composer(adas).pressSequentially('I look into');
  await bobs.getByText('Ada is writing a reply.').waitFor();
  await shoot(bobs, 'locked');
  await expectAccessible(bobs);
  // A note reaches the colleague and nobody else.
  await bobs.getByRole('button', { name: 'Note', exact: true }).click();
  const note = bobs.getByRole('textbox', { name: 'Private note' });
  await note.fill('@Ada the courier has lost it');
  await note.press('Enter');
  await messages(adas).getByText('the courier has lost it').waitFor();
  await composer(adas).fill('We send a new one');
  await composer(adas).press('Enter');
  await arrival(stage, customer, 'We send a new one');
  await messages(bobs).getByText('We send a new one').waitFor();
  await bobs.getByText('Ada is writing a reply.').waitFor({ state: 'detached' });
  // Handed over: it is in the other one's list, and both see who did it.
  await adas
    .getByRole('complementary')
    .getByRole('combobox', { name: 'Assigned to' })
    .selectOption({ label: 'Bob (online)' });
  await bobs.getByText('Ada assigned it to Bob').first().waitFor();
  await bobs.goto('/inbox?view=mine');
  await list(bobs).getByText('We send a new one').click();
  await bobs.getByRole('group', { name: 'Message type' }).getByRole('button', { name: 'Reply' }).click();
  await composer(bobs).fill('It is on its way');
  await composer(bobs).press('Enter');
  await arrival(stage, customer, 'It is on its way');
  await messages(adas).getByText('It is on its way').waitFor();
  await shoot(adas, 'handed-over');
  // What no event tells is asked for when the stream of a tab is back.
  stage.expectNoConnection();
  stage.expectRefusals(500, 502, 503);
  await adas.route('**/v1/conversations/live*', (route) => route.abort());
  await stage.gateway.killAndAwaitRestart('workerd');
  await bobs.getByRole('button', { name: 'Note', exact: true }).click();
  await note.fill('It left the house at noon');
  await note.press('Enter');
  // It may be told before its request is answered, and stands as under way beside itself for a moment.
  await expect.poll(() => messages(bobs).getByText('It left the house at noon').count()).toBe(1);
  await adas.unroute('**/v1/conversations/live*');
  await messages(adas).getByText('It left the house at noon').waitFor();
  const arrived = await arrivedAt(stage, customer);
  expect(arrived.map(({ text, count }) => [text, count])).toEqual([
    ['We send a new one', 1],
    ['It is on its way', 1],
  ]);
});
