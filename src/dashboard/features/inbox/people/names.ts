import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../sdk/index.ts';
import { session } from '../../../gateway/session.ts';
import { useStore } from '../../../gateway/store.ts';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { inboxPeopleQuery } from '../../../queries/conversations/conversation-lists.ts';

/** What a conversation is called: the name of the contact or group, else the phone number. */
export function useChatName() {
  const common = useTranslations('common');
  return ({ contact, group }: Pick<Conversation, 'contact' | 'group'>): string => {
    if (group !== null) return group.subject ?? common('group');
    const { name, pushName, phoneNumber } = contact ?? {};
    return name ?? pushName ?? (phoneNumber ? readable(phoneNumber) : common('hiddenNumber'));
  };
}

/** The names of colleagues and numbers. */
export function useNames() {
  const { data } = useQuery(inboxPeopleQuery);
  return useMemo(() => {
    const people = new Map(data?.people.map((person) => [person.userId, person]));
    const numbers = new Map(data?.numbers.map((number) => [number.numberId, number]));
    return {
      people: data?.people ?? [],
      numbers: data?.numbers ?? [],
      person: (userId: string | null | undefined) => (userId ? people.get(userId)?.name : undefined),
      number: (numberId: string) => numbers.get(numberId),
    };
  }, [data]);
}

export const useOwnId = (): string => useStore(session.current)?.user.id ?? '';
