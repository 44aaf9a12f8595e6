import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { testKeyName } from '../../gateway/test-key.ts';
import { Card } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { apiKeysQuery } from '../../queries/developers/api-keys.ts';
import { webhooksQuery } from '../../queries/developers/webhooks.ts';
import { monthTrafficQuery, numbersQuery } from '../../queries/numbers.ts';
import classes from './overview.module.css';

/** From nothing to a first message and a program of one's own; each is ticked by itself, and all are gone when done. */
export function FirstSteps() {
  const t = useTranslations('overview');
  const steps = useSteps();
  const done = steps?.filter(({ isDone }) => isDone).length ?? 0;
  if (steps === null || done === steps.length) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Card
      title={t('firstSteps')}
      aside={
        <Text span c="dimmed">
          {t('stepsDone', { done, all: steps.length })}
        </Text>
      }
    >
      <ol className={classes.todo}>
        {steps.map((step, place) => (
          <li key={step.name} data-done={step.isDone} aria-current={step === next ? 'step' : undefined}>
            <span className={classes.tick}>
              {step.isDone ? <Icon name="check" size={13} /> : String(place + 1)}
            </span>
            {step.isDone ? (
              t(`steps.${step.name}`)
            ) : (
              <Link to={step.to} search={step.search as never}>
                {t(`steps.${step.name}`)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Null until it is known what is done. */
function useSteps() {
  const { data: numbers } = useQuery(numbersQuery);
  const { data: traffic } = useQuery(monthTrafficQuery);
  const { data: keys } = useQuery(apiKeysQuery);
  const { data: webhooks } = useQuery(webhooksQuery);
  if (numbers === undefined || traffic === undefined || keys === undefined || webhooks === undefined)
    return null;
  const paired = numbers.find(({ phoneNumber }) => phoneNumber !== null);
  const first = numbers[0];
  const pairTo = first === undefined ? '/numbers' : `/numbers/${first.numberId}`;
  const sum = (step: 'queued' | 'read') => traffic.data.reduce((total, day) => total + day[step], 0);
  const step = (
    name: 'add' | 'pair' | 'send' | 'read' | 'key' | 'webhook',
    isDone: boolean,
    to: string,
    search = {},
  ) => ({
    name,
    isDone,
    to,
    search,
  });
  return [
    step('add', numbers.length > 0, '/numbers', { add: true }),
    step('pair', paired !== undefined, pairTo),
    step('send', sum('queued') > 0, '/messages/send'),
    step('read', sum('read') > 0, '/messages'),
    step(
      'key',
      keys.some(({ name }) => name !== testKeyName),
      '/developer/api-keys',
    ),
    step('webhook', webhooks.length > 0, '/developer/webhooks'),
  ];
}
