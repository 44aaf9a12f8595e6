import { Button, Group, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, type Contact } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { Hint } from '../../../parts/hint.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { lastMergeQuery, mergeCandidatesQuery, mergesOutdated } from '../../../queries/contacts.ts';
import { detailsOutdated } from '../../../queries/conversations/conversation-details.ts';
import { conversationsOutdated } from '../../../queries/conversations/conversation-lists.ts';
import classes from './panel.module.css';

const shownMost = 6;

const called = ({
  name,
  pushName,
  phoneNumber,
  lid,
}: Pick<Contact, 'name' | 'pushName' | 'phoneNumber' | 'lid'>): string =>
  name ?? pushName ?? (phoneNumber === null ? (lid ?? '') : readable(phoneNumber));

/** That this contact and another one are the same person, and how to take that back. */
export default function Merge({ conversationId, contact }: { conversationId: string; contact: Contact }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const [q, setQ] = useState<string | null>(null);
  const { data: merged } = useQuery(lastMergeQuery(contact.contactId));
  const words = q?.trim() ?? '';
  const { data: found } = useQuery({ ...mergeCandidatesQuery(contact, words), enabled: words !== '' });
  const others = words === '' ? [] : (found ?? []).slice(0, shownMost);
  const refreshed = async () => {
    await Promise.all([mergesOutdated(), detailsOutdated(conversationId), conversationsOutdated()]);
  };
  const merge = useMutation({
    mutationFn: (other: Contact) => gateway.contacts.merge(contact.contactId, other.contactId),
    onSuccess: async ({ contact: after }) => {
      setQ(null);
      // Their conversations are one too: it may have become a part of the other one.
      const isGone = await gateway.conversations.get(conversationId).then(
        () => false,
        (error: unknown) => error instanceof ApiError && error.status === 404,
      );
      await refreshed();
      if (isGone) await navigate({ to: '/inbox', search: { q: after.phoneNumber ?? called(after) } });
    },
  });
  const undo = useMutation({
    mutationFn: (mergeId: string) => gateway.contacts.unmerge(mergeId),
    onSuccess: refreshed,
  });
  if (merged === undefined) return null;
  if (merged !== null) {
    return (
      <Group gap="6px 10px" justify="space-between" fz="xs" role="status">
        <span>{t('mergedWith', { name: called(merged.other) })}</span>
        <Button
          size="compact-xs"
          variant="default"
          loading={undo.isPending}
          onClick={() => undo.mutate(merged.mergeId)}
        >
          {common('undo')}
        </Button>
        <Problem error={undo.error} />
      </Group>
    );
  }
  if (contact.phoneNumber !== null && contact.lid !== null) return null;
  if (q === null) {
    return (
      <Button size="compact-xs" variant="default" onClick={() => setQ('')}>
        {t('samePerson')}
      </Button>
    );
  }
  return (
    <Stack gap={8} className={classes.search}>
      <TextInput
        size="xs"
        autoFocus
        label={t('samePerson')}
        description={t('samePersonHint')}
        descriptionProps={{ fz: 'xs' }}
        {...inputOf(q, setQ)}
      />
      {others.length > 0 && (
        <ul aria-label={t('samePerson')}>
          {others.map((one) => (
            <li key={one.contactId}>
              <UnstyledButton disabled={merge.isPending} onClick={() => merge.mutate(one)}>
                <b dir="auto">{called(one)}</b>
                <Hint component="small">
                  {one.phoneNumber === null ? one.lid : readable(one.phoneNumber)}
                </Hint>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {words !== '' && found?.length === 0 && <Hint>{t('nobodyFits')}</Hint>}
      <Problem error={merge.error} />
      <Button
        size="compact-xs"
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setQ(null)}
      >
        {common('cancel')}
      </Button>
    </Stack>
  );
}
