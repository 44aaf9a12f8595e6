import { type AudienceMember, addressOfMember } from '../../../contract/contacts/audience.ts';
import { aliasAddress } from '../../../contract/messages/recipient.ts';
import type { OutcomesParts } from '../outcomes/outcomes.ts';
import type { CampaignPorts, RecipientState } from '../ports.ts';
import { count, recipientIdOf, variantOf } from '../recipient.ts';
import type { RecipientRows } from '../recipient-rows.ts';
import type { CampaignStore } from '../store.ts';
import { judgeMember } from './judge-member.ts';
import { type RecipientZones, zonesOf } from './open-hours.ts';

/** Members in one page: a transaction. */
const audienceStep = 500;

export interface FreezingParts {
  store: CampaignStore;
  rows: RecipientRows;
  zones: RecipientZones;
  ports: Pick<CampaignPorts, 'audience' | 'recipients'>;
  stop: OutcomesParts['stop'];
}

/** Writes down whom the campaign is for, a page at a time: what changes afterwards changes nothing about it. */
export async function freezePage({ store, rows, zones, ports, stop }: FreezingParts): Promise<void> {
  const { definition, progress } = store.known;
  const found = await ports.audience(definition.audience, progress.frozenUpTo, audienceStep);
  if (!found.ok) {
    // Nobody can say any more who the others were: to go on with those who are written down would leave them out unseen.
    store.change((now) => stop(now, 'audience_gone'));
    return;
  }
  const addresses = found.members.map(addressOfMember);
  const states = addresses.length === 0 ? [] : await ports.recipients(addresses);
  store.change((now) => {
    // Somebody else may have come first, or nobody wants it any more.
    if (now.frozenUpTo !== progress.frozenUpTo || now.isFrozen || now.status !== 'running') return;
    for (const [index, member] of found.members.entries()) {
      const state = states[index] ?? { optedOutAt: null, lastInboundAt: null };
      insert(member, state, now.tally);
    }
    now.frozenUpTo = found.nextAfter;
    now.isFrozen = found.nextAfter === null;
  });

  function insert(member: AudienceMember, state: RecipientState, tally: Parameters<typeof count>[0]): void {
    const { lid, contactId } = member;
    const address = addressOfMember(member);
    const id = recipientIdOf(address);
    // Written down under their alias, before it was known whose that is.
    const other = lid === null ? null : recipientIdOf(aliasAddress(lid));
    if (id === null || (other !== null && other !== id && rows.find(other) !== null)) return;
    const judged = judgeMember(member, state, definition);
    const variant = variantOf(progress.campaignId, address, definition.texts.length, definition.winner);
    const to = judged.skip !== null ? 'skipped' : variant === null ? 'held' : 'pending';
    const isNew = rows.insert({
      id,
      contactId,
      state: to,
      variant,
      zone: zones.idOf(zonesOf(member, definition, Date.now())),
      values: judged.skip === null ? judged.values : {},
      reason: judged.skip,
    });
    if (isNew) count(tally, null, to, variant);
  }
}
