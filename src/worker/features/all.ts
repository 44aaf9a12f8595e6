import type { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { Operation } from '../openapi/operation.ts';
import { apiKeyRoutes } from './account/keys/operations.ts';
import { accountSelfRoutes, operatorRoutes, trafficRoutes, usageRoutes } from './account/operations.ts';
import { alertChannelRoutes } from './alerts/channels/operations.ts';
import { alertMuteRoutes, alertRoutes } from './alerts/operations.ts';
import { assistantRoutes } from './assistants/operations.ts';
import { conversationAssistantRoutes } from './assistants/runs/conversation-operations.ts';
import { auditLogRoutes } from './audit-log/operations.ts';
import { automationRoutes } from './automations/operations.ts';
import { operatorBridgeRoutes } from './bridges/operations.ts';
import { campaignRoutes } from './campaigns/operations.ts';
import { contactErasureRoutes } from './contacts/erase-operations.ts';
import { contactExportRoutes } from './contacts/imports/export-operations.ts';
import { contactImportRoutes } from './contacts/imports/operations.ts';
import { contactMergeRoutes, contactRoutes } from './contacts/operations.ts';
import {
  contactAttributeRoutes,
  contactLabelRoutes,
  contactSegmentRoutes,
} from './contacts/segments/operations.ts';
import { chatRoutes } from './conversations/chat-operations.ts';
import { liveConversationRoutes } from './conversations/live-operations.ts';
import { conversationRoutes } from './conversations/operations.ts';
import { cannedReplyRoutes, labelRoutes, teamRoutes } from './conversations/teams/operations.ts';
import { eventRoutes } from './events/operations.ts';
import { mediaRoutes } from './media/operations.ts';
import { messageActionRoutes } from './messages/action-operations.ts';
import { messageRoutes } from './messages/operations.ts';
import { contactQueryRoutes } from './numbers/contact-queries/operations.ts';
import { groupRoutes } from './numbers/groups/operations.ts';
import { numberRoutes, numberSessionRoutes, profileRoutes } from './numbers/operations.ts';
import { numberSettingsRoutes } from './numbers/settings-operations.ts';
import { invitationRoutes, memberRoutes } from './people/members/operations.ts';
import { accountRoutes, sessionRoutes, stepUpRoutes, twoFactorRoutes } from './people/profile/operations.ts';
import { authRoutes, passwordRoutes } from './people/sign-in/operations.ts';
import { signUpRoutes } from './people/sign-in/sign-up-operations.ts';
import { requestRoutes } from './requests/operations.ts';
import { backupRoutes } from './service/backup-operations.ts';
import { healthRoutes, metricsRoutes } from './service/operations.ts';
import { secretsRoutes } from './service/secrets-operations.ts';
import { optOutRoutes, settingsRoutes } from './settings/operations.ts';
import { businessHoursRoutes, slaPolicyRoutes } from './support/definition-operations.ts';
import { supportReportRoutes } from './support/report-operations.ts';
import { webhookRoutes } from './webhooks/operations.ts';

interface Feature {
  /** Where its routes are mounted. */
  routes: Record<string, Hono<AppEnv>[]>;
  /** What the document says of them: loaded when it is asked for, since every other isolate does without. */
  operations: () => Promise<Operation[]>;
}

/** Every feature, in the order of the document. */
const features: Feature[] = [
  {
    routes: { '/v1/messages': [messageRoutes, messageActionRoutes], '/v1/media': [mediaRoutes] },
    operations: async () => [
      ...(await import('./messages/sending/description.ts')).sendingOperations,
      ...(await import('./messages/description.ts')).messageOperations,
      ...(await import('./messages/action-description.ts')).messageActionOperations,
      ...(await import('./media/description.ts')).mediaOperations,
    ],
  },
  {
    routes: {
      '/v1/auth/api-keys': [apiKeyRoutes],
      '/v1/traffic': [trafficRoutes],
      '/v1/account': [accountSelfRoutes],
      '/v1/usage': [usageRoutes],
      '/v1/operator': [operatorRoutes],
    },
    operations: async () => [
      ...(await import('./account/description.ts')).usageOperations,
      ...(await import('./account/description.ts')).apiKeyOperations,
    ],
  },
  {
    routes: {
      '/v1/numbers': [
        numberRoutes,
        numberSettingsRoutes,
        numberSessionRoutes,
        groupRoutes,
        contactQueryRoutes,
        profileRoutes,
      ],
    },
    operations: async () => [
      ...(await import('./numbers/description.ts')).numberOperations,
      ...(await import('./numbers/groups/description.ts')).groupOperations,
    ],
  },
  {
    routes: {
      '/v1/contacts': [
        contactImportRoutes,
        contactExportRoutes,
        contactErasureRoutes,
        contactMergeRoutes,
        contactRoutes,
      ],
      '/v1/contact-attributes': [contactAttributeRoutes],
      '/v1/contact-labels': [contactLabelRoutes],
      '/v1/segments': [contactSegmentRoutes],
    },
    operations: async () => [
      ...(await import('./contacts/description.ts')).contactOperations,
      ...(await import('./contacts/imports/description.ts')).contactImportOperations,
      ...(await import('./contacts/segments/description.ts')).segmentOperations,
      ...(await import('./numbers/contact-queries/description.ts')).contactQueryOperations,
    ],
  },
  {
    routes: {
      '/v1/conversations': [liveConversationRoutes, conversationRoutes, chatRoutes],
      '/v1/teams': [teamRoutes],
      '/v1/labels': [labelRoutes],
      '/v1/canned-replies': [cannedReplyRoutes],
    },
    operations: async () => [
      ...(await import('./conversations/description.ts')).conversationOperations,
      ...(await import('./conversations/chat-description.ts')).chatOperations,
      ...(await import('./conversations/chat-description.ts')).liveConversationOperations,
      ...(await import('./conversations/teams/description.ts')).teamOperations,
    ],
  },
  {
    routes: {
      '/v1/business-hours': [businessHoursRoutes],
      '/v1/sla-policies': [slaPolicyRoutes],
      '/v1/reports/support': [supportReportRoutes],
    },
    operations: async () => (await import('./support/description.ts')).supportOperations,
  },
  {
    routes: { '/v1/campaigns': [campaignRoutes] },
    operations: async () => [
      ...(await import('./campaigns/description.ts')).campaignOperations,
      ...(await import('./campaigns/recipient-description.ts')).campaignRecipientOperations,
    ],
  },
  {
    routes: { '/v1/assistants': [assistantRoutes], '/v1/conversations': [conversationAssistantRoutes] },
    operations: async () => [
      ...(await import('./assistants/description.ts')).assistantOperations,
      ...(await import('./assistants/knowledge/description.ts')).documentOperations,
      ...(await import('./assistants/runs/description.ts')).assistantRunOperations,
    ],
  },
  {
    routes: { '/v1/settings': [settingsRoutes], '/v1/opt-outs': [optOutRoutes] },
    operations: async () => (await import('./settings/description.ts')).settingsOperations,
  },
  {
    routes: { '/v1/webhooks': [webhookRoutes] },
    operations: async () => [
      ...(await import('./webhooks/description.ts')).webhookOperations,
      ...(await import('./webhooks/delivery-description.ts')).deliveryOperations,
    ],
  },
  {
    routes: { '/v1/events': [eventRoutes] },
    operations: async () => (await import('./events/description.ts')).eventOperations,
  },
  {
    routes: {
      '/v1/alerts': [alertRoutes],
      '/v1/alert-channels': [alertChannelRoutes],
      '/v1/alert-mutes': [alertMuteRoutes],
    },
    operations: async () => [
      ...(await import('./alerts/description.ts')).alertOperations,
      ...(await import('./alerts/channels/description.ts')).alertChannelOperations,
      ...(await import('./alerts/description.ts')).alertMuteOperations,
    ],
  },
  {
    routes: { '/v1/automations': [automationRoutes] },
    operations: async () => (await import('./automations/description.ts')).automationOperations,
  },
  {
    routes: {
      '/v1/auth/sign-up': [signUpRoutes],
      '/v1/auth/sessions': [sessionRoutes],
      '/v1/auth/password': [passwordRoutes],
      '/v1/auth/two-factor': [twoFactorRoutes],
      '/v1/auth/step-up': [stepUpRoutes],
      '/v1/auth/members': [memberRoutes],
      '/v1/auth/invitations': [invitationRoutes],
      '/v1/auth': [accountRoutes, authRoutes],
    },
    operations: async () => [
      ...(await import('./people/sign-in/description.ts')).signInOperations,
      ...(await import('./people/profile/description.ts')).profileOperations,
      ...(await import('./people/members/description.ts')).memberOperations,
    ],
  },
  {
    routes: { '/v1/requests': [requestRoutes] },
    operations: async () => (await import('./requests/description.ts')).requestOperations,
  },
  {
    routes: { '/v1/audit-log': [auditLogRoutes] },
    operations: async () => (await import('./audit-log/description.ts')).auditLogOperations,
  },
  {
    routes: { '/v1/operator/bridges': [operatorBridgeRoutes] },
    operations: async () => (await import('./bridges/description.ts')).bridgeOperations,
  },
  {
    routes: {
      '/operator/backup': [backupRoutes],
      '/operator/secrets': [secretsRoutes],
      '/': [healthRoutes, metricsRoutes],
    },
    operations: async () => (await import('./service/description.ts')).serviceOperations,
  },
];

/** Every operation that the document describes; a route that is missing there fails a test. */
export const describedOperations = async (): Promise<Operation[]> =>
  (await Promise.all(features.map(({ operations }) => operations()))).flat();

export function mountFeatures(app: Hono<AppEnv>): void {
  for (const { routes } of features) {
    for (const [path, mounted] of Object.entries(routes)) for (const part of mounted) app.route(path, part);
  }
}
