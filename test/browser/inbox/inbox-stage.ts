import type { Page } from 'playwright-core';
import { waitUntil } from '../../wait-until.ts';
import { Person, type Stage } from '../stage/stage.ts';

export const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });
export const composer = (page: Page) => page.getByRole('textbox', { name: 'Your reply' });
export const messages = (page: Page) => page.getByRole('region', { name: 'Messages' });

/** What arrived at a simulated phone. */
export async function arrivedAt(
  stage: Stage,
  phone: string,
): Promise<{ id: string; text: string; count: number }[]> {
  const { data } = await stage.simulate<{ data: { id: string; text: string; count: number }[] }>(
    'GET',
    `/admin/messages?to=${phone}`,
  );
  return data;
}

export const arrival = (stage: Stage, phone: string, text: string) =>
  waitUntil(`"${text}" did not arrive`, async () => {
    const found = (await arrivedAt(stage, phone)).find((one) => one.text === text);
    return found ?? null;
  });

/** A simulated phone writes. */
export const write = (stage: Stage, from: string, to: string, content: object) =>
  stage.simulate<{ id: string }>('POST', `/admin/phones/${from}/messages`, { to, ...content });

/** Until the account has a conversation with a phone. */
export function conversationWith(person: Person, phone: string): Promise<string> {
  return waitUntil('No conversation came about', async () => {
    const { data } = await person.call<{
      data: { conversationId: string; contact: { phoneNumber: string | null } | null }[];
    }>('GET', '/v1/conversations');
    return data.find(({ contact }) => contact?.phoneNumber === phone)?.conversationId ?? null;
  });
}

/** Somebody else of a person's account, who was invited and has accepted. The stage lets new people sign up. */
export async function newColleague(stage: Stage, inviter: Person, name: string): Promise<Person> {
  const colleague = new Person(stage);
  const { email, password } = colleague;
  await inviter.call('POST', '/v1/auth/invitations', { email, role: 'agent' });
  const token = await waitUntil('The invitation was not mailed', async () => {
    const response = await fetch(stage.gateway.local.mail.url);
    const mails = (await response.json()) as { to: string; text: string }[];
    const text = mails.find(({ to }) => to === email)?.text ?? '';
    return /https?:\/\/\S+[#=]([\w-]{20,})/.exec(text)?.[1] ?? null;
  });
  await stage.request('POST', '/v1/auth/invitations/accept', { body: { token, name, password } });
  return colleague;
}
