import { ActionIcon, Button, Menu } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Card } from '../../../parts/frames/card.tsx';
import { Icon } from '../../../parts/icon.tsx';
import classes from '../automations.module.css';
import { ActionFields } from './action-fields.tsx';
import { type Draft, type DraftAction, newAction } from './draft.ts';
import type { DraftProblems } from './draft-problems.ts';
import { FieldNote } from './field-note.tsx';

const types = [
  'reply',
  'label',
  'assign',
  'set_status',
  'set_priority',
  'note',
  'call_webhook',
  'start_assistant',
  'stop',
] as const;

interface ActionsCardProps {
  draft: Draft;
  problems: DraftProblems;
  onChange: (changes: Partial<Draft>) => void;
}

/** "Then": what is done, in order. */
export function ActionsCard({ draft, problems, onChange }: ActionsCardProps) {
  const t = useTranslations('automations');
  const { actions } = draft;
  const change = (key: number, changes: Partial<DraftAction>) =>
    onChange({ actions: actions.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  const move = (index: number, by: number) => {
    const moved = actions[index];
    if (moved === undefined) return;
    onChange({ actions: actions.toSpliced(index, 1).toSpliced(index + by, 0, moved) });
  };
  return (
    <Card title={t('thenDo')}>
      <ol className={classes.actions}>
        {actions.map((action, index) => (
          <li key={action.key} className={classes.action}>
            <div className={classes.actionHead}>
              <h3>{t(`action.${action.type}`)}</h3>
              <div className={classes.buttons}>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('moveUp')}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <Icon name="up" size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('moveDown')}
                  disabled={index === actions.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <Icon name="down" size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('removeAction')}
                  onClick={() => onChange({ actions: actions.filter((one) => one !== action) })}
                >
                  <Icon name="close" size={16} />
                </ActionIcon>
              </div>
            </div>
            <ActionFields action={action} onChange={(changes) => change(action.key, changes)} />
            <FieldNote problem={problems.get(`action.${action.key}`)} />
          </li>
        ))}
      </ol>
      <FieldNote problem={problems.get('actions')} />
      <div>
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" size="xs" leftSection={<Icon name="plus" size={14} />}>
              {t('addAction')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {types.map((type) => (
              <Menu.Item key={type} onClick={() => onChange({ actions: [...actions, newAction(type)] })}>
                {t(`action.${type}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </Card>
  );
}
