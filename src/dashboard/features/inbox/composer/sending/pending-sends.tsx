import { useMutationState } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FormattedText } from '../../message/text/formatted-text.tsx';
import { Ticks } from '../../message/ticks.tsx';
import classes from './sending.module.css';
import { type Sending, sendKey } from './use-send.ts';

/** What was sent and has no answer yet. */
export default function PendingSends({ conversationId }: { conversationId: string }) {
  const t = useTranslations('inbox');
  const pending = useMutationState({
    filters: { mutationKey: sendKey(conversationId), status: 'pending' },
    select: ({ state }) => ({ at: state.submittedAt, sending: state.variables as Sending }),
  });
  return pending.map(({ at, sending: { draft } }) => (
    <div key={at} className={classes.pending} data-note={draft.isNote}>
      <div>
        {draft.text === '' ? (
          t('sendingFiles', { count: draft.files.length })
        ) : (
          <FormattedText text={draft.text} />
        )}
        <span>
          <Ticks status="queued" />
        </span>
      </div>
    </div>
  ));
}
