// Made from the OpenAPI document by scripts/openapi.js: do not edit.

/** Every event there is. */
export const eventNames = [
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.received',
  'message.media',
  'device.connected',
  'device.disconnected',
  'device.logged_out',
  'group.created',
  'group.updated',
  'group.participants',
  'group.join_request',
  'contact.updated',
  'quota.exceeded',
  'message.edited',
  'message.deleted',
  'message.reaction',
  'message.sent_from_phone',
  'poll.voted',
  'call.received',
  'webhook.test',
] as const;
