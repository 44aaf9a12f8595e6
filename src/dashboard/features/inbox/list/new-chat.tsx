import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { inputOf } from '../../../parts/fields/input.ts';
import { SaveDialog } from '../../../parts/frames/dialog-form.tsx';
import { showConversations } from '../../../queries/conversations/conversation-lists.ts';
import { keepFilters } from '../inbox-search.ts';
import { useNames, useOwnId } from '../people/names.ts';

/** A chat with whom nobody has talked yet. */
export default function NewChat({ onClose }: { onClose: () => void }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const { numbers } = useNames();
  const navigate = useNavigate();
  const ownId = useOwnId();
  const [to, setTo] = useState('');
  const [numberId, setNumberId] = useState<string | null>(null);
  const from = numberId ?? numbers[0]?.numberId;
  const start = async () => {
    const conversation = await gateway.conversations.begin({ numberId: from ?? '', to: to.trim() });
    showConversations([conversation], ownId);
    const { conversationId } = conversation;
    void navigate({ to: '/inbox/$conversationId', params: { conversationId }, search: keepFilters });
  };
  return (
    <SaveDialog
      title={t('newChat')}
      save={start}
      isDirty={to.trim() !== ''}
      action={t('start')}
      canSubmit={to.trim() !== '' && from !== undefined}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={common('phoneNumber')}
        description={common('withCountryCode')}
        {...inputOf(to, setTo)}
        autoComplete="off"
        inputMode="tel"
      />
      <NativeSelect
        label={t('through')}
        {...inputOf(from ?? '', setNumberId)}
        data={numbers.map((number) => ({ value: number.numberId, label: number.label }))}
      />
    </SaveDialog>
  );
}
