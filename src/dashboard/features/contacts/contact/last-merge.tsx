import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Note, Problem } from '../../../parts/feedback.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { contactsChanged, lastMergeQuery, mergesOutdated } from '../../../queries/contacts.ts';

/** That this contact was two, while they can be parted again. */
export default function LastMerge({ contactId }: { contactId: string }) {
  const t = useTranslations('contacts.merge');
  const common = useTranslations('common');
  const contacts = useTranslations('contacts');
  const { data: merge } = useQuery(lastMergeQuery(contactId));
  const undo = useMutation({
    mutationFn: (mergeId: string) => gateway.contacts.unmerge(mergeId),
    onSuccess: () => Promise.all([mergesOutdated(), contactsChanged()]),
  });
  if (!merge) return null;
  const { name, pushName, phoneNumber, lid } = merge.other;
  const called =
    name ?? pushName ?? (phoneNumber === null ? (lid ?? contacts('nameless')) : readable(phoneNumber));
  return (
    <Note tone="blue">
      <p>
        {t('mergedWith', { name: called })} <Moment at={merge.mergedAt} />
      </p>
      <SmallButton mt={8} loading={undo.isPending} onClick={() => undo.mutate(merge.mergeId)}>
        {common('undo')}
      </SmallButton>
      <Problem error={undo.error} />
    </Note>
  );
}
