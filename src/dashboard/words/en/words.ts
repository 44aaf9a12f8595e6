import { accountSettings } from './account-settings.ts';
import { alerts } from './alerts.ts';
import { apiKeys } from './api-keys.ts';
import { assistants } from './assistants.ts';
import { automations } from './automations.ts';
import { bridges } from './bridges.ts';
import { campaigns } from './campaigns.ts';
import { common } from './common.ts';
import { contacts } from './contacts.ts';
import { events } from './events.ts';
import { inbox } from './inbox.ts';
import { inboxAssistant } from './inbox-assistant.ts';
import { messages } from './messages.ts';
import { numbers } from './numbers.ts';
import { overview } from './overview.ts';
import { problems } from './problems.ts';
import { requests } from './requests.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { support } from './support.ts';
import { teams } from './teams.ts';
import { webhooks } from './webhooks.ts';

export const words = {
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
} as const;
