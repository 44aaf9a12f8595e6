import { expect, test } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { expectAccessible } from '../stage/accessible.ts';
import { Stage } from '../stage/stage.ts';
import { arrival, composer, conversationWith, list, messages, write } from './inbox-stage.ts';

const stage = Stage.open();

/** What a browser does when a file is pasted into the field. */
const paste = `{
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File(['plain words'], 'list.txt', { type: 'text/plain' }));
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
}`;

test('a customer writes, the answer arrives on the phone, and its ticks tell how far it has come', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  const page = await ada.open('/inbox');
  await page.getByRole('heading', { name: 'All caught up' }).waitFor();
  await write(stage, customer, ada.phoneNumber, { text: 'Where is my order?' });
  await list(page).getByText('Where is my order?').click();
  await messages(page).getByText('Where is my order?').waitFor();
  await composer(page).fill('It left *this morning*');
  await page.keyboard.press('Enter');
  await arrival(stage, customer, 'It left *this morning*');
  const answer = messages(page).getByRole('article').filter({ hasText: 'It left this morning' });
  await answer.getByRole('img', { name: 'Read' }).waitFor();
  await list(page).getByRole('img', { name: 'Read' }).waitFor();
  await answer.getByText('Ada', { exact: true }).waitFor();
  expect(await answer.locator('strong', { hasText: 'this morning' }).count()).toBe(1);
  await write(stage, customer, ada.phoneNumber, { text: 'Thank you' });
  await messages(page).getByText('Thank you').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await list(page).waitFor({ state: 'detached' });
  await write(stage, customer, ada.phoneNumber, { text: 'One more thing' });
  await list(page).getByText('One more thing').waitFor();
  await expectAccessible(page);
});

/** Whether a page has got what it asks for when a chat is opened. Runs in the page. */
const isOpened = `['messages', 'contact', 'merges', 'scheduled', 'activity', 'assistant', 'counts'].every((name) =>
  performance.getEntriesByType('resource').some((entry) => new URL(entry.name).pathname.endsWith('/' + name)))`;

test('a message that arrives costs the open inbox no request, and neither does what others do', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const [first, second] = [await stage.newReader(), await stage.newReader()];
  await write(stage, first, ada.phoneNumber, { text: 'I am the first' });
  await write(stage, second, ada.phoneNumber, { text: 'I am the second' });
  const [firstId, secondId] = [await conversationWith(ada, first), await conversationWith(ada, second)];
  const page = await ada.open(`/inbox/${firstId}`);
  await messages(page).getByText('I am the first').waitFor();
  await waitUntil('The chat was not opened', async () => (await page.evaluate(isOpened)) || null);
  const asked: string[] = [];
  let askedAt = Date.now();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // That somebody is there, and has read it, the page says itself. Counts are told once a second: in between they are asked for.
    if (!pathname.startsWith('/v1/') || /\/(viewing|read|counts)$/.test(pathname)) return;
    asked.push(pathname);
    askedAt = Date.now();
  });
  // What was asked before its streams of events were open is asked again.
  await waitUntil('The page goes on asking', async () => Date.now() - askedAt > 1_000 || null);
  asked.length = 0;
  await write(stage, second, ada.phoneNumber, { text: 'Is anybody there?' });
  await list(page).getByText('Is anybody there?').waitFor();
  await write(stage, first, ada.phoneNumber, { text: 'This is the longer story of my order' });
  await messages(page).getByText('This is the longer story of my order').waitFor();
  const answer = (id: string, text: string) => ada.call('POST', `/v1/conversations/${id}/messages`, { text });
  await answer(firstId, 'From another desk');
  await messages(page).getByText('From another desk').waitFor();
  await arrival(stage, first, 'From another desk');
  await messages(page).getByRole('img', { name: 'Read' }).waitFor();
  await ada.call('POST', `/v1/conversations/${firstId}/messages`, { note: true, text: 'They are a regular' });
  await messages(page).getByText('They are a regular').waitFor();
  await ada.call('PATCH', `/v1/conversations/${secondId}`, { status: 'resolved' });
  await list(page).getByText('Is anybody there?').waitFor({ state: 'detached' });
  await write(stage, second, ada.phoneNumber, { text: 'And I am back' });
  await list(page).getByText('And I am back').waitFor();
  await waitUntil(
    'The title does not count who waits',
    async () => (await page.title()).startsWith('(1)') || null,
  );
  expect(asked).toEqual([]);
});

/** Takes out of what the gateway says what an earlier release did not say. Runs in the page. */
const beforeShown = `{
  const parse = JSON.parse;
  JSON.parse = (...given) => {
    const said = parse(...given);
    delete said?.shown;
    for (const conversation of said?.conversations ?? []) delete conversation.item;
    return said;
  };
}`;

test('of a gateway that does not say yet what events have changed, the page asks', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'I am the first' });
  const conversationId = await conversationWith(ada, customer);
  const page = await ada.open(`/inbox/${conversationId}`);
  await messages(page).getByText('I am the first').waitFor();
  await page.evaluate(beforeShown);
  await write(stage, customer, ada.phoneNumber, { text: 'Is anybody there?' });
  await messages(page).getByText('Is anybody there?').waitFor();
  await list(page).getByText('Is anybody there?').waitFor();
  await ada.call('POST', `/v1/conversations/${conversationId}/messages`, { note: true, text: 'A regular' });
  await messages(page).getByText('A regular').waitFor();
  await ada.call('PATCH', `/v1/conversations/${conversationId}`, { status: 'resolved' });
  await list(page).getByText('Is anybody there?').waitFor({ state: 'detached' });
});

test('what was asked for before a message was read, and arrives after it, does not take its ticks back', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await stage.simulate('PATCH', `/admin/phones/${customer}`, { autoDeliver: false, autoRead: false });
  await write(stage, customer, ada.phoneNumber, { text: 'Where is my order?' });
  const conversationId = await conversationWith(ada, customer);
  await ada.call('POST', `/v1/conversations/${conversationId}/messages`, { text: 'It left this morning' });
  const { id } = await arrival(stage, customer, 'It left this morning');
  const page = await ada.open('/inbox');
  const asked = Promise.withResolvers<void>();
  const mayArrive = Promise.withResolvers<void>();
  await page.route(/\/v1\/conversations\/[^/]+\/messages/, async (route) => {
    const response = await route.fetch();
    asked.resolve();
    await mayArrive.promise;
    // The page may have given it up.
    await route.fulfill({ response }).catch(() => undefined);
  });
  await list(page).getByText('It left this morning').click();
  await asked.promise;
  const from = `${customer}@s.whatsapp.net`;
  const t = String(Math.floor(Date.now() / 1000));
  await stage.simulate('POST', `/admin/devices/${ada.phoneNumber}/stanza`, {
    tag: 'receipt',
    attrs: { id, from, type: 'read', t },
  });
  await list(page).getByRole('img', { name: 'Read' }).waitFor();
  mayArrive.resolve();
  const answer = messages(page).getByRole('article').filter({ hasText: 'It left this morning' });
  await answer.getByRole('img', { name: 'Read' }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

test('script and marks in a name or a message are text, in the list, in the chat and beside it', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  const name = '<img src=x onerror=alert(1)>';
  await stage.simulate('PATCH', `/admin/phones/${customer}`, { name });
  await write(stage, customer, ada.phoneNumber, {
    text: '<script>window.hurt = 1</script> javascript:alert(1)',
  });
  const conversationId = await conversationWith(ada, customer);
  const page = await ada.open(`/inbox/${conversationId}`);
  await messages(page).getByText('<script>window.hurt = 1</script> javascript:alert(1)').waitFor();
  await page.getByRole('heading', { name, exact: true }).first().waitFor();
  await list(page).getByText(name).waitFor();
  expect(await page.evaluate(`'hurt' in window`)).toBe(false);
  expect(await page.locator('img[src="x"], a[href^="javascript"]').count()).toBe(0);
});

test('what is written stays in its conversation, also over a reload, and after a refusal with the reason', async () => {
  stage.expectRefusals(422);
  const ada = await stage.newPerson();
  const numberId = await ada.pairedNumber();
  const [first, second] = [await stage.newReader(), await stage.newReader()];
  await write(stage, first, ada.phoneNumber, { text: 'I am the first' });
  await write(stage, second, ada.phoneNumber, { text: 'I am the second' });
  await conversationWith(ada, second);
  const page = await ada.open(`/inbox/${await conversationWith(ada, first)}`);
  await composer(page).fill('half an ans');
  await list(page).getByText('I am the second').click();
  await messages(page).getByText('I am the second').waitFor();
  expect(await composer(page).inputValue()).toBe('');
  await page.goBack();
  await messages(page).getByText('I am the first').waitFor();
  expect(await composer(page).inputValue()).toBe('half an ans');
  await page.reload();
  expect(await composer(page).inputValue()).toBe('half an ans');
  await ada.call('PATCH', `/v1/numbers/${numberId}`, { filters: { blockNumbers: [first] } });
  await composer(page).fill('Are you sure?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Your draft is still here.').waitFor();
  await page.getByText('This recipient cannot be written to.').waitFor();
  expect(await composer(page).inputValue()).toBe('Are you sure?');
});

test('every kind of message is shown in its own way', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  const send = (content: object) => write(stage, customer, ada.phoneNumber, content);
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  await send({ media: { kind: 'image', mimetype: 'image/png', base64: dot, caption: 'The box' } });
  const base64 = Buffer.from('%PDF-1.4 hello').toString('base64');
  await send({ media: { kind: 'document', mimetype: 'application/pdf', base64, fileName: 'invoice.pdf' } });
  await send({ location: { latitude: -6.2, longitude: 106.8, name: 'The shop' } });
  await send({ contacts: [{ name: 'Rudi Courier', phoneNumber: '628555123456' }] });
  await send({ poll: { name: 'When?', options: ['Morning', 'Evening'] } });
  const { id } = await send({ text: 'a typo' });
  await send({ edit: { messageId: id, text: 'no typo' } });
  const { id: regretted } = await send({ text: 'regretted' });
  await send({ delete: { messageId: regretted } });
  await send({ text: 'about the box', quoted: id });
  const page = await ada.open(`/inbox/${await conversationWith(ada, customer)}`);
  const chat = messages(page);
  const reply = chat.getByRole('article').filter({ hasText: 'about the box' });
  await reply.getByRole('button', { name: /no typo$/ }).waitFor();
  await chat.getByText('This message was deleted').waitFor();
  await chat.getByText('edited').waitFor();
  await chat.getByText('When?').waitFor();
  await chat.getByText('Rudi Courier').waitFor();
  await chat.getByRole('link', { name: /The shop/ }).waitFor();
  await chat.getByRole('link', { name: /invoice\.pdf/ }).waitFor();
  const picture = chat.getByRole('button', { name: 'Open image' });
  await picture.locator('img').evaluate('(img) => img.decode()');
  await expectAccessible(page);
  await picture.click();
  const viewer = page.getByRole('dialog', { name: 'Image' });
  await viewer.getByRole('link', { name: 'Download' }).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
});

test('a file is pasted with its caption, and a voice message is recorded; both arrive', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'Show me' });
  const page = await ada.open(`/inbox/${await conversationWith(ada, customer)}`);
  await composer(page).fill('Here it is');
  await page.evaluate(paste);
  await page.getByRole('list', { name: 'Files to send' }).getByText('11 B').waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await messages(page)
    .getByRole('link', { name: /list\.txt/ })
    .waitFor();
  await arrival(stage, customer, 'Here it is');
  await page.getByRole('button', { name: 'Record a voice message' }).click();
  await page.getByText(/Recording 0:0[1-9]/).waitFor();
  await page.getByRole('button', { name: 'Finish' }).click();
  // How large it is depends on what the microphone heard: a short one has less than a kilobyte.
  await page
    .getByRole('list', { name: 'Files to send' })
    .getByText(/^[\d.]+ K?B$/)
    .waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const voice = messages(page)
    .getByRole('article')
    .filter({ has: page.getByRole('slider', { name: 'Position' }) });
  await voice.getByRole('img', { name: /Sent|Delivered|Read/ }).waitFor();
});

test('an inbox is worked through by the keyboard alone', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const [first, second] = [await stage.newReader(), await stage.newReader()];
  await write(stage, first, ada.phoneNumber, { text: 'I am the first' });
  await conversationWith(ada, first);
  await write(stage, second, ada.phoneNumber, { text: 'I am the second' });
  await conversationWith(ada, second);
  const page = await ada.open('/inbox');
  await list(page).getByText('I am the second').waitFor();
  await page.keyboard.press('j');
  await messages(page).getByText('I am the second').waitFor();
  await page.keyboard.press('j');
  await messages(page).getByText('I am the first').waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('Hello first');
  await page.keyboard.press('Enter');
  await arrival(stage, first, 'Hello first');
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await page.getByText('Ada assigned it to Ada').first().waitFor();
  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next conversation').waitFor();
  await expectAccessible(page);
});

test('on a phone the list and the chat take turns, and on a tablet there is room for all of both', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'From my phone to yours' });
  await conversationWith(ada, customer);
  const page = await ada.open('/inbox', await stage.newTab({ width: 390, height: 844 }));
  await expectAccessible(page);
  await list(page).getByText('From my phone to yours').click();
  await messages(page).getByText('From my phone to yours').waitFor();
  await list(page).waitFor({ state: 'hidden' });
  await expectAccessible(page);
  const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  expect(isWide).toBe(false);
  await page.getByRole('link', { name: 'Back' }).click();
  await list(page).waitFor();

  await page.setViewportSize({ width: 768, height: 1024 });
  await list(page).getByText('From my phone to yours').click();
  const rightOf = async (name: string) => {
    const { x = 0, width = 0 } = (await page.getByRole('button', { name, exact: true }).boundingBox()) ?? {};
    return x + width;
  };
  for (const name of ['Resolve', 'Details', 'Send']) {
    expect(await rightOf(name), name).toBeGreaterThan(0);
    expect(await rightOf(name), name).toBeLessThanOrEqual(768);
  }
  const chat = await messages(page).boundingBox();
  expect(await rightOf('Mentions')).toBeLessThanOrEqual(chat?.x ?? 0);
});

test('filters stand in the address, and words are found in names and in messages', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const [first, second] = [await stage.newReader(), await stage.newReader()];
  await stage.simulate('PATCH', `/admin/phones/${first}`, { name: 'Siti Rahmawati' });
  await write(stage, first, ada.phoneNumber, { text: 'the red umbrella' });
  await write(stage, second, ada.phoneNumber, { text: 'the blue kettle' });
  await conversationWith(ada, first);
  await conversationWith(ada, second);
  const page = await ada.open('/inbox');
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('siti');
  await page.waitForURL('**/inbox?q=siti');
  await list(page).getByText('the red umbrella').waitFor();
  await waitUntil('The other one stayed', async () =>
    (await list(page).getByText('the blue kettle').count()) === 0 ? true : null,
  );
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('kettle');
  await list(page).getByText('In messages').waitFor();
  await list(page).getByText('the blue kettle').click();
  await messages(page).getByText('the blue kettle').waitFor();
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('');
  await page.getByRole('combobox', { name: 'Status' }).first().selectOption('resolved');
  await page.waitForURL(/status=resolved/);
  await page.getByRole('heading', { name: 'No matching conversations' }).waitFor();
});
