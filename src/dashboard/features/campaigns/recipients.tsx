import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Campaign, CampaignRecipient } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { ProblemOrStepUp } from '../../parts/asking/step-up.tsx';
import { More, Problem, Status, Waiting } from '../../parts/feedback.tsx';
import { Filter } from '../../parts/fields/filters.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { readable } from '../../parts/values/phone-numbers.ts';
import { saveFile } from '../../parts/values/save-file.ts';
import { recipientsQuery } from '../../queries/campaigns.ts';
import { recipientFilters, recipientTone } from './campaign-state.ts';
import classes from './campaigns.module.css';

/** Everybody that it is for, and how far it is with each. */
export function Recipients({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('campaigns.recipients');
  const common = useTranslations('common');
  const { campaignId } = campaign;
  const { status } = useSearch({ from: '/signed-in/campaigns/$campaignId' });
  const navigate = useNavigate({ from: '/campaigns/$campaignId' });
  const recipients = useInfiniteQuery(recipientsQuery(campaignId, status, campaign.status === 'running'));
  const file = useMutation({
    mutationFn: async () => {
      const filter = status === undefined ? {} : { status };
      await saveFile(
        await gateway.campaigns.recipientsFile(campaignId, filter),
        `campaign-${campaign.name}.csv`,
      );
    },
  });
  const all = recipients.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Stack component="section" gap="sm" aria-labelledby="recipients-title">
      <Group component="header" gap="sm" justify="space-between">
        <h2 id="recipients-title">{t('title')}</h2>
        <Group gap={8} align="stretch">
          {campaign.counts.replied > 0 && (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/inbox" search={{ campaign: campaignId, status: 'any' }} {...props} />
              )}
            >
              {t('answers')}
            </Button>
          )}
          <Filter
            aria-label={t('filter')}
            any={t('all')}
            choices={recipientFilters.map((value) => ({ value, label: t(`status.${value}`) }))}
            value={status}
            onChange={(chosen) =>
              void navigate({ search: chosen === undefined ? {} : { status: chosen }, replace: true })
            }
          />
          <Button variant="default" loading={file.isPending} onClick={() => file.mutate()}>
            {common('downloadCsv')}
          </Button>
        </Group>
      </Group>
      {recipients.isPending && <Waiting />}
      <ProblemOrStepUp error={file.error} onConfirmed={() => file.mutate()} />
      <Problem error={recipients.error} />
      {recipients.data !== undefined && all.length === 0 && <Text c="dimmed">{t('none')}</Text>}
      {all.length > 0 && <RecipientsTable recipients={all} />}
      <More query={recipients} />
    </Stack>
  );
}

function RecipientsTable({ recipients }: { recipients: readonly CampaignRecipient[] }) {
  const t = useTranslations('campaigns.recipients');
  const common = useTranslations('common');
  return (
    <DataTable
      rows={recipients}
      keyOf={({ phoneNumber, contactId }, place) => phoneNumber ?? contactId ?? `erased ${place}`}
      columns={[
        { head: t('columnWho'), cell: (recipient) => <Who recipient={recipient} /> },
        {
          head: common('state'),
          className: classes.states,
          cell: (recipient) => (
            <>
              <Status tone={recipientTone[recipient.status]}>{t(`status.${recipient.status}`)}</Status>
              {recipient.repliedAt !== null && <Status tone="blue">{t('status.replied')}</Status>}
              {recipient.optedOutAt !== null && <Status tone="red">{t('status.opted_out')}</Status>}
            </>
          ),
        },
        {
          head: common('time'),
          isWide: true,
          isQuiet: true,
          cell: (recipient) => <Moment at={lastOf(recipient)} />,
        },
        {
          head: t('columnWhy'),
          isWide: true,
          isQuiet: true,
          cell: (recipient) => <Why recipient={recipient} />,
        },
      ]}
    />
  );
}

function Who({ recipient: { phoneNumber, contactId, name, messageId } }: { recipient: CampaignRecipient }) {
  const t = useTranslations('campaigns.recipients');
  const unnumbered = contactId === null ? t('erased') : t('noPhone');
  const number = phoneNumber === null ? unnumbered : readable(phoneNumber);
  return (
    <>
      {messageId === null ? (
        <span>{number}</span>
      ) : (
        <Link to="/messages/$messageId" params={{ messageId }}>
          {number}
        </Link>
      )}
      {name !== null && <small>{name}</small>}
    </>
  );
}

function Why({ recipient: { status, reason, errorMessage } }: { recipient: CampaignRecipient }) {
  const t = useTranslations('campaigns');
  if (status === 'skipped' && reason !== null && t.has(`skip.${reason}` as 'skip.quota')) {
    return t(`skip.${reason}` as 'skip.quota');
  }
  return status === 'failed' ? (errorMessage ?? reason) : null;
}

const lastOf = ({ readAt, deliveredAt, sentAt, failedAt }: CampaignRecipient) =>
  failedAt ?? readAt ?? deliveredAt ?? sentAt;
