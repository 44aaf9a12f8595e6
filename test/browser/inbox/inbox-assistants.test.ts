import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../model-server/model-server.ts';
import { waitUntil } from '../../wait-until.ts';
import { expectAccessible } from '../stage/accessible.ts';
import { type Person, Stage } from '../stage/stage.ts';
import { arrival, composer, conversationWith, messages, write } from './inbox-stage.ts';

const stage = Stage.open();

const returns = 'A lamp can be sent back within 30 days.';

async function deskOf(ada: Person, behaviour: string) {
  const server = await startModelServer();
  onTestFinished(() => server.stop());
  const { assistantId } = await ada.call<{ assistantId: string }>('POST', '/v1/assistants', {
    name: 'Front desk',
    enabled: true,
    provider: {
      kind: 'openai_compatible',
      baseUrl: server.url,
      model: behaviour,
      prices: { inputPerMillion: 1, outputPerMillion: 2 },
    },
    instructions: 'You work for Blue Lamp.',
    debounceSeconds: 0,
    handOff: { labels: ['person'], teamId: null, message: 'A person takes over.' },
  });
  await ada.call('POST', `/v1/assistants/${assistantId}/documents`, { name: 'Returns', text: returns });
  return assistantId;
}

const stateOf = (ada: Person, conversationId: string) =>
  ada.call<{ botState: string; assigneeId: string | null }>('GET', `/v1/conversations/${conversationId}`);

test('in the inbox an answer of the assistant is marked and says why; who takes over has the conversation', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  await deskOf(ada, 'search#inbox');
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'Can I send a lamp back?' });
  const conversationId = await conversationWith(ada, customer);
  const page = await ada.open(`/inbox/${conversationId}`);
  const bar = page.getByRole('region', { name: 'Assistant' });
  const answer = messages(page).getByRole('article').filter({ hasText: 'I found:' });
  await answer.getByText('Assistant', { exact: true }).waitFor();
  await bar.getByText('Front desk answers here.').waitFor();
  await expectAccessible(page);
  await answer.getByRole('button', { name: 'Why this answer' }).click();
  await answer.getByRole('list', { name: 'Sources' }).getByText('Returns', { exact: true }).waitFor();
  await answer.getByText(/200 input tokens, 40 output tokens/).waitFor();
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Pause' }).click();
  await bar.getByText('Front desk is paused here.').waitFor();
  expect(await stateOf(ada, conversationId)).toMatchObject({ botState: 'paused', assigneeId: null });
  await bar.getByRole('button', { name: 'Resume' }).click();
  await bar.getByRole('button', { name: 'Take over' }).click();
  await bar.getByText('Front desk is paused here.').waitFor();
  expect((await stateOf(ada, conversationId)).assigneeId).not.toBeNull();
  await composer(page).fill('Ada here. Yes, you can.');
  await page.keyboard.press('Enter');
  await arrival(stage, customer, 'Ada here. Yes, you can.');
  await expectAccessible(page);
});

test('what could not be answered is taught from the page of runs, and the next time it is known', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const assistantId = await deskOf(ada, 'hand-off#runs');
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'Do you repair lamps?' });
  await arrival(stage, customer, 'A person takes over.');
  const page = await ada.open(`/assistants/${assistantId}?tab=runs`);
  await page.getByText('Last 30 days').waitFor();
  await page.getByText('100%').waitFor();
  await page.getByRole('button', { name: 'Unanswered questions' }).click();
  await page.getByText('Do you repair lamps?').click();
  await page.getByText('It chose to hand over.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Teach this' }).click();
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Text' })
    .fill('We repair every lamp in a week.');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await waitUntil('The answer was not learnt', async () => {
    const path = `/v1/assistants/${assistantId}/knowledge?q=repair`;
    const { data } = await ada.call<{ data: { text: string }[] }>('GET', path);
    return data.find(({ text }) => text.includes('every lamp in a week')) ?? null;
  });
  // A past conversation as a test case, beside the instructions.
  await page.getByRole('tab', { name: 'Instructions' }).click();
  await page.getByRole('button', { name: 'Past conversations' }).click();
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click();
  await page.getByText('Hands over to a person').waitFor();
  await expectAccessible(page);
});
