import { Stack } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { AssistantTrial } from '../../../../sdk/index.ts';
import { Hint } from '../../../parts/hint.tsx';
import { Icon } from '../../../parts/icon.tsx';
import classes from './runs.module.css';

type Shown = Pick<AssistantTrial, 'sources' | 'toolCalls' | 'tokens' | 'cost' | 'durationMs' | 'model'>;

/** Why an assistant said what it said: what it read, what its tools did, and what that cost. */
export function AnswerDetails({ details }: { details: Shown }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const format = useFormatter();
  const { sources, toolCalls, tokens, cost, durationMs, model } = details;
  return (
    <Stack gap={12} fz="xs" className={classes.details}>
      {sources.length > 0 && (
        <section aria-label={t('sources')}>
          <Hint mb={4} fw={500}>
            {t('sources')}
          </Hint>
          <Stack component="ul" gap={6}>
            {sources.map(({ documentId, name, url, excerpt }) => (
              <li key={`${documentId} ${url}`}>
                <strong>
                  {url === null ? (
                    name
                  ) : (
                    <a href={url} target="_blank" rel="noreferrer noopener">
                      {name}
                    </a>
                  )}
                </strong>
                <q>{excerpt}</q>
              </li>
            ))}
          </Stack>
        </section>
      )}
      {toolCalls.length > 0 && (
        <section aria-label={t('toolsUsed')}>
          <Hint mb={4} fw={500}>
            {t('toolsUsed')}
          </Hint>
          <Stack component="ul" gap={6}>
            {toolCalls.map(({ name, input, ok, output }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are in the order in which they were called
              <li key={index}>
                <details>
                  <summary>
                    <span data-ok={ok}>
                      <Icon name={ok ? 'good' : 'bad'} size={14} />
                    </span>
                    <code>{name}</code>
                  </summary>
                  <pre>{input}</pre>
                  <pre>{output}</pre>
                </details>
              </li>
            ))}
          </Stack>
        </section>
      )}
      <Hint c="var(--ink-faint)">
        {[
          model,
          t('tokensIn', { count: format.number(tokens.input) }),
          t('tokensOut', { count: format.number(tokens.output) }),
          cost === null
            ? null
            : common('cost', { cost: format.number(cost, { maximumSignificantDigits: 3 }) }),
          durationMs === null
            ? null
            : t('seconds', { seconds: format.number(durationMs / 1000, { maximumFractionDigits: 1 }) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Hint>
    </Stack>
  );
}
