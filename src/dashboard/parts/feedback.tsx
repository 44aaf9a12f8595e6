import { Button, Center, Skeleton, Stack, Text } from '@mantine/core';
import type { InfiniteData, InfiniteQueryObserverResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
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
} from '../../sdk/index.ts';
import classes from './feedback.module.css';
import { Hint } from './hint.tsx';
import { Icon, type IconName } from './icon.tsx';
import { SmallButton } from './small-button.tsx';

export type Tone = 'green' | 'blue' | 'amber' | 'red' | 'grey';

const statusIcons: Record<Tone, IconName> = {
  green: 'good',
  blue: 'info',
  amber: 'clock',
  red: 'bad',
  grey: 'off',
};

/** A state: colour, icon and word together. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      <Icon name={statusIcons[tone]} size={14} />
      {children}
    </span>
  );
}

type NoteTone = 'amber' | 'blue' | 'red' | 'green';

const noteIcons: Record<NoteTone, IconName> = { amber: 'warning', blue: 'info', red: 'bad', green: 'good' };

/** A sentence that should not be missed, and maybe what to do about it. */
export function Note({ tone, title, children }: { tone: NoteTone; title?: string; children: ReactNode }) {
  return (
    <div className={classes.note} data-tone={tone}>
      <Icon name={noteIcons[tone]} />
      <div className={classes.noteText}>
        {title !== undefined && <h3>{title}</h3>}
        {children}
      </div>
    </div>
  );
}

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
      <div className={classes.problemText}>
        <p>{sentence(error)}</p>
        {message !== null && <Hint mt={4}>{t('gatewaySays', { message })}</Hint>}
        {error instanceof ApiError && error.requestId !== '' && (
          <Hint mt={4}>
            {t('requestId')} <code>{error.requestId}</code>
          </Hint>
        )}
      </div>
      {onRetry !== undefined && <SmallButton onClick={onRetry}>{common('tryAgain')}</SmallButton>}
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

/** A page without content teaches: what this is, maybe a line that runs, one button. */
export function Empty(props: { icon: IconName; title: string; lead: string; children?: ReactNode }) {
  return (
    <Stack
      component="section"
      align="center"
      gap={10}
      p="56px 20px"
      bg="var(--surface)"
      bd="1px dashed var(--line)"
      bdrs="lg"
      ta="center"
    >
      <Center w={44} h={44} c="dimmed" bg="var(--sunken)" bdrs="lg">
        <Icon name={props.icon} size={22} />
      </Center>
      <h2>{props.title}</h2>
      <Text c="dimmed" maw="52ch" mb={8}>
        {props.lead}
      </Text>
      {props.children}
    </Stack>
  );
}

/** Rows in the place of what comes; they show themselves only when it takes a while. */
export function Waiting({ rows = 4, height = 36 }: { rows?: number; height?: number }) {
  const t = useTranslations('common');
  return (
    <div className={classes.waiting} role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <Skeleton key={row} height={height} radius="sm" />
      ))}
    </div>
  );
}

export interface QueryStateProps {
  query: { error: unknown; isPending: boolean; refetch: () => unknown };
  /** Of what stands in its place meanwhile. */
  rows?: number;
  height?: number;
}

/** While something is asked for, rows in its place; where that failed, why, and a button that asks again. */
export function QueryState({ query, ...place }: QueryStateProps) {
  return (
    <>
      {query.isPending && <Waiting {...place} />}
      <Problem error={query.error} onRetry={() => void query.refetch()} />
    </>
  );
}

type MorePages = InfiniteQueryObserverResult<InfiniteData<unknown>>;

/**
 * Asks for one page more. A list that is being asked for anew is waited for, not interrupted; and where that took the
 * page's turn (TanStack Query drops it then), the page is asked for once more.
 */
async function loadMore(query: MorePages): Promise<void> {
  const had = query.data?.pages.length ?? 0;
  let now = query;
  do now = await now.fetchNextPage({ cancelRefetch: false });
  while (now.isSuccess && now.hasNextPage && now.data.pages.length <= had);
}

/** Asks for the page behind the end of a list that is in sight. */
export function nextPage({ hasNextPage, isFetching, fetchNextPage }: MorePages): () => void {
  // Read while the list is drawn, so that it is drawn again, and its end looked for again, when it has been asked for.
  const isThere = hasNextPage && !isFetching;
  return () => {
    if (isThere) void fetchNextPage();
  };
}

/** The button below a list that has more. Nothing where it has not. */
export function More({ query }: { query: MorePages }) {
  const t = useTranslations('common');
  const [isLoading, setLoading] = useState(false);
  if (!query.hasNextPage) return null;
  const load = async () => {
    setLoading(true);
    await loadMore(query);
    setLoading(false);
  };
  return (
    <div>
      <Button variant="default" loading={isLoading} onClick={() => void load()}>
        {t('loadMore')}
      </Button>
    </div>
  );
}
