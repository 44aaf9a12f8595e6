import { Hono } from 'hono';
import { z } from 'zod';
import { runOutcomes } from '../../../../contract/assistants/run.ts';
import { uuidSchema } from '../../../../contract/ids.ts';
import { isoTime } from '../../../../contract/times.ts';
import type { InstructionVersion } from '../../../../durable/event-log/assistants/reports/instruction-versions.ts';
import type { AppEnv } from '../../../app-env.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { numberedListQuery, page, query, wholeNumber } from '../../../http/request/query.ts';
import { notFound, uuidPathId } from '../../../http/request/shared-fields.ts';
import { askLog } from '../../../object-calls.ts';
import { assistantPath, noSuchAssistant, ownAssistant } from '../own-assistant.ts';
import { instructionsVersion } from '../turns/used-instructions.ts';
import type {
  assistantReportSchema,
  instructionVersionListSchema,
  runListSchema,
  runSchema,
} from './records.ts';
import { showRun } from './shown-run.ts';

export const assistantRunRoutes = new Hono<AppEnv>();

const runsQuery = z.strictObject({
  ...numberedListQuery,
  outcome: z.enum(runOutcomes).optional(),
  conversationId: uuidSchema.optional(),
});

const versionsQuery = z.strictObject(numberedListQuery);

assistantRunRoutes.get('/:id/runs', assistantPath, query(runsQuery), async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  const { limit, cursor = null, outcome, conversationId } = c.req.valid('query');
  const turns = await askLog(c.env, row.accountId, (log) =>
    log.assistantRuns(row.id, { outcome, conversationId }, limit, cursor),
  );
  return c.json<z.infer<typeof runListSchema>>(page(c, turns, limit, ({ id }) => String(id), showRun));
});

const noSuchRun = notFound('run');

assistantRunRoutes.get('/:id/runs/:turnId', assistantPath, uuidPathId('turnId', 'run'), async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  const turn = await askLog(c.env, row.accountId, (log) => log.assistantRun(c.req.param('turnId')));
  return turn?.assistantId === row.id
    ? c.json<z.infer<typeof runSchema>>(showRun(turn))
    : renderRefusal(c, noSuchRun);
});

/** What it was told so far, and how each wording did. */
assistantRunRoutes.get('/:id/instructions', assistantPath, query(versionsQuery), async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  const { limit, cursor = null } = c.req.valid('query');
  const [versions, current] = await Promise.all([
    askLog(c.env, row.accountId, (log) => log.assistantInstructions(row.id, limit, cursor)),
    instructionsVersion(row.instructions),
  ]);
  const show = ({ version, text, firstUsedAt, lastUsedAt, answered, handedOff }: InstructionVersion) => ({
    version,
    instructions: text,
    isCurrent: version === current,
    answered,
    handedOff,
    firstUsedAt: isoTime(firstUsedAt),
    lastUsedAt: isoTime(lastUsedAt),
  });
  return c.json<z.infer<typeof instructionVersionListSchema>>(
    page(c, versions, limit, ({ id }) => String(id), show),
  );
});

const daysMax = 90;
const reportQuery = z.strictObject({ days: wholeNumber(1, daysMax, 30) });

assistantRunRoutes.get('/:id/report', assistantPath, query(reportQuery), async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  const { days } = c.req.valid('query');
  const since = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const counts = await askLog(c.env, row.accountId, (log) => log.assistantDays(row.id, since));
  const sum = (of: (count: (typeof counts)[number]) => number) =>
    counts.reduce((total, it) => total + of(it), 0);
  const answered = sum((it) => it.answered);
  const handedOff = sum((it) => it.handedOff);
  return c.json<z.infer<typeof assistantReportSchema>>({
    since,
    answered,
    handedOff,
    handOffRate:
      answered + handedOff === 0 ? null : Math.round((handedOff / (answered + handedOff)) * 1000) / 1000,
    tokens: { input: sum((it) => it.tokens.input), output: sum((it) => it.tokens.output) },
    cost: row.provider.prices === null ? null : sum((it) => it.cost),
    days: counts,
  });
});
