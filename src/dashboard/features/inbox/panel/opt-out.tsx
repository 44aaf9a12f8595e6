import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { session } from '../../../gateway/session.ts';
import { useStore } from '../../../gateway/store.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { detailsOutdated } from '../../../queries/conversations/conversation-details.ts';

interface OptOutProps {
  conversationId: string;
  contactId: string;
  optedOutAt: string | null;
}

/** That they do not want to be written to. Owners and admins put it down, and take it back with their consent. */
export function OptOut({ conversationId, contactId, optedOutAt }: OptOutProps) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const mayChange = useStore(session.current)?.account.role !== 'agent';
  const change = useMutation({
    mutationFn: async (isOut: boolean) => {
      if (isOut) await gateway.optOuts.add({ contactId });
      else await gateway.optOuts.remove(contactId);
    },
    onSettled: () => detailsOutdated(conversationId),
  });
  if (optedOutAt === null) {
    if (!mayChange) return null;
    return (
      <Group gap={8} justify="space-between" fz="xs">
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => change.mutate(true)}
          loading={change.isPending}
        >
          {common('optOut')}
        </Button>
        <Problem error={change.error} />
      </Group>
    );
  }
  return (
    <Group gap={8} justify="space-between" fz="xs">
      <span>
        {t('optedOutAt')} <Moment at={optedOutAt} />
      </span>
      {mayChange && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => change.mutate(false)}
          loading={change.isPending}
        >
          {common('optIn')}
        </Button>
      )}
      <Problem error={change.error} />
    </Group>
  );
}
