import { type Context, Hono } from 'hono';
import { z } from 'zod';
import {
  assistantDefaults,
  assistantShape,
  type HandOffSettings,
  noTools,
  plainHandOff,
} from '../../../contract/assistants/assistant.ts';
import { invalidField, refuse } from '../../../contract/errors.ts';
import { onlyGiven } from '../../../contract/given.ts';
import { isoTime } from '../../../contract/times.ts';
import type { Meaning } from '../../../durable/knowledge/vectors.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { nullForAll } from '../../http/request/shared-fields.ts';
import { askKnowledge } from '../../object-calls.ts';
import { webhookUrlRules } from '../../outbound-http/webhook-url.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { foreignNumberRefusal } from '../numbers/own-number.ts';
import { teamDefinitions } from '../support/rows.ts';
import { documentRoutes } from './knowledge/operations.ts';
import { embedderName, vectorIndexOf } from './knowledge/vectors.ts';
import { assistantPath, noSuchAssistant, ownAssistant } from './own-assistant.ts';
import type { assistantListSchema, assistantSchema } from './records.ts';
import {
  type AssistantChanges,
  type AssistantRow,
  assistantsMax,
  deleteAssistant,
  insertAssistant,
  listAssistants,
  updateAssistant,
} from './rows.ts';
import { assistantRunRoutes } from './runs/operations.ts';
import { assistantTrialRoutes } from './trial-operations.ts';
import { noSecrets, openSecrets, sealSecrets, takeWritten } from './written-definition.ts';

export const assistantRoutes = new Hono<AppEnv>();
assistantRoutes.use(administrator);
assistantRoutes.route('/', documentRoutes);
assistantRoutes.route('/', assistantTrialRoutes);
assistantRoutes.route('/', assistantRunRoutes);

const createSchema = z.strictObject({
  ...assistantShape,
  enabled: assistantShape.enabled.default(assistantDefaults.enabled),
  numberIds: assistantShape.numberIds.default(assistantDefaults.numberIds),
  introduction: assistantShape.introduction.default(assistantDefaults.introduction),
  tools: assistantShape.tools.default(noTools),
  handOff: assistantShape.handOff.default(plainHandOff),
  hours: assistantShape.hours.default(assistantDefaults.hours),
  dailyTokenBudget: assistantShape.dailyTokenBudget.default(assistantDefaults.dailyTokenBudget),
  conversationTokenBudget: assistantShape.conversationTokenBudget.default(
    assistantDefaults.conversationTokenBudget,
  ),
  debounceSeconds: assistantShape.debounceSeconds.default(assistantDefaults.debounceSeconds),
});
const changesSchema = z.strictObject(assistantShape).partial();

interface KnownOf {
  documents: number;
  chunks: number;
  meaning: Meaning | null;
}
type Known = Record<string, KnownOf>;
const nothing: KnownOf = { documents: 0, chunks: 0, meaning: null };
const noMeaning: Meaning = { isOn: false, vectors: 0, problem: null };

const show = (row: AssistantRow, known: Known) => ({
  assistantId: row.id,
  name: row.name,
  enabled: row.enabled,
  numberIds: row.numberIds ?? ('all' as const),
  provider: {
    ...row.provider,
    seesPictures: row.provider.seesPictures ?? false,
    embeddingModel: row.provider.embeddingModel ?? null,
  },
  instructions: row.instructions,
  introduction: row.introduction,
  knowledge: known[row.id] ?? nothing,
  tools: row.tools,
  handOff: row.handOff,
  hours: row.hours,
  dailyTokenBudget: row.dailyTokenBudget,
  conversationTokenBudget: row.conversationTokenBudget,
  debounceSeconds: row.debounceSeconds,
  createdAt: isoTime(row.createdAt),
  updatedAt: isoTime(row.updatedAt),
});

/** Whether there is a key is shown, the key never is. */
async function showWithKey(c: Context<AppEnv>, row: AssistantRow) {
  const [known, secrets] = await Promise.all([knownBy(c, row), openSecrets(c.env, row)]);
  const shown = show(row, known);
  return { ...shown, provider: { ...shown.provider, hasApiKey: secrets.apiKey !== null } };
}

/** `meaning` is null where the deployment has no index of meanings. */
async function knownBy({ env }: Context<AppEnv>, { id, accountId }: AssistantRow): Promise<Known> {
  const counts = await askKnowledge(env, accountId, (knowledge) => knowledge.summary([id]));
  if (vectorIndexOf(env) === null) return { [id]: { ...nothing, ...counts[id] } };
  const meanings = await askKnowledge(env, accountId, (knowledge) => knowledge.meaning([id]));
  return { [id]: { ...nothing, ...counts[id], meaning: meanings[id] ?? noMeaning } };
}

async function teamProblem(c: Context<AppEnv>, handOff: HandOffSettings | undefined) {
  const teamId = handOff?.teamId ?? null;
  if (teamId === null) return null;
  const team = await teamDefinitions.find(openDatabase(c.env.DB), c.get('caller').accountId, teamId);
  return team === null ? invalidField('handOff.teamId', 'The account has no such team.') : null;
}

/** What makes the vectors of what it knows, where the deployment has an index for them. `isNew`: its provider was set anew. */
async function tellEmbedder({ env }: Context<AppEnv>, row: AssistantRow, isNew: boolean): Promise<void> {
  if (vectorIndexOf(env) === null) return;
  const embedder = embedderName(env, row);
  await askKnowledge(env, row.accountId, (knowledge) => knowledge.setEmbedder(row.id, embedder, isNew));
}

const rulesOf = (c: Context<AppEnv>) => webhookUrlRules(settingsOf(c.env), new URL(c.req.url).host);

assistantRoutes.post('/', jsonBody(createSchema), async (c) => {
  const input = c.req.valid('json');
  const problem =
    (await foreignNumberRefusal(c.env, c.get('caller').accountId, input.numberIds)) ??
    (await teamProblem(c, input.handOff));
  if (problem !== null) return renderRefusal(c, problem);
  const { provider, tools, numberIds, ...plain } = input;
  const before = { provider: null, tools: null, secrets: noSecrets };
  const taken = takeWritten({ provider, tools }, before, rulesOf(c));
  if (!taken.ok) return renderRefusal(c, taken);
  const { apiKey: _, ...shownProvider } = provider;
  const id = newUuid();
  const now = Date.now();
  const row: AssistantRow = {
    ...plain,
    id,
    accountId: c.get('caller').accountId,
    numberIds: nullForAll(numberIds),
    provider: taken.provider ?? shownProvider,
    tools: taken.tools ?? tools,
    sealedSecrets: await sealSecrets(c.env, id, taken.secrets),
    createdAt: now,
    updatedAt: now,
  };
  if (!(await insertAssistant(row, auditOf(c)))) {
    return renderRefusal(c, refuse('CONFLICT', `An account can have at most ${assistantsMax} assistants.`));
  }
  await configurationChanged(c.env, row.accountId);
  return c.json<z.infer<typeof assistantSchema>>(await showWithKey(c, row), 201);
});

assistantRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const rows = await listAssistants(openDatabase(c.env.DB), accountId, limit, cursor);
  const found = page(c, rows, limit, ({ id }) => id);
  return c.json<z.infer<typeof assistantListSchema>>({
    ...found,
    data: await Promise.all(found.data.map((row) => showWithKey(c, row))),
  });
});

assistantRoutes.get('/:id', assistantPath, async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  return c.json<z.infer<typeof assistantSchema>>(await showWithKey(c, row));
});

assistantRoutes.patch('/:id', assistantPath, jsonBody(changesSchema), async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  const { provider, tools, numberIds, ...plain } = c.req.valid('json');
  const problem =
    (await foreignNumberRefusal(c.env, c.get('caller').accountId, numberIds)) ??
    (await teamProblem(c, plain.handOff));
  if (problem !== null) return renderRefusal(c, problem);
  const secrets = await openSecrets(c.env, row);
  const taken = takeWritten(
    { provider, tools },
    { provider: row.provider, tools: row.tools, secrets },
    rulesOf(c),
  );
  if (!taken.ok) return renderRefusal(c, taken);
  const changes: AssistantChanges = {
    ...onlyGiven(plain),
    ...(numberIds !== undefined && { numberIds: nullForAll(numberIds) }),
    ...(taken.provider && { provider: taken.provider }),
    ...(taken.tools && { tools: taken.tools }),
    ...((provider || tools) && { sealedSecrets: await sealSecrets(c.env, row.id, taken.secrets) }),
  };
  const updated = await updateAssistant(row, changes, auditOf(c));
  if (updated === null) {
    return renderRefusal(c, refuse('CONFLICT', 'Someone else changed it at the same moment.'));
  }
  await configurationChanged(c.env, updated.accountId);
  await tellEmbedder(c, updated, provider !== undefined);
  return c.json<z.infer<typeof assistantSchema>>(await showWithKey(c, updated));
});

assistantRoutes.delete('/:id', assistantPath, async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  await deleteAssistant(row, auditOf(c));
  await configurationChanged(c.env, row.accountId);
  await askKnowledge(c.env, row.accountId, (knowledge) => knowledge.removeOf(row.id));
  return c.body(null, 204);
});
