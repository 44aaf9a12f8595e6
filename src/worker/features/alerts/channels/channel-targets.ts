import type { Context } from 'hono';
import {
  type AlertChannelKind,
  type AlertTarget,
  alertTargetSchemas,
} from '../../../../contract/alerts/alert-channels.ts';
import type { Refusal } from '../../../../contract/errors.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import type { AppEnv } from '../../../app-env.ts';
import { openDatabase } from '../../../db/database.ts';
import { invalidField } from '../../../http/request/validation-details.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../../outbound-http/webhook-url.ts';
import { readRecipient } from '../../messages/sending/known-addresses.ts';
import { foreignNumbers } from '../../numbers/rows.ts';
import type { AlertChannelRow } from '../rows/alert-channels.ts';
import { isTelegram, isWhatsapp, openTarget, type SecretTarget, splitTarget } from './channel-target.ts';

/** A target that was looked at: what is shown of it, and what is sealed. */
export interface ReadTarget {
  ok: true;
  shown: AlertTarget;
  secret: SecretTarget | null;
}

/** What only the account, the rules for URLs and the kind of the channel can say about a target. */
export async function readTarget(
  c: Context<AppEnv>,
  kind: AlertChannelKind,
  target: AlertTarget,
): Promise<ReadTarget | Refusal> {
  if (typeof target === 'string') {
    if (kind === 'email') return { ok: true, ...splitTarget(kind, target) };
    const problem = webhookUrlProblem(target, webhookUrlRules(settingsOf(c.env), new URL(c.req.url).host));
    return problem === null ? { ok: true, ...splitTarget(kind, target) } : invalidField('target', problem);
  }
  if (!isWhatsapp(target)) return { ok: true, ...splitTarget(kind, target) };
  const recipient = await readRecipient(c.env, c.get('caller').accountId, target.to);
  if (!recipient.ok) return invalidField('target.to', recipient.message);
  const { numberId } = target;
  const db = openDatabase(c.env.DB);
  const foreign = numberId === null ? [] : await foreignNumbers(db, c.get('caller').accountId, [numberId]);
  if (foreign.length > 0) return invalidField('target.numberId', 'The account has no such number.');
  return { ok: true, shown: { numberId, to: recipient.to }, secret: null };
}

/** The same for a channel that is there: its kind stays, and so does what is not said again. */
export async function readChangedTarget(
  c: Context<AppEnv>,
  row: AlertChannelRow,
  target: AlertTarget,
): Promise<ReadTarget | Refusal> {
  const known = await openTarget(c.env, row.id, row.sealedTarget);
  const isBot = row.kind === 'telegram' && typeof target !== 'string' && isTelegram(target);
  const whole = isBot ? { botToken: known.botToken, ...target } : target;
  const parsed = alertTargetSchemas[row.kind].safeParse(whole);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = ['target', ...(issue?.path ?? [])].join('.');
    return invalidField(path, issue?.message ?? `Not a target of ${row.kind}.`);
  }
  const read = await readTarget(c, row.kind, parsed.data);
  if (!read.ok || known.signingSecret === undefined) return read;
  const { signingSecret, previousSecret, previousUntil } = known;
  return { ...read, secret: { ...read.secret, signingSecret, previousSecret, previousUntil } };
}
