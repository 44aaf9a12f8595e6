import type { z } from 'zod';
import { eventNameSchema } from '../../contract/events.ts';
import {
  accountPlanSchema,
  accountSchema,
  apiKeyListSchema,
  apiKeySchema,
  createdApiKeySchema,
  usageSchema,
} from './schemas/account.ts';
import {
  alertAddressSchema,
  alertChannelListSchema,
  alertChannelSchema,
  alertDeliveryListSchema,
  alertDeliverySchema,
  alertMuteListSchema,
  alertMuteSchema,
  alertTestSchema,
  createdAlertChannelSchema,
} from './schemas/alert-channel.ts';
import {
  assistantListSchema,
  assistantSchema,
  documentListSchema,
  documentSchema,
  passagesSchema,
  providerTestSchema,
  trialSchema,
} from './schemas/assistant.ts';
import {
  assistantReportSchema,
  conversationAssistantSchema,
  runListSchema,
  runSchema,
  standingSchema,
} from './schemas/assistant-run.ts';
import { auditLogSchema, auditVerdictSchema } from './schemas/audit-log.ts';
import {
  automationDryRunSchema,
  automationListSchema,
  automationRunListSchema,
  automationSchema,
  createdAutomationSchema,
} from './schemas/automation.ts';
import { bridgeListSchema, bridgeSchema } from './schemas/bridge.ts';
import {
  campaignListSchema,
  campaignPreviewSchema,
  campaignSchema,
  campaignTestSchema,
  recipientListSchema,
} from './schemas/campaign.ts';
import { errorCodeSchema, errorSchema } from './schemas/common.ts';
import {
  contactAttributeListSchema,
  contactAttributeSchema,
  contactErasureSchema,
  contactImportListSchema,
  contactImportSchema,
  contactListSchema,
  contactMergeSchema,
  contactPairSchema,
  contactSchema,
  segmentListSchema,
  segmentSchema,
} from './schemas/contact.ts';
import { checkedContactsSchema, pictureSchema, profileSchema } from './schemas/contact-queries.ts';
import {
  activityListSchema,
  chatSchema,
  conversationCountsSchema,
  conversationListSchema,
  conversationPeopleSchema,
  conversationSchema,
  foundMessagesSchema,
  noteSchema,
  presenceSchema,
  scheduledSchema,
} from './schemas/conversation.ts';
import { eventPageSchema, streamEventSchema } from './schemas/event.ts';
import {
  groupListSchema,
  groupSchema,
  inviteSchema,
  joinedGroupSchema,
  newGroupSchema,
  participantResultsSchema,
  peopleSchema,
  personSchema,
  requestedGroupSchema,
} from './schemas/group.ts';
import { storedMediaSchema } from './schemas/media.ts';
import {
  createdInvitationSchema,
  invitationListSchema,
  invitationSchema,
  memberListSchema,
  memberSchema,
} from './schemas/member.ts';
import {
  acceptedBatchSchema,
  acceptedMessageSchema,
  dryRunSchema,
  messageListSchema,
  messageSchema,
  messageTimelineSchema,
} from './schemas/message.ts';
import { acceptedActionSchema } from './schemas/message-action.ts';
import {
  numberHealthSchema,
  pairingSchema,
  phoneNumberListSchema,
  phoneNumberSchema,
} from './schemas/number.ts';
import {
  requestDetailSchema,
  requestEntrySchema,
  requestErrorsSchema,
  requestListSchema,
} from './schemas/request.ts';
import { aliveSchema, openApiDocumentSchema, readinessSchema } from './schemas/service.ts';
import { optOutListSchema, optOutSchema, settingsSchema } from './schemas/settings.ts';
import {
  accountListSchema,
  confirmedSchema,
  identitySchema,
  publicKeysSchema,
  recoveryCodesSchema,
  sentIfKnownSchema,
  sessionListSchema,
  signedInSchema,
  twoFactorSchema,
  twoFactorSecretSchema,
  verificationSentSchema,
} from './schemas/sign-in.ts';
import {
  businessHoursListSchema,
  businessHoursSchema,
  slaPolicyListSchema,
  slaPolicySchema,
  supportReportSchema,
} from './schemas/support.ts';
import {
  cannedReplyListSchema,
  cannedReplySchema,
  labelListSchema,
  labelSchema,
  teamListSchema,
  teamSchema,
} from './schemas/team.ts';
import { trafficSchema } from './schemas/traffic.ts';
import {
  alertListSchema,
  alertSchema,
  createdWebhookSchema,
  deliveryListSchema,
  deliverySchema,
  redeliveryCountSchema,
  testOutcomeSchema,
  webhookListSchema,
  webhookSchema,
} from './schemas/webhook.ts';

/** The answers' schemas by the names they have in the document, and in the client that is made from it. */
export const answerSchemas: Record<string, z.ZodType> = {
  ErrorAnswer: errorSchema,
  AcceptedMessage: acceptedMessageSchema,
  AcceptedBatch: acceptedBatchSchema,
  AcceptedAction: acceptedActionSchema,
  DryRun: dryRunSchema,
  Message: messageSchema,
  MessageList: messageListSchema,
  MessageTimeline: messageTimelineSchema,
  StoredMedia: storedMediaSchema,
  Usage: usageSchema,
  Traffic: trafficSchema,
  AccountPlan: accountPlanSchema,
  Account: accountSchema,
  PhoneNumber: phoneNumberSchema,
  PhoneNumberList: phoneNumberListSchema,
  NumberHealth: numberHealthSchema,
  Pairing: pairingSchema,
  Person: personSchema,
  People: peopleSchema,
  Group: groupSchema,
  NewGroup: newGroupSchema,
  GroupList: groupListSchema,
  ParticipantResults: participantResultsSchema,
  GroupInvite: inviteSchema,
  JoinedGroup: joinedGroupSchema,
  RequestedGroup: requestedGroupSchema,
  Contact: contactSchema,
  ContactList: contactListSchema,
  ContactMerge: contactMergeSchema,
  ContactPair: contactPairSchema,
  ContactErasure: contactErasureSchema,
  ContactImport: contactImportSchema,
  ContactImportList: contactImportListSchema,
  ContactAttribute: contactAttributeSchema,
  ContactAttributeList: contactAttributeListSchema,
  Segment: segmentSchema,
  SegmentList: segmentListSchema,
  CheckedContacts: checkedContactsSchema,
  Picture: pictureSchema,
  Profile: profileSchema,
  BusinessHours: businessHoursSchema,
  BusinessHoursList: businessHoursListSchema,
  SlaPolicy: slaPolicySchema,
  SlaPolicyList: slaPolicyListSchema,
  SupportReport: supportReportSchema,
  Campaign: campaignSchema,
  CampaignList: campaignListSchema,
  CampaignPreview: campaignPreviewSchema,
  CampaignTest: campaignTestSchema,
  CampaignRecipientList: recipientListSchema,
  Conversation: conversationSchema,
  ConversationList: conversationListSchema,
  ConversationCounts: conversationCountsSchema,
  ConversationPeople: conversationPeopleSchema,
  ConversationChat: chatSchema,
  ConversationNote: noteSchema,
  ConversationActivityList: activityListSchema,
  FoundMessageList: foundMessagesSchema,
  ScheduledMessages: scheduledSchema,
  PresenceFrame: presenceSchema,
  Team: teamSchema,
  TeamList: teamListSchema,
  Label: labelSchema,
  LabelList: labelListSchema,
  CannedReply: cannedReplySchema,
  CannedReplyList: cannedReplyListSchema,
  Settings: settingsSchema,
  OptOut: optOutSchema,
  OptOutList: optOutListSchema,
  Webhook: webhookSchema,
  CreatedWebhook: createdWebhookSchema,
  WebhookList: webhookListSchema,
  Delivery: deliverySchema,
  DeliveryList: deliveryListSchema,
  TestOutcome: testOutcomeSchema,
  RedeliveryCount: redeliveryCountSchema,
  Assistant: assistantSchema,
  AssistantList: assistantListSchema,
  AssistantTrial: trialSchema,
  AssistantProviderTest: providerTestSchema,
  AssistantRun: runSchema,
  AssistantRunList: runListSchema,
  AssistantReport: assistantReportSchema,
  ConversationAssistant: conversationAssistantSchema,
  ConversationAssistantStanding: standingSchema,
  KnowledgeDocument: documentSchema,
  KnowledgeDocumentList: documentListSchema,
  KnowledgePassages: passagesSchema,
  Automation: automationSchema,
  CreatedAutomation: createdAutomationSchema,
  AutomationList: automationListSchema,
  AutomationRunList: automationRunListSchema,
  AutomationDryRun: automationDryRunSchema,
  Alert: alertSchema,
  AlertList: alertListSchema,
  AlertChannel: alertChannelSchema,
  CreatedAlertChannel: createdAlertChannelSchema,
  AlertChannelList: alertChannelListSchema,
  AlertDelivery: alertDeliverySchema,
  AlertDeliveryList: alertDeliveryListSchema,
  AlertTest: alertTestSchema,
  AlertAddress: alertAddressSchema,
  AlertMute: alertMuteSchema,
  AlertMuteList: alertMuteListSchema,
  StreamEvent: streamEventSchema,
  EventPage: eventPageSchema,
  ApiKey: apiKeySchema,
  CreatedApiKey: createdApiKeySchema,
  ApiKeyList: apiKeyListSchema,
  SignedIn: signedInSchema,
  Identity: identitySchema,
  VerificationSent: verificationSentSchema,
  SentIfKnown: sentIfKnownSchema,
  AccountList: accountListSchema,
  SessionList: sessionListSchema,
  Confirmed: confirmedSchema,
  TwoFactor: twoFactorSchema,
  TwoFactorSecret: twoFactorSecretSchema,
  RecoveryCodes: recoveryCodesSchema,
  Member: memberSchema,
  MemberList: memberListSchema,
  Invitation: invitationSchema,
  CreatedInvitation: createdInvitationSchema,
  InvitationList: invitationListSchema,
  RequestEntry: requestEntrySchema,
  RequestList: requestListSchema,
  RequestDetail: requestDetailSchema,
  RequestErrors: requestErrorsSchema,
  AuditLog: auditLogSchema,
  AuditVerdict: auditVerdictSchema,
  PublicKeys: publicKeysSchema,
  Bridge: bridgeSchema,
  BridgeList: bridgeListSchema,
  Alive: aliveSchema,
  Readiness: readinessSchema,
  OpenApiDocument: openApiDocumentSchema,
};

/** What requests and answers share. */
export const sharedSchemas: Record<string, z.ZodType> = {
  EventName: eventNameSchema,
  ErrorCode: errorCodeSchema,
};

const nameBySchema = new Map(Object.entries(answerSchemas).map(([name, schema]) => [schema, name]));

/** The name of an answer's schema. */
export function nameOf(schema: z.ZodType): string {
  const name = nameBySchema.get(schema);
  if (name === undefined) throw new Error('an answer has a schema without a name');
  return name;
}
