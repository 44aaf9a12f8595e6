import { unknownVariables } from '../../../../contract/campaigns/template.ts';
import { type Weekday, weekdays } from '../../../../contract/times.ts';
import type { Campaign, CreateCampaignRequest } from '../../../../sdk/index.ts';
import { localTime } from '../../../parts/fields/local-time.ts';

export type MessageKind = 'text' | 'image' | 'document';

/** What the wizard asks for, as its fields hold it. */
export interface WizardFields {
  name: string;
  kind: MessageKind;
  text: string;
  mediaId: string;
  fileName: string;
  hasVariant: boolean;
  variant: string;
  hasWinner: boolean;
  testPercent: number;
  afterMinutes: number;
  audience: 'all' | 'label' | 'segment' | 'csv' | 'chosen';
  label: string;
  segmentId: string;
  /** The import whose people get it. */
  csv: string;
  contactIds: string[];
  coldContacts: boolean;
  numberIds: string[];
  isLater: boolean;
  startAt: string;
  hasHours: boolean;
  days: Weekday[];
  from: string;
  to: string;
  isRecipientZone: boolean;
  timeZone: string;
  ratePerHour: number | '';
  stopAfterFailures: number;
  whenQuotaEnds: 'wait' | 'end';
}

const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const newFields: WizardFields = {
  name: '',
  kind: 'text',
  text: '',
  mediaId: '',
  fileName: '',
  hasVariant: false,
  variant: '',
  hasWinner: false,
  testPercent: 20,
  afterMinutes: 120,
  audience: 'all',
  label: '',
  segmentId: '',
  csv: '',
  contactIds: [],
  coldContacts: false,
  numberIds: [],
  isLater: false,
  startAt: '',
  hasHours: false,
  days: weekdays.slice(0, 5),
  from: '09:00',
  to: '17:00',
  isRecipientZone: true,
  timeZone: ownZone,
  ratePerHour: '',
  stopAfterFailures: 20,
  whenQuotaEnds: 'wait',
};

type Message = Record<string, unknown>;
const fileOf = (message: Message, kind: MessageKind) =>
  (message[kind] ?? {}) as { mediaId?: string; caption?: string; fileName?: string };

const textIn = (message: Message | undefined, kind: MessageKind): string => {
  if (message === undefined) return '';
  return kind === 'text' ? String(message.text ?? '') : (fileOf(message, kind).caption ?? '');
};

/** Of a kind that this page does not make, null: it is changed by the API alone. */
export function fieldsOf(campaign: Campaign): WizardFields | null {
  const message = campaign.message as Message;
  const kind = (message.type ?? 'text') as MessageKind;
  if (!['text', 'image', 'document'].includes(kind)) return null;
  const { audience, window, startAt, winner } = campaign;
  const [variant] = campaign.variants as Message[];
  const file = kind === 'text' ? {} : fileOf(message, kind);
  return {
    ...newFields,
    name: campaign.name,
    kind,
    text: textIn(message, kind),
    mediaId: file.mediaId ?? '',
    fileName: file.fileName ?? '',
    hasVariant: variant !== undefined,
    variant: textIn(variant, kind),
    hasWinner: winner !== null,
    ...(winner !== null && winner),
    audience: audienceKind(audience),
    label: audience.label ?? '',
    segmentId: audience.segmentId ?? '',
    csv: audience.csv ?? '',
    contactIds: audience.contactIds ?? [],
    coldContacts: audience.coldContacts,
    numberIds: campaign.numberIds === 'pool' ? [] : campaign.numberIds,
    isLater: startAt !== null,
    startAt: startAt === null ? '' : localTime(new Date(startAt)),
    hasHours: window !== null,
    ...(window !== null && { days: window.days as Weekday[], from: window.from, to: window.to }),
    isRecipientZone: window === null || window.timeZone === 'recipient',
    timeZone: window !== null && window.timeZone !== 'recipient' ? window.timeZone : campaign.timeZone,
    ratePerHour: campaign.ratePerHour ?? '',
    stopAfterFailures: campaign.stopAfterFailures,
    whenQuotaEnds: campaign.whenQuotaEnds,
  };
}

function audienceKind({ label, segmentId, csv, contactIds }: Campaign['audience']): WizardFields['audience'] {
  if (contactIds !== undefined) return 'chosen';
  if (label !== undefined) return 'label';
  if (csv !== undefined) return 'csv';
  return segmentId === undefined ? 'all' : 'segment';
}

export function requestOf(fields: WizardFields): CreateCampaignRequest {
  const { hasVariant, hasWinner, hasHours, timeZone, numberIds } = fields;
  return {
    name: fields.name.trim(),
    message: messageOf(fields, fields.text),
    variants: hasVariant ? [messageOf(fields, fields.variant)] : [],
    winner:
      hasVariant && hasWinner ? { testPercent: fields.testPercent, afterMinutes: fields.afterMinutes } : null,
    audience: { ...sourceOf(fields), coldContacts: fields.coldContacts },
    numberIds: numberIds.length === 0 ? 'pool' : numberIds,
    startAt: fields.isLater && fields.startAt !== '' ? new Date(fields.startAt).toISOString() : null,
    window: hasHours
      ? {
          days: fields.days,
          from: fields.from,
          to: fields.to,
          timeZone: fields.isRecipientZone ? 'recipient' : timeZone,
        }
      : null,
    timeZone,
    ratePerHour: fields.ratePerHour === '' ? null : fields.ratePerHour,
    stopAfterFailures: fields.stopAfterFailures,
    whenQuotaEnds: fields.whenQuotaEnds,
  };
}

function messageOf(
  { kind, mediaId, fileName }: WizardFields,
  text: string,
): CreateCampaignRequest['message'] {
  if (kind === 'text') return { text };
  const caption = text === '' ? {} : { caption: text };
  if (kind === 'image') return { type: kind, image: { mediaId, ...caption } };
  return { type: kind, document: { mediaId, ...caption, ...(fileName !== '' && { fileName }) } };
}

function sourceOf({ audience, label, segmentId, csv, contactIds }: WizardFields) {
  if (audience === 'label') return { label };
  if (audience === 'csv') return { csv };
  if (audience === 'segment') return { segmentId };
  return audience === 'chosen' ? { contactIds } : { all: true as const };
}

/** A problem of a text, by the word for it; null: there is none. */
export function textProblem(
  kind: MessageKind,
  text: string,
): { word: 'textNeeded' | 'captionTooLong' | 'unknownVariable'; name?: string } | null {
  const characters = [...text].length;
  if (kind === 'text' && (text.trim() === '' || characters > 4096)) return { word: 'textNeeded' };
  if (kind !== 'text' && characters > 1024) return { word: 'captionTooLong' };
  const [name] = unknownVariables(text);
  return name === undefined ? null : { word: 'unknownVariable', name };
}
