import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import type { StreamEvent } from '../../../sdk/index.ts';
import { QueryState } from '../../parts/feedback.tsx';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { CodeBlock, ShortId } from '../../parts/values/copyable.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { eventQuery } from '../../queries/developers/events.ts';
import { useNumberLabel } from '../../queries/numbers.ts';

/** One event, exactly as a webhook gets it. */
export function EventPanel() {
  const t = useTranslations('events');
  const { cursor } = useParams({ from: '/signed-in/developer/events/$cursor' });
  const search = useSearch({ from: '/signed-in/developer/events' });
  const navigate = useNavigate();
  const close = useCallback(() => void navigate({ to: '/developer/events', search }), [navigate, search]);
  const query = useQuery(eventQuery(cursor));
  const event = query.data;
  if (event === undefined || event === null) {
    return (
      <SidePanel key={cursor} title={t('event')} name={t('event')} onClose={close}>
        <QueryState query={query} />
        {event === null && <p>{t('gone')}</p>}
      </SidePanel>
    );
  }
  const { cursor: _place, ...payload } = event;
  return (
    <SidePanel
      key={cursor}
      title={event.event}
      subtitle={<Moment at={event.timestamp} />}
      name={event.event}
      onClose={close}
    >
      <EventFacts event={event} />
      <section aria-label={t('payloadTitle')}>
        <CodeBlock name={t('payload')} text={JSON.stringify(payload, null, 2)} isFolded />
      </section>
    </SidePanel>
  );
}

function EventFacts({ event }: { event: StreamEvent }) {
  const t = useTranslations('events');
  const common = useTranslations('common');
  const labelOf = useNumberLabel();
  const { data } = event;
  const numberId = 'numberId' in data ? data.numberId : undefined;
  const messageId = 'messageId' in data ? data.messageId : undefined;
  return (
    <Facts
      facts={[
        [common('id'), <ShortId key="id" id={event.id} />],
        ...(numberId === undefined
          ? []
          : ([
              [
                common('number'),
                <Link key="number" to="/numbers/$numberId" params={{ numberId }}>
                  {labelOf(numberId) ?? numberId}
                </Link>,
              ],
            ] as const)),
        ...(messageId === undefined
          ? []
          : ([
              [
                common('message'),
                <Link key="message" to="/messages/$messageId" params={{ messageId }}>
                  {t('toMessage')}
                </Link>,
              ],
            ] as const)),
        [t('cursor'), <ShortId key="cursor" id={event.cursor} />],
      ]}
    />
  );
}
