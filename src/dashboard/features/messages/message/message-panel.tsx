import { CopyButton, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Message } from '../../../../sdk/index.ts';
import { SidePanel } from '../../../parts/frames/side-panel.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { ShortId } from '../../../parts/values/copyable.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { MessagePath } from '../../../parts/values/message-path.tsx';
import { useMessageText } from '../../../parts/values/message-text.ts';
import { Moment } from '../../../parts/values/moment.tsx';
import { otherSide } from '../../../parts/values/phone-numbers.ts';
import { messageQuery } from '../../../queries/messages.ts';
import { useNumberLabel } from '../../../queries/numbers.ts';
import classes from './message.module.css';
import { Raw } from './message-deliveries.tsx';

const MessageDeliveries = lazy(() => import('./message-deliveries.tsx'));

/** One message: its steps with the times between them, why it waits or failed, and who sent it and why. */
export default function MessagePanel() {
  const t = useTranslations('messages');
  const common = useTranslations('common');
  const textOf = useMessageText();
  const { messageId } = useParams({ from: '/signed-in/messages/$messageId' });
  const search = useSearch({ from: '/signed-in/messages' });
  const navigate = useNavigate();
  const query = useQuery(messageQuery(messageId));
  const message = query.data;
  return (
    <SidePanel
      key={messageId}
      title={message === undefined ? common('message') : otherSide(message)}
      subtitle={message && <MessagePath message={message} />}
      name={common('message')}
      query={query}
      onClose={() => void navigate({ to: '/messages', search })}
    >
      {message && (
        <>
          {message.direction === 'outbound' && <MessageTimeline message={message} />}
          <p className={classes.bubble} data-direction={message.direction}>
            {textOf(message)}
          </p>
          <FailedActions message={message} />
          {message.direction === 'outbound' && <Actions message={message} />}
          <MessageFacts message={message} />
          <Suspense>
            <MessageDeliveries messageId={messageId} />
          </Suspense>
          <Raw name={t('raw')} value={message} />
        </>
      )}
    </SidePanel>
  );
}

/** What was to be done to it and came to nothing. */
function FailedActions({ message: { failedActions = [] } }: { message: Message }) {
  const t = useTranslations('messages');
  if (failedActions.length === 0) return null;
  return (
    <Stack component="ul" gap={4} p="10px 12px" bdrs="md" bg="var(--red-tint)" aria-label={t('notDone')}>
      {failedActions.map(({ action, acceptedAt, failedAt, errorMessage }) => (
        <li key={`${action} ${acceptedAt}`}>
          {t('failedAction', { action, reason: errorMessage })} <Moment at={failedAt} />
        </li>
      ))}
    </Stack>
  );
}

function Actions({ message }: { message: Message }) {
  const t = useTranslations('messages');
  const common = useTranslations('common');
  const { to, contactId, text, messageType } = message;
  if (messageType !== 'text' || text === null) return null;
  const body = JSON.stringify({ ...(to === undefined ? { contactId } : { to }), text }).replaceAll(
    "'",
    "'\\''",
  );
  const curl = [
    `curl -X POST ${window.location.origin}/v1/messages/send`,
    "-H 'X-API-Key: sk_live_…' -H 'Content-Type: application/json'",
    `-d '${body}'`,
  ].join(' ');
  return (
    <Group gap="xs">
      <CopyButton value={curl}>
        {({ copied, copy }) => (
          <SmallButton onClick={copy}>{copied ? common('copied') : t('copyCurl')}</SmallButton>
        )}
      </CopyButton>
      <SmallButton component={Link} to="/messages/send" search={{ to, text } as never}>
        {t('sendAgain')}
      </SmallButton>
    </Group>
  );
}

function MessageFacts({ message }: { message: Message }) {
  const t = useTranslations('messages');
  const common = useTranslations('common');
  const { numberId, sender, messageId, providerMessageId, clientReference, sendAt } = message;
  const label = useNumberLabel()(numberId);
  const number = (
    <Link to="/numbers/$numberId" params={{ numberId }}>
      {label ?? <ShortId id={numberId} />}
    </Link>
  );
  const source = sender?.source ?? null;
  return (
    <Facts
      facts={[
        [common('number'), number],
        source !== null && [t('why'), t(`sources.${source}`)],
        message.direction === 'inbound' && [
          common('status.received'),
          <Moment key="at" at={message.receivedAt} />,
        ],
        sendAt !== null && [t('sendAt'), <Moment key="sendAt" at={sendAt} />],
        clientReference !== null && [t('clientReference'), clientReference],
        [common('id'), <ShortId key="id" id={messageId} />],
        providerMessageId !== null && [t('providerId'), <ShortId key="provider" id={providerMessageId} />],
      ]}
    />
  );
}

/** The path of a message, large: four lights on a line, with the times between them, lit as it goes. */
function MessageTimeline({ message }: { message: Message }) {
  const t = useTranslations('messages');
  const status = useTranslations('common.status');
  const between = useDuration();
  const steps = [
    ['queued', message.queuedAt],
    ['sent', message.sentAt],
    ['delivered', message.deliveredAt],
    ['read', message.readAt],
  ] as const;
  const reached = steps.filter(([, at]) => at !== null).length;
  return (
    <section className={classes.timeline} data-status={message.status} aria-label={t('steps')}>
      <ol className={classes.steps}>
        {steps.map(([step, at], place) => {
          const before = steps[place - 1]?.[1] ?? null;
          return (
            <li key={step} data-lit={at !== null}>
              <i aria-hidden="true" />
              <b>{status(step)}</b>
              <Stack component="span" gap={0} fz="xs">
                {at !== null && <Moment at={at} />}
                {at !== null && before !== null && <small>{between(before, at)}</small>}
              </Stack>
            </li>
          );
        })}
      </ol>
      {message.status === 'failed' && (
        <p className={classes.failed}>
          {t('failed', { reason: message.errorMessage ?? '–' })} <Moment at={message.failedAt} />
          {message.errorCode && <code>{message.errorCode}</code>}
        </p>
      )}
      {message.hint !== undefined && <p className={classes.waits}>{t('notDelivered')}</p>}
      {message.status === 'queued' && reached === 1 && <Waits message={message} />}
    </section>
  );
}

function Waits({ message: { heldReason, expectedAt } }: { message: Message }) {
  const t = useTranslations('messages');
  const format = useFormatter();
  if (heldReason === null || heldReason === undefined) return null;
  return (
    <p className={classes.waits}>
      {t(`held.${heldReason}`)}{' '}
      {expectedAt !== null &&
        expectedAt !== undefined &&
        t('expected', {
          time: format.dateTime(new Date(expectedAt), { dateStyle: 'medium', timeStyle: 'medium' }),
        })}
    </p>
  );
}

/** How long it took from one step to the next. */
function useDuration() {
  const format = useFormatter();
  return (from: string, to: string): string => {
    const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
    const shown = (value: number, unit: 'millisecond' | 'second' | 'minute' | 'hour', digits: number) =>
      `+${format.number(value, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: digits })}`;
    if (seconds < 1) return shown(seconds * 1000, 'millisecond', 0);
    if (seconds < 60) return shown(seconds, 'second', 2);
    if (seconds < 3600) return shown(seconds / 60, 'minute', 1);
    return shown(seconds / 3600, 'hour', 1);
  };
}
