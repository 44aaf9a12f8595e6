import type { Operation } from '../operation.ts';
import { accountOperations } from './account.ts';
import { alertChannelOperations } from './alert-channels.ts';
import { alertMuteOperations } from './alert-mutes.ts';
import { alertOperations } from './alerts.ts';
import { assistantOperations } from './assistants/assistants.ts';
import { documentOperations } from './assistants/documents.ts';
import { assistantRunOperations } from './assistants/runs.ts';
import { auditLogOperations } from './audit-log.ts';
import { automationOperations } from './automations.ts';
import { bridgeOperations } from './bridges.ts';
import { campaignOperations } from './campaigns/campaigns.ts';
import { campaignRecipientOperations } from './campaigns/recipients.ts';
import { contactQueryOperations } from './contact-queries.ts';
import { contactImportOperations } from './contacts/contact-imports.ts';
import { contactOperations } from './contacts/contacts.ts';
import { segmentOperations } from './contacts/segments.ts';
import { chatOperations } from './conversations/chat.ts';
import { conversationOperations } from './conversations/conversations.ts';
import { liveConversationOperations } from './conversations/live.ts';
import { teamOperations } from './conversations/teams.ts';
import { deliveryOperations } from './deliveries.ts';
import { eventOperations } from './events.ts';
import { groupOperations } from './groups.ts';
import { mediaOperations } from './media.ts';
import { messageActionOperations } from './message-actions.ts';
import { messageOperations } from './messages.ts';
import { numberOperations } from './numbers.ts';
import { memberOperations } from './people/members.ts';
import { profileOperations } from './people/profile.ts';
import { signInOperations } from './people/sign-in.ts';
import { requestOperations } from './requests.ts';
import { serviceOperations } from './service.ts';
import { settingsOperations } from './settings.ts';
import { supportOperations } from './support.ts';
import { webhookOperations } from './webhooks.ts';

/** Every operation of the document; a route that is missing here fails a test. */
export const operations: Operation[] = [
  ...messageOperations,
  ...messageActionOperations,
  ...mediaOperations,
  ...accountOperations,
  ...numberOperations,
  ...groupOperations,
  ...contactOperations,
  ...contactImportOperations,
  ...segmentOperations,
  ...contactQueryOperations,
  ...conversationOperations,
  ...chatOperations,
  ...liveConversationOperations,
  ...teamOperations,
  ...supportOperations,
  ...campaignOperations,
  ...campaignRecipientOperations,
  ...assistantOperations,
  ...documentOperations,
  ...assistantRunOperations,
  ...settingsOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...eventOperations,
  ...alertOperations,
  ...alertChannelOperations,
  ...alertMuteOperations,
  ...automationOperations,
  ...signInOperations,
  ...profileOperations,
  ...memberOperations,
  ...requestOperations,
  ...auditLogOperations,
  ...bridgeOperations,
  ...serviceOperations,
];
