import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { session } from '../../gateway/session.ts';
import { useStore } from '../../gateway/store.ts';
import { readable } from '../../parts/values/phone-numbers.ts';
import { foundContactsQuery } from '../../queries/contacts.ts';
import { foundConversationsQuery } from '../../queries/conversations/conversation-lists.ts';
import type { Command } from './page-commands.ts';

const typedForMs = 250;
/** One letter fits nearly everybody. */
const charactersMin = 2;

interface Named {
  name?: string | null;
  pushName?: string | null;
  phoneNumber?: string | null;
}

/** Contacts and conversations by name and number; agents see conversations alone. */
export function useFoundPeople(typed: string): { people: Command[]; isSearching: boolean } {
  const common = useTranslations('common');
  const navigate = useNavigate();
  const isAgent = useStore(session.current)?.account.role === 'agent';
  const [q] = useDebouncedValue(typed, typedForMs);
  const isWanted = typed.length >= charactersMin;
  const enabled = isWanted && q === typed;
  const contacts = useQuery({ ...foundContactsQuery(q), enabled: enabled && !isAgent });
  const conversations = useQuery({ ...foundConversationsQuery(q), enabled });
  if (!enabled) return { people: [], isSearching: isWanted };
  const nameOf = ({ name, pushName, phoneNumber }: Named) =>
    name ?? pushName ?? (phoneNumber ? readable(phoneNumber) : common('hiddenNumber'));
  const known = isAgent ? [] : (contacts.data ?? []);
  const people = [
    ...known.map(
      (contact): Command => ({
        id: contact.contactId,
        name: nameOf(contact),
        icon: 'contacts',
        kind: common('contact'),
        run: () => void navigate({ to: '/contacts/$contactId', params: { contactId: contact.contactId } }),
      }),
    ),
    ...(conversations.data ?? []).map(
      ({ conversationId, contact, group }): Command => ({
        id: conversationId,
        name: group === null ? nameOf(contact ?? {}) : (group.subject ?? common('group')),
        icon: 'inbox',
        kind: common('conversation'),
        run: () => void navigate({ to: '/inbox/$conversationId', params: { conversationId } }),
      }),
    ),
  ];
  return { people, isSearching: conversations.isPending || (!isAgent && contacts.isPending) };
}
