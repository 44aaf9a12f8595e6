import { Box, Button, Flex, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Contact } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { detailsOutdated } from '../../../queries/conversations/conversation-details.ts';
import { conversationsOutdated } from '../../../queries/conversations/conversation-lists.ts';

/** The name by which a contact is known here, and the fields of its own. */
export function ContactFields({ conversationId, contact }: { conversationId: string; contact: Contact }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const [isEditing, setEditing] = useState(false);
  const attributes = Object.entries(contact.attributes);
  const [name, setName] = useState('');
  const [fields, setFields] = useState<Record<string, string>>({});
  const save = useMutation({
    mutationFn: () =>
      gateway.contacts.update(contact.contactId, {
        name: name.trim() === '' ? null : name.trim(),
        attributes: Object.fromEntries(
          attributes.map(([key, value]) => [key, typed(fields[key] ?? String(value), value)]),
        ),
      }),
    onSuccess: () => {
      setEditing(false);
      void detailsOutdated(conversationId);
      void conversationsOutdated();
    },
  });
  if (!isEditing) {
    return (
      <>
        {attributes.length > 0 && (
          <Box fz="xs">
            <Facts
              facts={attributes.map(([key, value]) => [
                key,
                <span key={key} dir="auto">
                  {String(value)}
                </span>,
              ])}
            />
          </Box>
        )}
        <Button
          size="compact-xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            setName(contact.name ?? '');
            setFields(Object.fromEntries(attributes.map(([key, value]) => [key, String(value)])));
            setEditing(true);
          }}
        >
          {t('editContact')}
        </Button>
      </>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Stack component="form" gap={8} onSubmit={submit}>
      <TextInput
        size="xs"
        label={common('name')}
        value={name}
        maxLength={100}
        autoFocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {attributes.map(([key]) => (
        <TextInput
          key={key}
          size="xs"
          label={key}
          value={fields[key] ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setFields((before) => ({ ...before, [key]: value }));
          }}
        />
      ))}
      <Problem error={save.error} />
      <Flex gap={6} justify="flex-end">
        <Button size="compact-xs" variant="default" onClick={() => setEditing(false)}>
          {common('cancel')}
        </Button>
        <Button size="compact-xs" type="submit" loading={save.isPending}>
          {common('save')}
        </Button>
      </Flex>
    </Stack>
  );
}

/** What was a number stays one, where it still is. */
function typed(text: string, before: string | number | boolean): string | number | boolean {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
