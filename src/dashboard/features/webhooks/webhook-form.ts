import type { CreateWebhookRequest, EventName, UpdateWebhookRequest, Webhook } from '../../../sdk/index.ts';
import { changedFields } from '../../parts/fields/changed-fields.ts';

/** What the forms of a webhook hold. */
export interface Fields {
  url: string;
  description: string;
  /** All, those that come later included. */
  isEveryEvent: boolean;
  events: EventName[];
  /** None: all, those that come later included. */
  numberIds: string[];
  headers: HeaderField[];
}

interface HeaderField {
  name: string;
  /** Of one that is stored: empty, as long as it is to stay as it is. */
  value: string;
  isStored: boolean;
}

export const newFields: Fields = {
  url: '',
  description: '',
  isEveryEvent: true,
  events: [],
  numberIds: [],
  headers: [],
};

export const fieldsOf = ({ url, description, events, numberIds, headerNames }: Webhook): Fields => ({
  url,
  description: description ?? '',
  isEveryEvent: events === 'all',
  events: events === 'all' ? [] : events,
  numberIds: numberIds === 'all' ? [] : numberIds,
  headers: headerNames.map((name) => ({ name, value: '', isStored: true })),
});

const requestOf = (fields: Fields) => ({
  url: fields.url.trim(),
  description: fields.description.trim() === '' ? null : fields.description.trim(),
  events: fields.isEveryEvent ? ('all' as const) : fields.events,
  numberIds: fields.numberIds.length === 0 ? ('all' as const) : fields.numberIds,
});

const typedHeaders = ({ headers }: Fields): [string, string][] =>
  headers.flatMap(({ name, value }) => (value.trim() === '' ? [] : [[name.trim(), value.trim()]]));

export const createRequest = (fields: Fields): CreateWebhookRequest => ({
  ...requestOf(fields),
  headers: Object.fromEntries(typedHeaders(fields)),
});

/** Only what was changed. Of headers, what is typed is set, and what was taken out of the list goes; the others stay as they are. */
export const updateRequest = (
  fields: Fields,
  first: Fields,
  { headerNames }: Webhook,
): UpdateWebhookRequest => {
  const gone = headerNames.filter((name) => !fields.headers.some((header) => header.name === name));
  const headers = Object.fromEntries([...gone.map((name) => [name, null]), ...typedHeaders(fields)]);
  const changed = changedFields(requestOf(fields), requestOf(first));
  return { ...changed, ...(Object.keys(headers).length > 0 && { headers }) };
};
