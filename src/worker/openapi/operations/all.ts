import type { Operation } from '../operation.ts';
import { accountOperations } from './account/account.ts';
import { auditLogOperations } from './account/audit-log.ts';
import { requestOperations } from './account/requests.ts';
import { settingsOperations } from './account/settings.ts';
import { alertChannelOperations } from './alerts/alert-channels.ts';
import { alertMuteOperations } from './alerts/alert-mutes.ts';
import { alertOperations } from './alerts/alerts.ts';
import { assistantOperations } from './assistants/assistants.ts';
import { documentOperations } from './assistants/documents.ts';
import { assistantRunOperations } from './assistants/runs.ts';
import { automationOperations } from './automations.ts';
import { bridgeOperations } from './bridges.ts';
import { campaignOperations } from './campaigns/campaigns.ts';
import { campaignRecipientOperations } from './campaigns/recipients.ts';
import { contactImportOperations } from './contacts/contact-imports.ts';
import { contactQueryOperations } from './contacts/contact-queries.ts';
import { contactOperations } from './contacts/contacts.ts';
import { segmentOperations } from './contacts/segments.ts';
import { chatOperations } from './conversations/chat.ts';
import { conversationOperations } from './conversations/conversations.ts';
import { liveConversationOperations } from './conversations/live.ts';
import { teamOperations } from './conversations/teams.ts';
import { deliveryOperations } from './events/deliveries.ts';
import { eventOperations } from './events/events.ts';
import { webhookOperations } from './events/webhooks.ts';
import { groupOperations } from './messages/groups.ts';
import { mediaOperations } from './messages/media.ts';
import { messageActionOperations } from './messages/message-actions.ts';
import { messageOperations } from './messages/messages.ts';
import { sendingOperations } from './messages/sending.ts';
import { numberOperations } from './numbers.ts';
import { memberOperations } from './people/members.ts';
import { profileOperations } from './people/profile.ts';
import { signInOperations } from './people/sign-in.ts';
import { serviceOperations } from './service.ts';
import { supportOperations } from './support.ts';

/** Every operation of the document; a route that is missing here fails a test. */
export const operations: Operation[] = [
  ...sendingOperations,
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
