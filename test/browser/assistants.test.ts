import { expect, onTestFinished, test } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { expectAccessible, Stage } from './stage.ts';

const stage = Stage.open();

async function newModelServer(): Promise<ModelServer> {
  const server = await startModelServer();
  onTestFinished(() => server.stop());
  return server;
}

test('an assistant is made, taught, tried beside its instructions, and switched on', async () => {
  const server = await newModelServer();
  const ada = await stage.newPerson();
  const page = await ada.open('/assistants');
  await page.getByRole('heading', { name: 'No assistant yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New assistant' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Front desk');
  await dialog.getByRole('textbox', { name: 'Address of the server' }).fill(server.url);
  await dialog.getByRole('textbox', { name: 'Model' }).fill('search#browser');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Front desk' }).waitFor();
  await page.getByRole('tab', { name: 'Knowledge' }).click();
  await page.getByRole('heading', { name: 'It knows nothing yet' }).waitFor();
  await page.getByRole('button', { name: 'Add a text' }).click();
  await page.getByRole('textbox', { name: 'Name of the document' }).fill('Returns');
  await page.getByRole('textbox', { name: 'Text' }).fill('A lamp can be sent back within 30 days.');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Known', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search what it knows' }).fill('send back');
  await page.getByText('A lamp can be sent back within 30 days.').waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Instructions' }).click();
  await page.getByRole('textbox', { name: 'Write as a customer' }).fill('Can I send it back?');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('From these documents').waitFor();
  await page.getByText(/200 tokens read/).waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Test the provider' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByText('The last 30 days').waitFor();
  await expectAccessible(page);
  await page.getByRole('switch', { name: 'It answers customers' }).press('Space');
  await page.getByText('It answers customers now.').waitFor();
  const { data } = await ada.call<{ data: { enabled: boolean }[] }>('GET', '/v1/assistants');
  expect(data).toMatchObject([{ enabled: true }]);
});
