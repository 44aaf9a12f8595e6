import { useFormatter, useTranslations } from 'use-intl';
import type { Campaign } from '../../../../sdk/index.ts';
import { Status } from '../../../parts/feedback.tsx';
import { Card } from '../../../parts/frames/page.tsx';
import classes from './page.module.css';

const stages = ['sent', 'delivered', 'read', 'replied'] as const;
const asides = ['failed', 'skipped', 'cancelled', 'optedOut'] as const;

/** How many came how far: each bar is a part of those who were sent it. */
export function Funnel({ counts }: { counts: Campaign['counts'] }) {
  const t = useTranslations('campaigns.page');
  const format = useFormatter();
  const share = (count: number) => (counts.sent === 0 ? 0 : count / counts.sent);
  return (
    <div className={classes.funnel}>
      <dl>
        {stages.map((stage) => (
          <div key={stage} className={classes.stage}>
            <dt>{t(stage)}</dt>
            <dd>
              <span className={classes.bar} aria-hidden="true">
                <span style={{ width: `${100 * share(counts[stage])}%` }} />
              </span>
              <b>{format.number(counts[stage])}</b>
              <span className={classes.share}>
                {format.number(share(counts[stage]), { style: 'percent' })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <dl className={classes.asides}>
        {asides.map((name) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{format.number(counts[name])}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Which of the texts is answered more. */
export function Texts({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('campaigns.page');
  const format = useFormatter();
  const { message, variants, variantCounts, winningVariant } = campaign;
  return (
    <Card title={t('texts')}>
      <ul className={classes.texts}>
        {[message, ...variants].map((one, index) => {
          const { sent = 0, replied = 0 } = variantCounts[index] ?? {};
          const letter = String.fromCharCode(65 + index);
          return (
            <li key={letter}>
              <div>
                <b>{t('textName', { letter })}</b>{' '}
                {winningVariant === index && <Status tone="green">{t('won')}</Status>}
              </div>
              <p className={classes.text}>{messageText(one)}</p>
              <span className={classes.quiet}>
                {t('answered', { replied, sent })}
                {sent > 0 && ` · ${format.number(replied / sent, { style: 'percent' })}`}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** What a person reads of a message: its text, or the caption of its file. */
export function messageText(message: Campaign['message']): string {
  const { type = 'text', text } = message as { type?: string; text?: string };
  if (text !== undefined) return text;
  const file = (message as Record<string, { caption?: string; fileName?: string } | undefined>)[type];
  return file?.caption ?? file?.fileName ?? type;
}
