import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { queryClient, showStored } from '../../../src/dashboard/gateway/query-client.ts';
import { patchShown } from '../../../src/dashboard/queries/pages.ts';

afterEach(() => queryClient.clear());

/** A page that shows one message: what it was answered with each time, in the order that it asked. */
function openPage() {
  const asked: PromiseWithResolvers<string>[] = [];
  const page = new QueryObserver(queryClient, {
    queryKey: ['messages', 'one', 'msg_1'],
    queryFn: () => {
      asked.push(Promise.withResolvers());
      return (asked.at(-1) as PromiseWithResolvers<string>).promise;
    },
  });
  page.subscribe(() => undefined);
  return { asked, shown: () => page.getCurrentResult().data };
}

const tell = () => void queryClient.invalidateQueries({ queryKey: ['messages', 'one'] });

test('what happens while the first answer is on its way is asked for once more when that has come', async () => {
  const { asked, shown } = openPage();
  expect(asked).toHaveLength(1);
  tell();
  tell();
  asked[0]?.resolve('delivered');
  await expect.poll(() => asked.length).toBe(2);
  expect(shown()).toBe('delivered');
  asked[1]?.resolve('read');
  await expect.poll(shown).toBe('read');
  expect(asked).toHaveLength(2);
});

test('a first answer that fails after something happened is asked for again', async () => {
  const { asked, shown } = openPage();
  tell();
  asked[0]?.reject(new Error('The gateway was away.'));
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.resolve('read');
  await expect.poll(shown).toBe('read');
});

test('nothing is asked for twice where nothing happened', async () => {
  const { asked, shown } = openPage();
  asked[0]?.resolve('sent');
  await expect.poll(shown).toBe('sent');
  tell();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.resolve('read');
  await expect.poll(shown).toBe('read');
  expect(asked).toHaveLength(2);
});

const patch = (text: string) => patchShown<string>({ queryKey: ['messages'] }, () => text);

test('what is told while an older answer is on its way stands when that has come, and nothing more is asked', async () => {
  const { asked, shown } = openPage();
  asked[0]?.resolve('sent');
  await expect.poll(shown).toBe('sent');
  tell();
  await expect.poll(() => asked.length).toBe(2);
  patch('read');
  asked[1]?.resolve('delivered');
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  await expect.poll(shown).toBe('read');
  expect(asked).toHaveLength(2);
});

test('what is outdated, and nobody looks at, is not taken for new because something was told of it', async () => {
  const queryKey = ['messages', 'one', 'msg_2'];
  queryClient.setQueryData(queryKey, 'sent');
  await queryClient.invalidateQueries({ queryKey });
  patch('read');
  expect(queryClient.getQueryState(queryKey)).toMatchObject({ data: 'sent', isInvalidated: true });
});

test('what could not be asked for again is asked for when something is told of it', async () => {
  const { asked, shown } = openPage();
  asked[0]?.resolve('sent');
  await expect.poll(shown).toBe('sent');
  tell();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.reject(new Error('The gateway was away.'));
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  patch('delivered');
  asked[2]?.resolve('read');
  await expect.poll(shown).toBe('read');
});

test('what the gateway has stored stands when an older answer has come that was on its way; what happened since is shown', async () => {
  const { asked, shown } = openPage();
  asked[0]?.resolve('in the pool');
  await expect.poll(shown).toBe('in the pool');
  tell();
  await expect.poll(() => asked.length).toBe(2);
  showStored(['messages', 'one', 'msg_1'], 'not in the pool');
  expect(shown()).toBe('not in the pool');
  await expect.poll(() => asked.length).toBe(3);
  asked[1]?.resolve('in the pool');
  await asked[1]?.promise;
  expect(shown()).toBe('not in the pool');
  asked[2]?.resolve('in another pool');
  await expect.poll(shown).toBe('in another pool');
  expect(asked).toHaveLength(3);
});
