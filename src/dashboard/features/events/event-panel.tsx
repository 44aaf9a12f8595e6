import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { StreamEvent } from '../../../sdk/index.ts';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { CodeBlock, ShortId } from '../../parts/values/copyable.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { eventQuery } from '../../queries/developers/events.ts';
import { useNumberLabel } from '../../queries/numbers.ts';

/** One event, exactly as a webhook gets it. */
export default function EventPanel() {
  const t = useTranslations('events');
  const common = useTranslations('common');
  const { cursor } = useParams({ from: '/signed-in/developer/events/$cursor' });
  const search = useSearch({ from: '/signed-in/developer/events' });
  const navigate = useNavigate();
  const query = useQuery(eventQuery(cursor));
  const event = query.data;
  return (
    <SidePanel
      key={cursor}
      title={event?.event ?? common('event')}
      subtitle={event && <Moment at={event.timestamp} />}
      query={query}
      onClose={() => void navigate({ to: '/developer/events', search })}
    >
      {event === null && <p>{t('gone')}</p>}
      {event && <Details event={event} />}
    </SidePanel>
  );
}

function Details({ event }: { event: StreamEvent }) {
  const t = useTranslations('events');
  const common = useTranslations('common');
  const labelOf = useNumberLabel();
  const { cursor, ...payload } = event;
  const { id, data } = payload;
  const numberId = 'numberId' in data ? data.numberId : undefined;
  const messageId = 'messageId' in data ? data.messageId : undefined;
  return (
    <>
      <Facts
        facts={[
          [common('id'), <ShortId key="id" id={id} />],
          numberId !== undefined && [
            common('number'),
            <Link key="number" to="/numbers/$numberId" params={{ numberId }}>
              {labelOf(numberId) ?? numberId}
            </Link>,
          ],
          messageId !== undefined && [
            common('message'),
            <Link key="message" to="/messages/$messageId" params={{ messageId }}>
              {t('toMessage')}
            </Link>,
          ],
          [t('cursor'), <ShortId key="cursor" id={cursor} />],
        ]}
      />
      <section aria-label={t('payloadTitle')}>
        <CodeBlock name={t('payload')} text={JSON.stringify(payload, null, 2)} isFolded />
      </section>
    </>
  );
}
