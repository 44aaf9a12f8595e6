import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { RequestDetail } from '../../../sdk/index.ts';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { CodeBlock, ShortId } from '../../parts/values/copyable.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { requestQuery } from '../../queries/developers/requests.ts';
import { RequestStatus } from './requests-page.tsx';

/** One request: when, how long, and where it failed what it sent and got. */
export default function RequestPanel() {
  const t = useTranslations('requests');
  const { requestId } = useParams({ from: '/signed-in/developer/requests/$requestId' });
  const search = useSearch({ from: '/signed-in/developer/requests' });
  const navigate = useNavigate();
  const query = useQuery(requestQuery(requestId));
  const request = query.data;
  return (
    <SidePanel
      key={requestId}
      title={request === undefined ? t('request') : `${request.method} ${request.route}`}
      name={t('request')}
      query={query}
      onClose={() => void navigate({ to: '/developer/requests', search })}
    >
      {request && <Details request={request} />}
    </SidePanel>
  );
}

function Details({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests');
  const common = useTranslations('common');
  const { requestId, status, code, durationMs, at, messageId, query, body, answer } = request;
  const bodies = [
    [t('query'), query],
    [t('body'), body],
    [common('response'), answer],
  ] as const;
  const kept = bodies.filter(([, value]) => value !== null);
  return (
    <>
      <Facts
        facts={[
          [common('state'), <RequestStatus key="status" status={status} code={code} />],
          [common('time'), <Moment key="at" at={at} />],
          [t('columnDuration'), t('milliseconds', { count: durationMs })],
          [t('requestId'), <ShortId key="id" id={requestId} />],
          messageId !== null && [common('message'), <ShortId key="message" id={messageId} />],
        ]}
      />
      {kept.map(([name, value]) => (
        <section key={name}>
          <h3>{name}</h3>
          <CodeBlock text={JSON.stringify(value, null, 2)} name={name} isFolded />
        </section>
      ))}
      {status >= 400 && <p>{t('redacted')}</p>}
    </>
  );
}
