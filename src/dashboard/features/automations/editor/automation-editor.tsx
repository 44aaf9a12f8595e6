import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Automation } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Note } from '../../../parts/feedback/note.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Page } from '../../../parts/frames/page.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { automationsChanged, showAutomation } from '../../../queries/automations.ts';
import classes from '../automations.module.css';
import { DryRun } from '../runs/dry-run.tsx';
import { Preview } from '../runs/preview.tsx';
import { RunLog } from '../runs/run-log.tsx';
import { ActionsCard } from './actions-card.tsx';
import { ConditionsCard } from './conditions-card.tsx';
import { type Draft, draftOf, requestOf } from './draft.ts';
import { type DraftProblems, problemsOf } from './draft-problems.ts';
import { FieldNote } from './field-note.tsx';
import { PaceCard } from './pace-card.tsx';
import { CallbackSecret } from './secrets/callback-secret.tsx';
import { TriggerCard } from './trigger-card.tsx';

const Confirm = lazy(() => import('../../../parts/asking/confirm.tsx'));
const SecretDialog = lazy(() => import('./secrets/secret-dialog.tsx'));

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
        : gateway.automations.update(automation.automationId, requestOf(draft)),
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
  const remove = useMutation({
    mutationFn: () => gateway.automations.delete(automation?.automationId ?? ''),
    onSuccess: () => {
      void navigate({ to: '/automations' });
      void automationsChanged(automation?.automationId);
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
        {automation === null ? t('create') : common('save')}
      </Button>
    </>
  );
  return (
    <Page title={automation === null ? t('newTitle') : automation.name} actions={buttons}>
      <Link to="/automations" className={classes.back}>
        <Icon name="back" size={16} />
        {t('title')}
      </Link>
      <span role="status" className={classes.state}>
        {shown.size > 0 ? t('notYet') : save.isSuccess && !isDirty ? common('saved') : ''}
      </span>
      <Problem error={save.error} />
      {automation !== null && !saved.enabled && (
        <Note tone="amber" title={t('isOff')}>
          <p>{t('isOffLead')}</p>
          <Button size="xs" loading={turnOn.isPending} disabled={isDirty} onClick={() => turnOn.mutate()}>
            {t('turnOn')}
          </Button>
          <Problem error={turnOn.error} />
        </Note>
      )}
      <div className={classes.split}>
        <Stack gap="md" className={classes.builder}>
          <div>
            <TextInput
              label={t('name')}
              placeholder={t('nameExample')}
              maxLength={100}
              value={draft.name}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
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
        <Stack gap="md" className={classes.beside}>
          <Preview draft={draft} />
          <DryRun
            draft={draft}
            automationId={automation?.automationId ?? null}
            canRun={[...problems.keys()].every((path) => path === 'name')}
          />
          {automation !== null && <RunLog automation={automation} />}
        </Stack>
      </div>
      <Suspense>
        {isAsked && (
          <Confirm
            onClose={() => setAsked(false)}
            title={t('deleteTitle')}
            lead={t('deleteLead')}
            action={common('delete')}
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
          />
        )}
        {secret !== null && <SecretDialog secret={secret.secret} onClose={() => open(secret.automationId)} />}
      </Suspense>
    </Page>
  );
}
