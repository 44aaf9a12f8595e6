import type { Words } from '../texts.ts';
import { assistants } from './automatic/assistants.ts';
import { automations } from './automatic/automations.ts';
import { campaigns } from './automatic/campaigns.ts';
import { alerts } from './daily/alerts.ts';
import { contacts } from './daily/contacts.ts';
import { inbox } from './daily/inbox.ts';
import { inboxAssistant } from './daily/inbox-assistant.ts';
import { messages } from './daily/messages.ts';
import { numbers } from './daily/numbers.ts';
import { overview } from './daily/overview.ts';
import { apiKeys } from './developer/api-keys.ts';
import { bridges } from './developer/bridges.ts';
import { events } from './developer/events.ts';
import { requests } from './developer/requests.ts';
import { webhooks } from './developer/webhooks.ts';
import { common } from './everywhere/common.ts';
import { problems } from './everywhere/problems.ts';
import { shell } from './everywhere/shell.ts';
import { signIn } from './everywhere/sign-in.ts';
import { accountSettings } from './settings/account-settings.ts';
import { settings } from './settings/settings.ts';
import { support } from './settings/support.ts';
import { teams } from './settings/teams.ts';

export const words: Words = {
  accountSettings,
  alerts,
  apiKeys,
  assistants,
  campaigns,
  automations,
  bridges,
  common,
  contacts,
  events,
  inbox,
  inboxAssistant,
  messages,
  numbers,
  overview,
  problems,
  requests,
  settings,
  shell,
  signIn,
  support,
  teams,
  webhooks,
};
