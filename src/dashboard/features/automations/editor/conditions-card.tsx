import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import {
  type ConditionField,
  type ConditionOperator,
  conditionFields,
  messageFields,
  messageTriggers,
  operatorsOf,
} from '../../../../contract/automations/fields.ts';
import { Card } from '../../../parts/frames/card.tsx';
import { Icon } from '../../../parts/icon.tsx';
import classes from '../automations.module.css';
import { ConditionValue } from './condition-value.tsx';
import { type Draft, type DraftCondition, newCondition } from './draft.ts';
import type { DraftProblems } from './draft-problems.ts';
import { FieldNote } from './field-note.tsx';

interface ConditionsCardProps {
  draft: Draft;
  problems: DraftProblems;
  onChange: (changes: Partial<Draft>) => void;
}

/** "If all of these hold": none: always. */
export function ConditionsCard({ draft, problems, onChange }: ConditionsCardProps) {
  const t = useTranslations('automations');
  const { conditions } = draft;
  const hasMessage = messageTriggers.includes(draft.on);
  const change = (key: number, changes: Partial<DraftCondition>) =>
    onChange({ conditions: conditions.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  const add = () =>
    onChange({
      conditions: [
        ...conditions,
        hasMessage ? newCondition('text', 'contains') : newCondition('label', 'equals'),
      ],
    });
  return (
    <Card title={t('if')}>
      {conditions.length === 0 && <p className={classes.quiet}>{t('always')}</p>}
      {conditions.length > 0 && (
        <ul className={classes.rows}>
          {conditions.map((condition, index) => (
            <li key={condition.key}>
              <ConditionRow
                condition={condition}
                isFirst={index === 0}
                hasMessage={hasMessage}
                onChange={(changes) => change(condition.key, changes)}
                onRemove={() => onChange({ conditions: conditions.filter((one) => one !== condition) })}
              />
              <FieldNote problem={problems.get(`condition.${condition.key}`)} />
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button variant="default" size="xs" leftSection={<Icon name="plus" size={14} />} onClick={add}>
          {t('addCondition')}
        </Button>
      </div>
    </Card>
  );
}

const attributePrefix = 'contact.';

interface ConditionRowProps {
  condition: DraftCondition;
  isFirst: boolean;
  hasMessage: boolean;
  onChange: (changes: Partial<DraftCondition>) => void;
  onRemove: () => void;
}

function ConditionRow({ condition, isFirst, hasMessage, onChange, onRemove }: ConditionRowProps) {
  const t = useTranslations('automations');
  const { field, operator } = condition;
  const isAttribute = field.startsWith(attributePrefix);
  const fields = conditionFields.filter(
    (name) => hasMessage || !messageFields.includes(name) || name === field,
  );
  const operators = operatorsOf(field);
  const chooseField = (name: string) => {
    const chosen = name as ConditionField;
    const [usual = 'equals'] = name === 'text' ? ['contains' as const] : operatorsOf(chosen);
    onChange({ field: chosen, operator: usual, values: defaultValues(name) });
  };
  return (
    <fieldset className={classes.condition} aria-label={t('condition')}>
      <span className={classes.joins}>{isFirst ? t('ifWord') : t('andWord')}</span>
      <NativeSelect
        aria-label={t('field')}
        data={[
          ...fields.map((value) => ({ value, label: t(`fields.${value}`) })),
          { value: attributePrefix, label: t('fields.attribute') },
        ]}
        value={isAttribute ? attributePrefix : field}
        onChange={({ currentTarget }) => chooseField(currentTarget.value)}
      />
      {isAttribute && (
        <TextInput
          aria-label={t('attributeName')}
          placeholder={t('attributeExample')}
          value={field.slice(attributePrefix.length)}
          onChange={({ currentTarget }) =>
            onChange({ field: `contact.${currentTarget.value.replaceAll(/\W/g, '')}` })
          }
        />
      )}
      {operators.length > 1 && (
        <NativeSelect
          aria-label={t('operator')}
          data={operators.map((value) => ({ value, label: t(`operators.${value}`) }))}
          value={operator}
          onChange={({ currentTarget }) => onChange({ operator: currentTarget.value as ConditionOperator })}
        />
      )}
      <ConditionValue condition={condition} onChange={(values) => onChange({ values })} />
      <ActionIcon variant="subtle" size="lg" aria-label={t('removeCondition')} onClick={onRemove}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </fieldset>
  );
}

function defaultValues(field: string): string[] {
  if (field === 'isFirstMessage') return ['true'];
  if (field === 'hours') return ['inside'];
  if (field === 'status') return ['open'];
  if (field === 'priority') return ['urgent'];
  if (field === 'messageType') return ['image'];
  return [];
}
