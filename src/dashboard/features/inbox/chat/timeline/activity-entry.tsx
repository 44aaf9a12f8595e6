import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { Activity } from '../../../../queries/conversations/chat-items.ts';
import { teamsQuery } from '../../../../queries/conversations/conversation-details.ts';
import { useNames } from '../../people/names.ts';
import classes from './timeline.module.css';

const statuses = ['open', 'pending', 'snoozed', 'resolved'] as const;
const priorities = ['low', 'normal', 'high', 'urgent'] as const;

/** What somebody did to the conversation, as a line between the messages. */
export default function ActivityEntry({ activity }: { activity: Activity }) {
  const format = useFormatter();
  const text = useActivityText();
  return (
    <p className={classes.activity}>
      {text(activity)}
      <time dateTime={activity.at}>{format.dateTime(new Date(activity.at), { timeStyle: 'short' })}</time>
    </p>
  );
}

export function useActivityText() {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const names = useNames();
  const { data: teams } = useQuery(teamsQuery);
  return ({ actor, action, from, to }: Activity): string => {
    const who =
      actor.kind === 'person'
        ? (actor.name ?? names.person(actor.id) ?? t('formerColleague'))
        : t(`actors.${actor.kind}`);
    switch (action) {
      case 'status': {
        const status = statuses.find((name) => name === to);
        return status === undefined ? t('did.changed', { who }) : t(`did.${status}`, { who });
      }
      case 'assignee': {
        if (typeof to !== 'string') return t('did.unassigned', { who });
        return t('did.assigned', { who, name: names.person(to) ?? t('formerColleague') });
      }
      case 'team': {
        const team = teams?.find(({ teamId }) => teamId === to);
        return to === null ? t('did.noTeam', { who }) : t('did.team', { who, name: team?.name ?? '' });
      }
      case 'labels': {
        const before = listOf(from);
        const now = listOf(to);
        const added = now.filter((name) => !before.includes(name)).join(', ');
        const removed = before.filter((name) => !now.includes(name)).join(', ');
        return added === ''
          ? t('did.unlabelled', { who, names: removed })
          : t('did.labelled', { who, names: added });
      }
      case 'priority': {
        const priority = priorities.find((name) => name === to) ?? 'normal';
        return t('did.priority', { who, priority: common(`priorities.${priority}`) });
      }
      case 'bot':
        if (actor.kind === 'assistant') return t(to === 'active' ? 'did.botBegan' : 'did.botHandedOver');
        return to === 'active' ? t('did.botOn', { who }) : t('did.botOff', { who });
      case 'merged':
        return t('did.merged', { who });
      default:
        return t('did.changed', { who });
    }
  };
}

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
