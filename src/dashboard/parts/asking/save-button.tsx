import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../icon.tsx';
import classes from './save-button.module.css';

/** "Save", and once it is saved that it is. */
export function SaveButton(props: { isDirty: boolean; isBusy: boolean; isSaved: boolean }) {
  const t = useTranslations('common');
  return (
    <>
      <Button type="submit" disabled={!props.isDirty} loading={props.isBusy}>
        {t('save')}
      </Button>
      <span role="status" className={classes.saved}>
        {props.isSaved && !props.isDirty && (
          <>
            <Icon name="check" size={16} />
            {t('saved')}
          </>
        )}
      </span>
    </>
  );
}
