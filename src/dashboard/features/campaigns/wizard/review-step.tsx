import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { CampaignPreview } from '../../../../sdk/index.ts';
import { Note, QueryState } from '../../../parts/feedback.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { previewQuery } from '../../../queries/campaigns.ts';
import { PhoneBubble } from './phone-bubble.tsx';
import classes from './wizard.module.css';

/** What would come of it, in plain words: before anybody gets anything. */
export default function ReviewStep({ campaignId }: { campaignId: string }) {
  const preview = useQuery(previewQuery(campaignId));
  return (
    <>
      <QueryState query={preview} />
      {preview.data !== undefined && <Review preview={preview.data} />}
    </>
  );
}

type SkipReason = CampaignPreview['left'][number]['reason'];
const bad: readonly CampaignPreview['warnings'][number][] = ['nobody', 'no_number', 'never_ends'];

function Review({ preview }: { preview: CampaignPreview }) {
  const t = useTranslations('campaigns');
  const { willGet, isPartial, skipped, examples, warnings, left: someLeft } = preview;
  const reasons = Object.entries(skipped) as [SkipReason, number][];
  const left = reasons.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0} className={classes.review}>
        <Text fz="xl" fw={600}>
          {isPartial ? t('review.getsPartly', { count: willGet }) : t('review.gets', { count: willGet })}
        </Text>
        {warnings.map((warning) => (
          <Note key={warning} tone={bad.includes(warning) ? 'red' : 'amber'}>
            {t(`review.warning.${warning}`)}
          </Note>
        ))}
        <ReviewFacts preview={preview} />
        {left > 0 && (
          <div>
            <h2>{t('review.skipped', { count: left })}</h2>
            <ul className={classes.reasons}>
              {reasons.map(([reason, count]) => (
                <li key={reason}>
                  <span>
                    {t(`skip.${reason}`)}
                    <Hint component="small">
                      {someLeft
                        .filter((one) => one.reason === reason)
                        .slice(0, 3)
                        .map(({ to, name }) => name ?? (to === null ? t('recipients.noPhone') : readable(to)))
                        .join(', ')}
                    </Hint>
                  </span>
                  <b>{count}</b>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Stack>
      {examples.length > 0 && (
        <Stack gap={12} className={classes.review}>
          <h2>{t('review.examples')}</h2>
          {examples.map(({ to, contactId, name, text }) => (
            <Stack gap={4} key={contactId} className={classes.example}>
              <Hint span>{name ?? (to === null ? t('recipients.noPhone') : readable(to))}</Hint>
              <PhoneBubble text={text} values={{}} />
            </Stack>
          ))}
        </Stack>
      )}
    </div>
  );
}

function ReviewFacts({ preview }: { preview: CampaignPreview }) {
  const t = useTranslations('campaigns.review');
  const common = useTranslations('common');
  const format = useFormatter();
  const length = useLength();
  const { startsAt, finishesAt, quota, numbers, willGet } = preview;
  const ms = finishesAt === null ? null : Date.parse(finishesAt) - Date.parse(startsAt);
  const isLater = Date.parse(startsAt) > Date.now() + 60_000;
  const ready = numbers.filter(({ hindrance }) => hindrance === null).length;
  return (
    <Facts
      facts={[
        [t('starts'), isLater ? <Moment key="starts" at={startsAt} /> : t('atOnce')],
        ...(willGet === 0
          ? []
          : ([
              [t('takes'), ms === null ? t('never') : length(ms)],
              ...(finishesAt === null ? [] : ([[t('ends'), <Moment key="ends" at={finishesAt} />]] as const)),
            ] as const)),
        [common('numbers'), t('canSend', { ready, all: numbers.length })],
        [t('quota'), quota.left === null ? t('noLimit') : format.number(quota.left)],
      ]}
    />
  );
}

/** A length of time as people say it. */
function useLength() {
  const common = useTranslations('common');
  return (ms: number): string => {
    const minutes = Math.max(1, Math.round(ms / 60_000));
    if (minutes < 90) return common('minutes', { count: minutes });
    const hours = Math.round(minutes / 60);
    return hours < 48 ? common('hours', { count: hours }) : common('days', { count: Math.round(hours / 24) });
  };
}
