import type {
  AlertChannel,
  CreateAlertChannelRequest,
  UpdateAlertChannelRequest,
} from '../../../../sdk/index.ts';
import { changedFields } from '../../../parts/fields/changed-fields.ts';

type Kind = AlertChannel['kind'];
type AlertKind = Exclude<AlertChannel['kinds'], 'all'>[number];

/** In the order in which they are offered. */
export const kinds = ['email', 'slack', 'telegram', 'discord', 'whatsapp', 'webhook'] as const;
export const digests = ['never', 'also', 'only'] as const;

/** What is typed; which of the targets counts, the kind says. */
export interface Fields {
  kind: Kind;
  name: string;
  address: string;
  url: string;
  botToken: string;
  chatId: string;
  /** Empty: any connected number. */
  numberId: string;
  to: string;
  /** All, those that come later included. */
  isEveryKind: boolean;
  kinds: AlertKind[];
  /** None: all, those that come later included. */
  numberIds: string[];
  digest: (typeof digests)[number];
  hour: string;
  timeZone: string;
}

export const newFields = (): Fields => ({
  kind: 'email',
  name: '',
  address: '',
  url: '',
  botToken: '',
  chatId: '',
  numberId: '',
  to: '',
  isEveryKind: true,
  kinds: [],
  numberIds: [],
  digest: 'never',
  hour: '8',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** What is stored, as it is edited: of secrets nothing is known. */
export function fieldsOf(channel: AlertChannel): Fields {
  const { kind, name, target, kinds, numberIds, digest } = channel;
  const fresh = newFields();
  return {
    ...fresh,
    kind,
    name: name ?? '',
    ...(kind === 'email' && typeof target === 'string' && { address: target }),
    ...(typeof target !== 'string' && 'chatId' in target && { chatId: target.chatId }),
    ...(typeof target !== 'string' && 'to' in target && { numberId: target.numberId ?? '', to: target.to }),
    isEveryKind: kinds === 'all',
    kinds: kinds === 'all' ? [] : kinds,
    numberIds: numberIds === 'all' ? [] : numberIds,
    ...(digest !== null && {
      digest: digest.only ? 'only' : 'also',
      hour: String(digest.hour),
      timeZone: digest.timeZone,
    }),
  };
}

const settingsOf = (fields: Fields) => ({
  name: fields.name.trim() === '' ? null : fields.name.trim(),
  kinds: fields.isEveryKind ? ('all' as const) : fields.kinds,
  numberIds: fields.numberIds.length === 0 ? ('all' as const) : fields.numberIds,
  digest:
    fields.digest === 'never'
      ? null
      : { hour: Number(fields.hour), timeZone: fields.timeZone.trim(), only: fields.digest === 'only' },
});

const whatsapp = ({ numberId, to }: Fields) => ({
  numberId: numberId === '' ? null : numberId,
  to: to.trim(),
});

export function createRequest(fields: Fields): CreateAlertChannelRequest {
  const settings = settingsOf(fields);
  const { kind } = fields;
  switch (kind) {
    case 'email':
      return { kind, target: fields.address.trim(), ...settings };
    case 'telegram':
      return {
        kind,
        target: { botToken: fields.botToken.trim(), chatId: fields.chatId.trim() },
        ...settings,
      };
    case 'whatsapp':
      return { kind, target: whatsapp(fields), ...settings };
    default:
      return { kind, target: fields.url.trim(), ...settings };
  }
}

/** Only what was changed; the target only where it was typed anew. */
export function updateRequest(
  fields: Fields,
  first: Fields,
  stored: AlertChannel,
): UpdateAlertChannelRequest {
  const settings = changedFields(settingsOf(fields), settingsOf(first));
  switch (fields.kind) {
    case 'email':
      return {
        ...(fields.address.trim() !== stored.target && { target: fields.address.trim() }),
        ...settings,
      };
    case 'telegram': {
      const botToken = fields.botToken.trim();
      const isNew = botToken !== '' || fields.chatId !== first.chatId;
      const target = { chatId: fields.chatId.trim(), ...(botToken !== '' && { botToken }) };
      return { ...(isNew && { target }), ...settings };
    }
    case 'whatsapp':
      return { ...changedFields({ target: whatsapp(fields) }, { target: whatsapp(first) }), ...settings };
    default:
      return { ...(fields.url.trim() !== '' && { target: fields.url.trim() }), ...settings };
  }
}
