import { useFormatter, useTranslations } from 'use-intl';
import classes from './pacing-preview.module.css';
import { type PacingFields, pacingOf, previewOf } from './pacing-rules.ts';

/** What the settings on screen come to, before they are saved. */
export function PacingPreview({ fields, isValid }: { fields: PacingFields; isValid: boolean }) {
  const t = useTranslations('numbers.pacing');
  const format = useFormatter();
  if (!isValid) return null;
  const { perHour, secondsApart, hours, perDay, warmUp } = previewOf(pacingOf(fields));
  return (
    <div className={classes.preview} role="status">
      <h3>{t('preview')}</h3>
      <p>
        {perHour === null ? t('previewUnpaced') : t('previewRate', { hour: perHour, seconds: secondsApart })}
      </p>
      <p>{perDay === null ? t('previewDayOpen') : t('previewDay', { day: perDay, hours })}</p>
      {warmUp.length > 0 && (
        <p>{t('previewWarm', { days: warmUp.map((most) => format.number(most)).join(', ') })}</p>
      )}
    </div>
  );
}
