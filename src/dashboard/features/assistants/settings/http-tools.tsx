import { Box, Button, Group, Stack, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Assistant } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { showAssistant } from '../../../queries/assistants.ts';

const ToolDialog = lazy(() => import('./tool-dialog.tsx'));

type Tools = Assistant['tools'];

/** Calls to the owner's servers that the assistant may make. */
export function HttpTools({ assistant }: { assistant: Assistant }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const [isAdding, setAdding] = useState(false);
  const { tools, assistantId } = assistant;
  const save = useMutation({
    mutationFn: (http: Tools['http']) =>
      gateway.assistants.update(assistantId, { tools: { ...tools, http } }),
    onSuccess: showAssistant,
  });
  return (
    <>
      <Hint>{t('httpToolsLead')}</Hint>
      <Stack component="ul" gap={8} my={12}>
        {tools.http.map((tool) => (
          <Group
            component="li"
            gap="8px 16px"
            p="8px 12px"
            bd="1px solid var(--line)"
            bdrs="md"
            key={tool.name}
          >
            <Box flex="1 1 220px" miw={0} style={{ overflowWrap: 'anywhere' }}>
              <code>{tool.name}</code> <Hint span>{tool.method}</Hint>
              <Hint component="div">{tool.url}</Hint>
            </Box>
            {tool.method !== 'GET' && (
              <Switch
                label={t('approved')}
                checked={tool.approved}
                disabled={save.isPending}
                onChange={() =>
                  save.mutate(
                    tools.http.map((one) =>
                      one.name === tool.name ? { ...one, approved: !one.approved } : one,
                    ),
                  )
                }
              />
            )}
            <SmallButton
              aria-label={`${common('delete')}: ${tool.name}`}
              disabled={save.isPending}
              onClick={() => save.mutate(tools.http.filter(({ name }) => name !== tool.name))}
            >
              {common('delete')}
            </SmallButton>
          </Group>
        ))}
      </Stack>
      <Problem error={save.error} />
      <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
        {t('addTool')}
      </Button>
      <Suspense>{isAdding && <ToolDialog assistant={assistant} onClose={() => setAdding(false)} />}</Suspense>
    </>
  );
}
