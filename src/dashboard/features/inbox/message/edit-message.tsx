import { Button, Flex, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { patchItem } from '../../../queries/conversations/conversation-items.ts';
import type { ChatMessage } from '../chat/timeline/timeline-rows.ts';

/** In the place of a text that was sent, for a quarter of an hour. */
export default function EditMessage({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const [text, setText] = useState(message.text);
  const edit = useMutation({
    mutationFn: () => gateway.messages.edit(message.messageId, text),
    onSuccess: () => {
      patchItem(message.messageId, { text, editedAt: new Date().toISOString() });
      onClose();
    },
  });
  const isReady = text.trim() !== '' && text !== message.text;
  return (
    <Stack gap={8} w="min(440px, 70vw)">
      <Textarea
        autoFocus
        maxRows={10}
        aria-label={t('edit')}
        {...inputOf(text, setText)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (isReady) edit.mutate();
        }}
      />
      <Problem error={edit.error} />
      <Flex component="span" gap={6} justify="flex-end">
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button size="compact-sm" disabled={!isReady} loading={edit.isPending} onClick={() => edit.mutate()}>
          {common('save')}
        </Button>
      </Flex>
    </Stack>
  );
}
