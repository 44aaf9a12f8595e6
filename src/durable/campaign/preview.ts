import type { CampaignWindow, SkipReason } from '../../contract/campaigns/campaign.ts';
import { addressOfMember } from '../../contract/contacts/audience.ts';
import { type MessageContent, textOf } from '../../contract/messages/content.ts';
import { currentForm } from '../account/recipients/two-forms.ts';
import { contentFor, judgeMember } from './audience/freezing.ts';
import { isOpen, zonesOf } from './audience/open-hours.ts';
import type { CampaignDefinition } from './definition.ts';
import type { CampaignPorts } from './ports.ts';
import type { CampaignNumber } from './sending/room.ts';

/** Members that are looked at; of a larger audience the rest is taken to be like them. */
const lookedAtMax = 20_000;
const pageMax = 1_000;
const examplesMax = 3;

/** `to`: their phone number; null: only an alias is known. */
interface Somebody {
  to: string | null;
  contactId: string;
  name: string | null;
}

export interface CampaignPreview {
  /** Everybody who was looked at. */
  recipients: number;
  willGet: number;
  /** Who does not, by the reason. */
  skipped: Partial<Record<SkipReason, number>>;
  /** Of those who get it, how many have never written to one of the account's numbers. */
  cold: number;
  /** The audience is larger than what was looked at: all figures are more. */
  isPartial: boolean;
  /** The texts as the first ones would get them. */
  examples: (Somebody & { variant: number; text: string })[];
  /** Some who do not get it, with the reason. */
  left: (Somebody & { reason: SkipReason })[];
  numbers: { numberId: string; hindrance: string | null; perMinute: number; leftToday: number | null }[];
  quota: { left: number | null; resetAt: number };
  startsAt: number;
  /** Null: nobody can say, or within half a year it would not. */
  finishesAt: number | null;
  warnings: PreviewWarning[];
}

/** Walks through the audience as it is now, and asks what the numbers can do. */
export async function previewOf(
  definition: CampaignDefinition,
  ports: Pick<CampaignPorts, 'audience' | 'recipients' | 'outlook'>,
  now: number,
): Promise<CampaignPreview> {
  const startsAt = Math.max(now, definition.startAt ?? now);
  const found = await lookAt(definition, ports, now);
  const outlook = await ports.outlook(definition.numberIds);
  const { quotaLeft, quotaResetAt } = outlook;
  const ends = finishesAt(
    {
      groups: [...found.zones.values()],
      numbers: outlook.numbers,
      window: definition.window,
      ratePerHour: definition.ratePerHour,
      quotaLeft,
      quotaResetAt,
    },
    startsAt,
  );
  const { willGet, cold } = found;
  const isShort = quotaLeft !== null && quotaLeft < willGet;
  const limits = outlook.numbers.filter(({ hindrance }) => hindrance === null);
  const today = limits.reduce((sum, { leftToday }) => sum + (leftToday ?? Number.POSITIVE_INFINITY), 0);
  const hasNumber = limits.length > 0;
  const warnings: Record<PreviewWarning, boolean> = {
    nobody: willGet === 0,
    cold_contacts: cold > 0,
    no_number: !hasNumber,
    quota_short: isShort,
    never_ends: hasNumber && willGet > 0 && ends === null,
    daily_limits: hasNumber && today < willGet,
  };
  return {
    ...found.shown,
    numbers: outlook.numbers.map(({ numberId, hindrance, perMinute, leftToday }) => ({
      numberId,
      hindrance,
      perMinute,
      leftToday,
    })),
    quota: { left: quotaLeft, resetAt: quotaResetAt },
    startsAt,
    finishesAt: willGet === 0 ? null : ends,
    warnings: previewWarnings.filter((warning) => warnings[warning]),
  };
}

async function lookAt(
  definition: CampaignDefinition,
  ports: Pick<CampaignPorts, 'audience' | 'recipients'>,
  now: number,
) {
  const skipped: Partial<Record<SkipReason, number>> = {};
  const examples: CampaignPreview['examples'] = [];
  const left: CampaignPreview['left'] = [];
  const zones = new Map<string, { zones: string[]; recipients: number }>();
  // Two ids may mean one person, and so may two phone numbers.
  const seen = new Set<string>();
  const getting = new Set<string>();
  let [recipients, willGet, cold] = [0, 0, 0];
  let after: string | null = null;
  do {
    const page = await ports.audience(definition.audience, after, pageMax);
    if (!page.ok) break;
    const addresses = page.members.map(addressOfMember);
    const states = addresses.length === 0 ? [] : await ports.recipients(addresses);
    for (const [index, member] of page.members.entries()) {
      if (seen.has(member.contactId)) continue;
      seen.add(member.contactId);
      recipients += 1;
      const state = states[index] ?? { optedOutAt: null, lastInboundAt: null };
      const person = currentForm(state.address ?? addressOfMember(member));
      const own = judgeMember(member, state, definition);
      const judged = own.skip === null && getting.has(person) ? ({ skip: 'same_person' } as const) : own;
      const { phoneNumber: to, contactId, name, pushName } = member;
      const somebody = { to, contactId, name: name ?? pushName };
      if (judged.skip !== null) {
        skipped[judged.skip] = (skipped[judged.skip] ?? 0) + 1;
        if (left.length < 10) left.push({ ...somebody, reason: judged.skip });
        continue;
      }
      willGet += 1;
      getting.add(person);
      if (member.wroteTo.length === 0 && member.lastInboundAt === null && state.lastInboundAt === null)
        cold += 1;
      const livesIn = zonesOf(member, definition, now);
      const group = zones.get(livesIn.join()) ?? { zones: livesIn, recipients: 0 };
      zones.set(livesIn.join(), { ...group, recipients: group.recipients + 1 });
      const variant = examples.length % definition.texts.length;
      const text = definition.texts[variant];
      if (examples.length < examplesMax && text !== undefined) {
        const content: MessageContent = contentFor(text.content, judged.values);
        examples.push({ ...somebody, variant, text: textOf(content) });
      }
    }
    after = page.nextAfter;
  } while (after !== null && recipients < lookedAtMax);
  const isPartial = after !== null;
  return { willGet, cold, zones, shown: { recipients, willGet, skipped, cold, isPartial, examples, left } };
}

/** What somebody should know before they start a campaign: a closed list. */
export const previewWarnings = [
  'nobody',
  'cold_contacts',
  'no_number',
  'quota_short',
  'never_ends',
  'daily_limits',
] as const;
type PreviewWarning = (typeof previewWarnings)[number];

/** Steps of a quarter of an hour, half a year ahead at most. */
const stepMs = 15 * 60_000;
const stepsMax = (180 * 86_400_000) / stepMs;

interface EstimateInput {
  /** How many live by which zones. */
  groups: readonly { zones: readonly string[]; recipients: number }[];
  numbers: readonly CampaignNumber[];
  /** What a number may be given on a day that begins anew, where it has a limit; null: as its day is now. */
  window: CampaignWindow | null;
  ratePerHour: number | null;
  quotaLeft: number | null;
  quotaResetAt: number;
}

/**
 * When the last message would leave if the campaign began at `from`, with these numbers and their pacing; null: not within
 * half a year. It is an estimate: what others send meanwhile is unknown, and every day is assumed to have the limit that is
 * left today.
 */
export function finishesAt(input: EstimateInput, from: number): number | null {
  const { numbers, window, ratePerHour, quotaResetAt } = input;
  const usable = numbers.filter(({ hindrance, perMinute }) => hindrance === null && perMinute > 0);
  const left = input.groups.map(({ zones, recipients }) => ({ zones, recipients }));
  let total = left.reduce((sum, { recipients }) => sum + recipients, 0);
  if (total === 0) return from;
  const rate = (ratePerHour ?? Number.POSITIVE_INFINITY) * (stepMs / 3_600_000);
  let quotaLeft = input.quotaLeft ?? Number.POSITIVE_INFINITY;
  let quotaAt = quotaResetAt;
  let day = Math.floor(from / 86_400_000);
  let today = usable.map(({ leftToday }) => leftToday ?? Number.POSITIVE_INFINITY);
  let carried = 0;
  for (let step = 0; step < stepsMax; step += 1) {
    const at = from + step * stepMs;
    if (Math.floor(at / 86_400_000) !== day) {
      day = Math.floor(at / 86_400_000);
      today = usable.map(({ leftToday }) => leftToday ?? Number.POSITIVE_INFINITY);
    }
    if (at >= quotaAt) {
      quotaLeft = Number.POSITIVE_INFINITY;
      quotaAt = Number.POSITIVE_INFINITY;
    }
    const byNumber = usable.map(({ perMinute }, index) => Math.min(perMinute * 15, today[index] ?? 0));
    const most = Math.min(
      rate + carried,
      quotaLeft,
      byNumber.reduce((sum, one) => sum + one, 0),
    );
    let room = Math.floor(most);
    carried = ratePerHour === null ? 0 : Math.min(1, most - room);
    const capacity = room;
    for (const group of left) {
      if (room === 0) break;
      if (group.recipients === 0 || (window !== null && !isOpen(window, group.zones, at))) continue;
      const sent = Math.min(room, group.recipients);
      group.recipients -= sent;
      room -= sent;
      total -= sent;
    }
    const sent = capacity - room;
    quotaLeft -= sent;
    takeFrom(today, byNumber, sent);
    if (total === 0) return Math.round(at + (capacity === 0 ? 0 : (sent / most) * stepMs));
  }
  return null;
}

/** Spreads what was sent over the numbers, as far as each could. */
function takeFrom(today: number[], byNumber: readonly number[], sent: number): void {
  const all = byNumber.reduce((sum, one) => sum + one, 0);
  if (all === 0) return;
  for (const [index, most] of byNumber.entries()) today[index] = (today[index] ?? 0) - sent * (most / all);
}
