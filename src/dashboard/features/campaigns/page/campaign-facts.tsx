import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { Campaign } from '../../../../sdk/index.ts';
import { Card } from '../../../parts/frames/card.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { importQuery, segmentsQuery } from '../../../queries/contacts/contacts.ts';
import { numbersQuery } from '../../../queries/numbers/numbers.ts';
import { messageText } from './funnel.tsx';
import classes from './page.module.css';

/** What it is to do. */
export function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('campaigns.page');
  const wizard = useTranslations('campaigns.wizard');
  const numbers = useQuery(numbersQuery);
  const audience = useAudience(campaign.audience);
  const { window, ratePerHour, numberIds, startedAt, endedAt, createdAt } = campaign;
  const labelOf = (id: string) => numbers.data?.find(({ numberId }) => numberId === id)?.label ?? id;
  return (
    <Card title={t('what')}>
      <Facts
        facts={[
          [
            t('message'),
            <span key="message" className={classes.text}>
              {messageText(campaign.message)}
            </span>,
          ],
          [t('audience'), audience],
          [wizard('numbers'), numberIds === 'pool' ? wizard('pool') : numberIds.map(labelOf).join(', ')],
          [
            wizard('hours'),
            window === null
              ? t('anyTime')
              : `${window.days.map((day) => wizard(`dayNames.${day}`)).join(', ')} · ${window.from}–${window.to} · ${
                  window.timeZone === 'recipient' ? wizard('recipientZone') : window.timeZone
                }`,
          ],
          [wizard('rate'), ratePerHour === null ? t('asPacing') : t('perHour', { count: ratePerHour })],
          [t('created'), <Moment key="created" at={createdAt} />],
          ...(startedAt === null ? [] : ([[t('started'), <Moment key="started" at={startedAt} />]] as const)),
          ...(endedAt === null ? [] : ([[t('ended'), <Moment key="ended" at={endedAt} />]] as const)),
        ]}
      />
    </Card>
  );
}

function useAudience({ label, segmentId, csv, contactIds, coldContacts }: Campaign['audience']): string {
  const t = useTranslations('campaigns.wizard');
  const format = useFormatter();
  const segments = useQuery(segmentsQuery);
  const imported = useQuery({ ...importQuery(csv ?? ''), enabled: csv !== undefined });
  const who = () => {
    if (label !== undefined) return label;
    if (csv !== undefined) return imported.data?.fileName ?? t('csv');
    if (segmentId !== undefined)
      return segments.data?.find((segment) => segment.segmentId === segmentId)?.name ?? t('segment');
    return contactIds === undefined ? t('all') : t('chosen', { count: format.number(contactIds.length) });
  };
  return coldContacts ? `${who()} · ${t('cold')}` : who();
}
