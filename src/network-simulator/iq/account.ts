import type { User } from '../accounts/user.ts';
import { collectionBehind } from '../app-state/collection-answer.ts';
import { childNamed, childrenNamed, stanza } from '../wire/stanza.ts';
import { answerBlocklist, answerPicture, answerStatus } from './profile.ts';
import type { AnswerSoon, Query } from './query.ts';

const privacyCategories = ['readreceipts', 'last', 'profile', 'status', 'online', 'groupadd', 'calladd'];
const withoutContent = new Set(['w:p', 'passive', 'urn:xmpp:whatsapp:dirty', 'w:stats', 'w', 'tos']);
const mediaBytesMax = 104_857_600;

/** The small questions every client asks about its account; all of them have one plain answer here. */
export function answerAccount(query: Query): AnswerSoon {
  const { network, device, iq, asked } = query;
  const xmlns = iq.attrs.xmlns ?? '';
  switch (xmlns) {
    case 'w:m':
      return {
        content: [
          stanza(
            'media_conn',
            { auth: network.media.auth, ttl: '3600', auth_ttl: '21600', max_buckets: '12' },
            [
              stanza('host', {
                hostname: network.mediaHost(),
                maxContentLengthBytes: String(mediaBytesMax),
              }),
            ],
          ),
        ],
      };
    case 'privacy': {
      if (asked?.tag === 'tokens') return { content: [stanza('tokens', {}, [])] };
      const categories = privacyCategories.map((name) => stanza('category', { name, value: 'all' }));
      return { content: [stanza('privacy', {}, categories)] };
    }
    case 'abt':
      return { content: [stanza('props', { protocol: '1', hash: 'simulated' }, [])] };
    case 'blocklist':
      return answerBlocklist(query);
    case 'status':
      return answerStatus(query);
    case 'w:sync:app:state': {
      const collections = childrenNamed(childNamed(iq, 'sync'), 'collection').map(({ attrs }) =>
        collectionBehind(network, device.user, attrs.name ?? '', Number(attrs.version ?? 0)),
      );
      return Promise.all(collections).then((all) => ({ content: [stanza('sync', {}, all)] }));
    }
    case 'w:mex':
      return { content: [stanza('result', {}, Buffer.from(JSON.stringify(accountStanding(device.user))))] };
    case 'w:profile:picture':
      return answerPicture(query);
    default:
      if (!withoutContent.has(xmlns)) network.log.info({ xmlns, asked: asked?.tag }, 'query.unknown');
      return {};
  }
}

/** One document answers every query of this kind: a client reads its own part. */
const accountStanding = ({ faults: { newChatsFrom } }: User) => ({
  data: {
    xwa2_fetch_account_reachout_timelock: {
      is_active: newChatsFrom !== null && newChatsFrom > Date.now(),
      time_enforcement_ends: String(Math.floor((newChatsFrom ?? 0) / 1000)),
    },
    xwa2_message_capping_info: {
      total_quota: -1,
      used_quota: 0,
      cycle_start_timestamp: '0',
      cycle_end_timestamp: '0',
      capping_status: 'NONE',
    },
  },
});
