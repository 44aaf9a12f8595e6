import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Campaign } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem, QueryState, Waiting } from '../../../parts/feedback.tsx';
import { changedFields } from '../../../parts/fields/changed-fields.ts';
import { Page } from '../../../parts/frames/page.tsx';
import { Unsaved } from '../../../parts/frames/unsaved.tsx';
import { campaignQuery, showCampaign } from '../../../queries/campaigns.ts';
import classes from './wizard.module.css';
import { fieldsOf, newFields, requestOf, type WizardFields } from './wizard-fields.ts';

const MessageStep = lazy(() => import('./message-step.tsx'));
const AudienceStep = lazy(() => import('./audience-step.tsx'));
const ScheduleStep = lazy(() => import('./schedule-step.tsx'));
const ReviewStep = lazy(() => import('./review-step.tsx'));
const TestDialog = lazy(() => import('../test-dialog.tsx'));

const steps = ['message', 'audience', 'schedule', 'review'] as const;
type Step = (typeof steps)[number];

/** The fields of each step: it is left only when they fit. */
const fieldsOfStep: Record<Step, readonly (keyof WizardFields)[]> = {
  message: ['name', 'text', 'variant', 'mediaId'],
  audience: ['label', 'segmentId', 'csv'],
  schedule: ['startAt', 'days', 'to'],
  review: [],
};

export function NewCampaignPage() {
  return <Wizard campaignId={null} fields={newFields} />;
}

export function EditCampaignPage() {
  const { campaignId } = useParams({ from: '/signed-in/campaigns/$campaignId/edit' });
  const query = useQuery({
    ...campaignQuery(campaignId),
    refetchInterval: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const data = query.data;
  const fields = data === undefined ? null : fieldsOf(data);
  if (fields !== null) return <Wizard campaignId={campaignId} fields={fields} />;
  return (
    <div className={classes.card}>
      <QueryState query={query} />
    </div>
  );
}

/** From a message to a campaign that runs, step by step; it is a draft from the review on. */
function Wizard({ campaignId: before, fields }: { campaignId: string | null; fields: WizardFields }) {
  const t = useTranslations('campaigns.wizard');
  const campaigns = useTranslations('campaigns');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const form = useForm<WizardFields>({ defaultValues: fields });
  const [step, setStep] = useState<Step>('message');
  const [campaignId, setCampaignId] = useState(before);
  const [isTesting, setIsTesting] = useState(false);
  const save = useMutation({
    mutationFn: (input: WizardFields): Promise<Campaign> => {
      const request = requestOf(input);
      const first = form.formState.defaultValues as WizardFields;
      return campaignId === null
        ? gateway.campaigns.create(request)
        : gateway.campaigns.update(campaignId, changedFields(request, requestOf(first)));
    },
    onSuccess: (campaign, input) => {
      setCampaignId(campaign.campaignId);
      showCampaign(campaign);
      form.reset(input);
    },
  });
  const open = (id: string) => void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } });
  const start = useMutation({
    mutationFn: (id: string) => gateway.campaigns.start(id),
    onSuccess: (campaign) => {
      showCampaign(campaign);
      open(campaign.campaignId);
    },
  });
  const index = steps.indexOf(step);
  const goOn = async () => {
    if (!(await form.trigger(fieldsOfStep[step], { shouldFocus: true }))) return;
    const next = steps[index + 1] ?? 'review';
    if (next !== 'review') return setStep(next);
    await save.mutateAsync(form.getValues());
    setStep('review');
  };
  const isLater = form.watch('isLater');
  return (
    <Page title={before === null ? campaigns('add') : t('editTitle')}>
      <Group component="ol" gap={6} align="stretch" aria-label={t('stepsName')}>
        {steps.map((one, place) => (
          <li key={one}>
            <button
              type="button"
              className={classes.step}
              aria-current={one === step ? 'step' : undefined}
              disabled={place > index}
              onClick={() => setStep(one)}
            >
              <span className={classes.place}>{place + 1}</span>
              {t(`steps.${one}`)}
            </button>
          </li>
        ))}
      </Group>
      <FormProvider {...form}>
        <form
          className={classes.card}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void goOn().catch(() => {});
          }}
        >
          <Suspense fallback={<Waiting />}>
            {step === 'message' && <MessageStep />}
            {step === 'audience' && <AudienceStep />}
            {step === 'schedule' && <ScheduleStep />}
            {step === 'review' && campaignId !== null && <ReviewStep campaignId={campaignId} />}
          </Suspense>
          <Problem error={save.error ?? start.error} />
          <Group gap={8} mt={24}>
            {index > 0 && (
              <Button variant="default" onClick={() => setStep(steps[index - 1] ?? 'message')}>
                {common('back')}
              </Button>
            )}
            <Group gap={8} align="stretch" ml="auto">
              {step === 'review' && campaignId !== null ? (
                <>
                  <Button variant="default" onClick={() => setIsTesting(true)}>
                    {campaigns('page.test')}
                  </Button>
                  <Button variant="default" onClick={() => open(campaignId)}>
                    {t('saveDraft')}
                  </Button>
                  <Button loading={start.isPending} onClick={() => start.mutate(campaignId)}>
                    {isLater ? t('startLater') : campaigns('page.start')}
                  </Button>
                </>
              ) : (
                <Button type="submit" loading={save.isPending}>
                  {common('continue')}
                </Button>
              )}
            </Group>
          </Group>
        </form>
      </FormProvider>
      <Unsaved isDirty={form.formState.isDirty && !save.isPending} />
      <Suspense>
        {isTesting && campaignId !== null && (
          <TestDialog campaignId={campaignId} onClose={() => setIsTesting(false)} />
        )}
      </Suspense>
    </Page>
  );
}
