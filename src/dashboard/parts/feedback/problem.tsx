import { Button } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  RecipientError,
  SenderUnavailableError,
  TimeoutError,
} from '../../../sdk/index.ts';
import { Icon } from '../icon.tsx';
import classes from './problem.module.css';

/** What happened, what was kept, what to do, and the request id. Nothing where there is no error. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useTranslations('problems');
  const common = useTranslations('common');
  const sentence = useSentence();
  if (error === null || error === undefined) return null;
  const message = gatewayMessage(error);
  return (
    <div className={classes.problem} role="alert">
      <Icon name="warning" />
      <div className={classes.text}>
        <p>{sentence(error)}</p>
        {message !== null && <p className={classes.message}>{t('gatewaySays', { message })}</p>}
        {error instanceof ApiError && error.requestId !== '' && (
          <p className={classes.id}>
            {t('requestId')} <code>{error.requestId}</code>
          </p>
        )}
      </div>
      {onRetry !== undefined && (
        <Button variant="default" size="xs" onClick={onRetry}>
          {common('tryAgain')}
        </Button>
      )}
    </div>
  );
}

/** Its own words, where they say more than ours: they name the field, the number or the state. */
function gatewayMessage(error: unknown): string | null {
  const isPlain = error instanceof NotFoundError || error instanceof RateLimitError;
  if (!(error instanceof ApiError) || isPlain || error instanceof AuthenticationError) return null;
  const fields = error.details.flatMap((detail) =>
    'path' in detail ? [`${detail.path}: ${detail.message}`] : [],
  );
  return [error.message, ...fields].join(' ');
}

function useSentence() {
  const t = useTranslations('problems');
  const format = useFormatter();
  return (error: unknown): string => {
    if (error instanceof TimeoutError) return t('timeout');
    if (error instanceof ConnectionError) return t('unreachable');
    if (error instanceof AuthenticationError) return t('signedOut');
    if (error instanceof PermissionError) return t('forbidden');
    if (error instanceof NotFoundError) return t('notFound');
    if (error instanceof ConflictError) return t('conflict');
    if (error instanceof InvalidRequestError) return t('invalid');
    if (error instanceof RecipientError) return t('recipient');
    if (error instanceof SenderUnavailableError) return t('noSender');
    if (error instanceof RateLimitError) return t('rateLimited', { seconds: error.retryAfterSeconds ?? 5 });
    if (error instanceof QuotaExceededError && error.resetAt !== undefined) {
      return t('quota', { date: format.dateTime(new Date(error.resetAt), { dateStyle: 'long' }) });
    }
    return t('internal');
  };
}
