import { useTranslations } from 'use-intl';
import { Empty } from '../../parts/feedback.tsx';
import classes from './inbox.module.css';

/** In the place of a chat, until one is chosen. */
export function NoConversation() {
  const t = useTranslations('inbox');
  return (
    <div className={classes.nothing}>
      <Empty icon="inbox" title={t('noneOpenTitle')} lead={t('noneOpenLead')} />
    </div>
  );
}
