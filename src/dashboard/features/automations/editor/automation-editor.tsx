import { Button, Group, NativeSelect, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { automationTriggers } from '../../../../contract/automations/fields.ts';
import type { Automation } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Confirm } from '../../../parts/asking/confirm.tsx';
import { Note, Problem } from '../../../parts/feedback.tsx';
import { changedFields } from '../../../parts/fields/changed-fields.ts';
import { checkOf, inputOf } from '../../../parts/fields/input.ts';
import { Card, Page } from '../../../parts/frames/page.tsx';
import { Unsaved } from '../../../parts/frames/unsaved.tsx';
import { automationsChanged, showAutomation } from '../../../queries/automations.ts';
import { triggerWord } from '../automation-names.ts';
import classes from '../automations.module.css';
import { DryRun } from '../runs/dry-run.tsx';
import { Preview } from '../runs/preview.tsx';
import { RunLog } from '../runs/run-log.tsx';
import { ActionsCard } from './actions-card.tsx';
import { CallbackSecret } from './callback-secret.tsx';
import { ConditionsCard } from './conditions-card.tsx';
import { type Draft, draftOf, requestOf } from './draft.ts';
import { type DraftProblems, FieldNote, problemsOf } from './draft-problems.tsx';

const SecretDialog = lazy(() => import('./secret-dialog.tsx'));

const none: DraftProblems = new Map();

/** An automation in sentences: when, if, then. Beside it what a person gets, what it would have done, and what it has done. */
export default function AutomationEditor({
  automation,
  start,
}: {
  automation: Automation | null;
  start: Draft;
}) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const [draft, setDraft] = useState(start);
  const [saved, setSaved] = useState(start);
  const [isTried, setTried] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [secret, setSecret] = useState<{ automationId: string; secret: string } | null>(null);
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const problems = problemsOf(draft);
  const shown = isTried ? problems : none;
  const isDirty = automation === null || draft !== saved;
  const calls = draft.actions.some(({ type }) => type === 'call_webhook');
  const open = (automationId: string) =>
    void navigate({ to: '/automations/$automationId', params: { automationId }, replace: true });
  const save = useMutation({
    mutationFn: async () =>
      automation === null
        ? gateway.automations.create(requestOf(draft))
        : gateway.automations.update(
            automation.automationId,
            changedFields(requestOf(draft), requestOf(saved)),
          ),
    onSuccess: (stored) => {
      const { secret: made, ...shownOne } = stored as typeof stored & { secret?: string };
      showAutomation(shownOne as Automation);
      void automationsChanged();
      const fresh = draftOf(shownOne as Automation);
      setDraft(fresh);
      setSaved(fresh);
      setTried(false);
      if (automation !== null) return;
      if (calls && made !== undefined) setSecret({ automationId: stored.automationId, secret: made });
      else open(stored.automationId);
    },
    // The secret is kept nowhere once it was shown.
    gcTime: 0,
  });
  const turnOn = useMutation({
    mutationFn: () => gateway.automations.update(automation?.automationId ?? '', { enabled: true }),
    onSuccess: (stored) => {
      showAutomation(stored);
      void automationsChanged();
      const fresh = draftOf(stored);
      setDraft(fresh);
      setSaved(fresh);
    },
  });
  const submit = () => {
    setTried(true);
    if (problems.size === 0) save.mutate();
  };
  const buttons = (
    <>
      {automation !== null && (
        <Button variant="default" color="danger" onClick={() => setAsked(true)}>
          {common('delete')}
        </Button>
      )}
      {automation !== null && isDirty && (
        <Button variant="default" onClick={() => setDraft(saved)}>
          {common('cancel')}
        </Button>
      )}
      <Button onClick={submit} loading={save.isPending} disabled={!isDirty}>
        {automation === null ? common('create') : common('save')}
      </Button>
    </>
  );
  return (
    <Page
      title={automation === null ? t('add') : automation.name}
      back={{ to: '/automations', title: t('title') }}
      actions={buttons}
    >
      <span role="status" className={classes.state}>
        {shown.size > 0 ? t('notYet') : save.isSuccess && !isDirty ? common('saved') : ''}
      </span>
      <Problem error={save.error} />
      {automation !== null && !saved.enabled && (
        <Note tone="amber" title={t('isOff')}>
          <p>{t('isOffLead')}</p>
          <Button size="xs" loading={turnOn.isPending} disabled={isDirty} onClick={() => turnOn.mutate()}>
            {common('enable')}
          </Button>
          <Problem error={turnOn.error} />
        </Note>
      )}
      <div className={classes.split}>
        <Stack gap="md" miw={0}>
          <div>
            <TextInput
              label={common('name')}
              placeholder={t('nameExample')}
              maxLength={100}
              {...inputOf(draft.name, (name) => change({ name }))}
              autoComplete="off"
            />
            <FieldNote problem={shown.get('name')} />
          </div>
          <TriggerCard draft={draft} onChange={change} />
          <ConditionsCard draft={draft} problems={shown} onChange={change} />
          <ActionsCard draft={draft} problems={shown} onChange={change} />
          {calls && automation !== null && <CallbackSecret automationId={automation.automationId} />}
          <PaceCard draft={draft} onChange={change} />
        </Stack>
        <Stack gap="md" miw={0}>
          <Preview draft={draft} />
          <DryRun
            draft={draft}
            automationId={automation?.automationId ?? null}
            canRun={[...problems.keys()].every((path) => path === 'name')}
          />
          {automation !== null && <RunLog automation={automation} />}
        </Stack>
      </div>
      <Unsaved isDirty={draft !== saved && !save.isPending && !isAsked} />
      <Suspense>
        {isAsked && automation !== null && (
          <Confirm
            onClose={() => setAsked(false)}
            title={t('deleteTitle')}
            lead={t('deleteLead')}
            onConfirm={async () => {
              await gateway.automations.delete(automation.automationId);
              void navigate({ to: '/automations' });
              void automationsChanged(automation.automationId);
            }}
          />
        )}
        {secret !== null && <SecretDialog secret={secret.secret} onClose={() => open(secret.automationId)} />}
      </Suspense>
    </Page>
  );
}

const hour = 3_600;
const rests = [0, 60, 600, hour, 12 * hour, 24 * hour, 7 * 24 * hour] as const;

/** How often a person is answered, and where. */
function PaceCard({ draft, onChange }: { draft: Draft; onChange: (changes: Partial<Draft>) => void }) {
  const t = useTranslations('automations');
  const restWords = useRestWords();
  const { cooldownSeconds, inGroups, enabled } = draft;
  const known = rests.some((seconds) => seconds === cooldownSeconds) ? rests : [...rests, cooldownSeconds];
  return (
    <Card title={t('pace')}>
      <Stack gap="sm">
        <NativeSelect
          label={t('rest')}
          description={t('restHint')}
          data={known.map((seconds) => ({ value: String(seconds), label: restWords(seconds) }))}
          {...inputOf(String(cooldownSeconds), (seconds) => onChange({ cooldownSeconds: Number(seconds) }))}
        />
        <Switch label={t('inGroups')} {...checkOf(inGroups, (inGroups) => onChange({ inGroups }))} />
        <Switch label={t('columnOn')} {...checkOf(enabled, (enabled) => onChange({ enabled }))} />
      </Stack>
    </Card>
  );
}

function useRestWords() {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  return (seconds: number): string => {
    if (seconds === 0) return t('noRest');
    if (seconds % (24 * hour) === 0) return common('days', { count: seconds / (24 * hour) });
    if (seconds % hour === 0) return common('hours', { count: seconds / hour });
    return common('minutes', { count: Math.max(1, Math.round(seconds / 60)) });
  };
}

const waitingMinutesMax = 10_080;

/** "When": what the rule waits for. */
function TriggerCard({ draft, onChange }: { draft: Draft; onChange: (changes: Partial<Draft>) => void }) {
  const t = useTranslations('automations');
  return (
    <Card title={t('when')}>
      <Group gap={8}>
        <NativeSelect
          aria-label={t('when')}
          flex="1 1 160px"
          miw={0}
          data={automationTriggers.map((value) => ({ value, label: t(`trigger.${triggerWord[value]}`) }))}
          {...inputOf(draft.on, (on) => onChange({ on }))}
        />
        {draft.on === 'conversation.waiting' && (
          <NumberInput
            aria-label={t('waitingMinutes')}
            w={140}
            suffix={t('minutesSuffix')}
            min={1}
            max={waitingMinutesMax}
            value={draft.waitingMinutes}
            onChange={(value) => onChange({ waitingMinutes: Math.max(1, Number(value) || 1) })}
          />
        )}
      </Group>
      <Text c="dimmed">{t(`triggerHint.${triggerWord[draft.on]}`)}</Text>
    </Card>
  );
}
