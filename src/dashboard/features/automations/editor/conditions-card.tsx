import { NativeSelect, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMessages, useTranslations } from 'use-intl';
import {
  type ConditionField,
  conditionFields,
  messageFields,
  messageTriggers,
  operatorsOf,
} from '../../../../contract/automations/fields.ts';
import { inputOf } from '../../../parts/fields/input.ts';
import { Card } from '../../../parts/frames/page.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { membersQuery } from '../../../queries/account.ts';
import { numbersQuery } from '../../../queries/numbers.ts';
import classes from '../automations.module.css';
import { type Draft, type DraftCondition, newCondition } from './draft.ts';
import { type DraftProblems, FieldNote } from './draft-problems.tsx';

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
      {conditions.length === 0 && <Text c="dimmed">{t('always')}</Text>}
      {conditions.length > 0 && (
        <Stack component="ul" gap={10}>
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
        </Stack>
      )}
      <div>
        <SmallButton leftSection={<Icon name="plus" size={14} />} onClick={add}>
          {t('addCondition')}
        </SmallButton>
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
  const common = useTranslations('common');
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
      <Text span miw={28} c="dimmed">
        {isFirst ? t('ifWord') : t('andWord')}
      </Text>
      <NativeSelect
        aria-label={t('field')}
        data={[
          ...fields.map((value) => ({ value, label: t(`fields.${value}`) })),
          { value: attributePrefix, label: t('fields.attribute') },
        ]}
        {...inputOf(isAttribute ? attributePrefix : field, chooseField)}
      />
      {isAttribute && (
        <TextInput
          aria-label={common('attributeName')}
          placeholder={t('attributeExample')}
          {...inputOf(field.slice(attributePrefix.length), (name) =>
            onChange({ field: `contact.${name.replaceAll(/\W/g, '')}` }),
          )}
        />
      )}
      {operators.length > 1 && (
        <NativeSelect
          aria-label={t('operator')}
          data={operators.map((value) => ({ value, label: t(`operators.${value}`) }))}
          {...inputOf(operator, (operator) => onChange({ operator }))}
        />
      )}
      <ConditionValue condition={condition} onChange={(values) => onChange({ values })} />
      <IconButton icon="close" iconSize={16} name={t('removeCondition')} size="lg" onClick={onRemove} />
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

interface ConditionValueProps {
  condition: DraftCondition;
  onChange: (values: string[]) => void;
}

interface Choice {
  value: string;
  label: string;
}

/** What a condition compares with: words, or one of what there is. */
function ConditionValue({ condition: { field, operator, values }, onChange }: ConditionValueProps) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  const choices = useChoices(field);
  if (operator === 'exists') {
    return (
      <Choices
        choices={[
          { value: 'true', label: t('first.true') },
          { value: 'false', label: t('first.false') },
        ]}
        value={values[0] === 'false' ? 'false' : 'true'}
        onChange={(value) => onChange([value])}
      />
    );
  }
  if (choices !== null && operator !== 'in') {
    return <Choices choices={choices} value={values[0] ?? ''} onChange={(value) => onChange([value])} />;
  }
  const takesSeveral = operator === 'in' || operator === 'contains' || operator === 'starts_with';
  if (takesSeveral) {
    return (
      <TagsInput
        aria-label={t('values')}
        flex="1 1 160px"
        miw={0}
        // Beside a short value there is room for the next one.
        styles={{ inputField: { minWidth: 40 } }}
        placeholder={values.length === 0 ? t('valuesHint') : ''}
        data={(choices ?? []).map(({ value }) => value).filter((value) => value !== '')}
        value={values}
        onChange={onChange}
        acceptValueOnBlur
        splitChars={[',', ';', '\n']}
      />
    );
  }
  return (
    <TextInput
      aria-label={common('value')}
      flex="1 1 160px"
      miw={0}
      placeholder={operator === 'matches' ? t('patternExample') : ''}
      {...inputOf(values[0] ?? '', (value) => onChange([value]))}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function Choices(props: { choices: Choice[]; value: string; onChange: (value: string) => void }) {
  const common = useTranslations('common');
  return (
    <NativeSelect
      aria-label={common('value')}
      flex="1 1 160px"
      miw={0}
      data={props.choices}
      {...inputOf(props.value, props.onChange)}
    />
  );
}

const keysOf = <Named extends object>(named: Named) => Object.keys(named) as (keyof Named)[];

/** What there is to choose of; null: words. */
function useChoices(field: string): Choice[] | null {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  const types = keysOf(useMessages().common.messageTypes);
  const numbers = useQuery({ ...numbersQuery, enabled: field === 'numberId' });
  const members = useQuery({ ...membersQuery, enabled: field === 'assigneeId' });
  const choose = { value: '', label: t('choose') };
  switch (field) {
    case 'isFirstMessage':
      return (['true', 'false'] as const).map((value) => ({ value, label: t(`first.${value}`) }));
    case 'hours':
      return (['inside', 'outside'] as const).map((value) => ({ value, label: t(`hours.${value}`) }));
    case 'status':
      return (['open', 'pending', 'snoozed', 'resolved'] as const).map((value) => ({
        value,
        label: common(`conversationStatus.${value}`),
      }));
    case 'priority':
      return (['low', 'normal', 'high', 'urgent'] as const).map((value) => ({
        value,
        label: common(`priorities.${value}`),
      }));
    case 'messageType':
      return types.map((value) => ({ value, label: common(`messageTypes.${value}`) }));
    case 'numberId':
      return [choose, ...(numbers.data ?? []).map(({ numberId, label }) => ({ value: numberId, label }))];
    case 'assigneeId':
      return [choose, ...(members.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }))];
    default:
      return null;
  }
}
