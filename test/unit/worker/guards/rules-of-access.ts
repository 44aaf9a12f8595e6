/*
 * Who may call what, written down apart from the routes: a guard that is dropped, widened or narrowed, or has another scope,
 * has to be changed here too. `GET|POST /v1/teams/**` is both methods at /v1/teams and below. A route belongs to the first
 * rule that names it.
 */

/** Who may, in the words of `wordsOf` in `guarded-routes.ts`. */
type Who = string;

export const rules: { sentence: string; who: Who; routes: string[] }[] = [
  {
    sentence: 'only a server sends by itself: with a key, and no person without a conversation',
    who: 'key messages:send',
    routes: ['POST /v1/messages/send', 'POST /v1/messages/send-batch'],
  },
  {
    sentence: 'a message is read by whoever answers, too',
    who: 'key messages:read, owner, admin, agent',
    routes: ['GET /v1/messages/:messageId'],
  },
  {
    sentence: 'all messages, and how they went, are for servers and administrators',
    who: 'key messages:read, owner, admin',
    routes: ['GET /v1/messages/**'],
  },
  {
    sentence: 'whoever answers changes, takes back and marks messages',
    who: 'key messages:send, owner, admin, agent',
    routes: ['PUT|PATCH|POST|DELETE /v1/messages/:messageId/**'],
  },
  {
    sentence: 'a file is uploaded by whoever may send one',
    who: 'key media, owner, admin, agent',
    routes: ['POST /v1/media'],
  },
  {
    sentence: 'a file is read by the same, and by whoever was given its signed URL',
    who: 'key media, owner, admin, agent, signed URL',
    routes: ['GET /v1/media/:mediaId'],
  },
  {
    sentence: 'whoever is signed in works in the inbox',
    who: 'owner, admin, agent',
    routes: ['GET|POST|PATCH|DELETE /v1/conversations/**'],
  },
  {
    sentence: 'what an inbox is organised by is read by everybody in it',
    who: 'owner, admin, agent',
    routes: [
      'GET /v1/teams/**',
      'GET /v1/labels/**',
      'GET /v1/canned-replies/**',
      'GET /v1/business-hours/**',
      'GET /v1/sla-policies/**',
    ],
  },
  {
    sentence: 'and changed by administrators',
    who: 'owner, admin',
    routes: [
      'POST|PATCH|DELETE /v1/teams/**',
      'POST|PATCH|DELETE /v1/labels/**',
      'POST|PATCH|DELETE /v1/canned-replies/**',
      'POST|PATCH|DELETE /v1/business-hours/**',
      'POST|PATCH|DELETE /v1/sla-policies/**',
    ],
  },
  {
    sentence: 'what has become of an erasure is told to people alone: they have asked for it',
    who: 'owner, admin',
    routes: ['GET /v1/contacts/erasures/:id'],
  },
  {
    sentence: 'contacts are for servers with the scope contacts, and administrators',
    who: 'key contacts, owner, admin',
    routes: [
      'GET|POST|PATCH|DELETE /v1/contacts/**',
      'GET|POST|PATCH|DELETE /v1/segments/**',
      'GET /v1/contact-labels',
      'GET|PUT|DELETE /v1/contact-attributes/**',
      'POST /v1/numbers/:id/contacts/check',
      'GET /v1/numbers/:id/chats/:chat/picture',
      'GET|PUT|DELETE /v1/numbers/:id/blocked/**',
      'GET /v1/opt-outs',
    ],
  },
  {
    sentence: 'groups are for servers with the scope groups, and administrators',
    who: 'key groups, owner, admin',
    routes: ['GET|POST|PATCH|DELETE /v1/numbers/:id/groups/**'],
  },
  {
    sentence: 'to type is a part of sending',
    who: 'key messages:send, owner, admin',
    routes: ['POST /v1/numbers/:id/chats/:chat/typing'],
  },
  {
    sentence: 'a number is paired, and its pairing seen, by administrators',
    who: 'owner, admin',
    routes: ['GET /v1/numbers/:id/pairing'],
  },
  {
    sentence: 'numbers and settings are read by servers with the scope numbers:read, and administrators',
    who: 'key numbers:read, owner, admin',
    routes: ['GET /v1/numbers/**', 'GET /v1/settings'],
  },
  {
    sentence: 'and changed by administrators alone',
    who: 'owner, admin',
    routes: ['POST|PATCH|DELETE /v1/numbers/**', 'PATCH /v1/settings', 'POST|DELETE /v1/opt-outs/**'],
  },
  {
    sentence: 'usage and traffic are for servers with the scope usage:read, and administrators',
    who: 'key usage:read, owner, admin',
    routes: ['GET /v1/usage', 'GET /v1/traffic'],
  },
  {
    sentence: 'events are for servers with the scope events:read, and administrators',
    who: 'key events:read, owner, admin',
    routes: ['GET /v1/events', 'GET /v1/events/live'],
  },
  {
    sentence: 'webhooks are managed by administrators, and by servers with the scope webhooks',
    who: 'key webhooks, owner, admin',
    routes: ['GET|POST|PATCH|DELETE /v1/webhooks/**'],
  },
  {
    sentence: 'whoever was asked by mail whether they want alerts may be nobody here',
    who: 'anybody',
    routes: ['POST /v1/alert-channels/confirm'],
  },
  {
    sentence:
      'only owners and admins manage keys, alerts, campaigns, assistants and automations, and read the logs: no key does',
    who: 'owner, admin',
    routes: [
      'GET|POST|PATCH|DELETE /v1/auth/api-keys/**',
      'GET|PATCH /v1/account',
      'GET /v1/requests/**',
      'GET /v1/audit-log/**',
      'GET /v1/reports/support',
      'GET|POST /v1/alerts/**',
      'GET|POST|PATCH|DELETE /v1/alert-channels/**',
      'GET|POST|DELETE /v1/alert-mutes/**',
      'GET|POST|PATCH|DELETE /v1/campaigns/**',
      'GET|POST|PATCH|DELETE /v1/assistants/**',
      'GET|POST|PATCH|DELETE /v1/automations/**',
    ],
  },
  {
    sentence: 'whoever has no session yet signs in without a credential',
    who: 'anybody',
    routes: [
      'POST /v1/auth/login',
      'POST /v1/auth/sign-up/verify',
      'POST /v1/auth/password/forgot',
      'POST /v1/auth/password/reset',
      'POST /v1/auth/invitations/accept',
      'GET /v1/auth/jwks',
    ],
  },
  {
    sentence: 'accounts are opened by the operator, or where sign-ups are open',
    who: 'operator, newcomers',
    routes: ['POST /v1/auth/sign-up'],
  },
  {
    sentence: 'a session goes on with its cookie',
    who: 'anybody with the refresh cookie',
    routes: ['POST /v1/auth/refresh'],
  },
  {
    sentence: 'and ends with it, if there is one',
    who: 'anybody with the refresh cookie if any',
    routes: ['POST /v1/auth/logout'],
  },
  {
    sentence: 'people manage who they are themselves, and anybody may leave',
    who: 'owner, admin, agent',
    routes: [
      'GET|PATCH /v1/auth/me',
      'POST /v1/auth/step-up',
      'GET /v1/auth/accounts',
      'POST /v1/auth/switch-account',
      'GET|DELETE /v1/auth/sessions/**',
      'POST /v1/auth/password/change',
      'GET|POST /v1/auth/two-factor/**',
      'DELETE /v1/auth/members/:userId',
    ],
  },
  {
    sentence: 'administrators invite people, see them, and change what they are',
    who: 'owner, admin',
    routes: [
      'GET /v1/auth/members',
      'PATCH /v1/auth/members/:userId',
      'GET|POST /v1/auth/invitations',
      'DELETE /v1/auth/invitations/:id',
    ],
  },
  {
    sentence: 'plans, metrics, backups and what secrets still open are for the operator alone',
    who: 'operator',
    routes: [
      'PUT /v1/operator/accounts/:id/plan',
      'GET /metrics',
      'GET|POST /operator/backup/**',
      'GET /operator/secrets/**',
      'GET /operator/secrets',
    ],
  },
  {
    sentence: 'session bridges are managed by whoever runs the gateway, by its token or signed in',
    who: 'operator, people who run the gateway',
    routes: ['GET|POST|DELETE /v1/operator/bridges/**'],
  },
  {
    sentence: 'a bridge enrols with a token that is made for it',
    who: 'anybody with an enrolment token',
    routes: ['POST /bridge/enrol'],
  },
  {
    sentence: 'and dials in as itself: nobody else reaches what is for bridges',
    who: 'bridges',
    routes: ['GET|PUT /bridge/**'],
  },
  {
    sentence: 'whether the gateway works, its reference and its pages are open to anybody',
    who: 'anybody',
    routes: [
      'GET /healthz',
      'GET /readyz',
      'GET /openapi.json',
      'GET /docs',
      'GET /docs/:file',
      'GET /dashboard/:file',
      'GET /dashboard/assets/:file',
    ],
  },
];

/** Where a person must have shown lately that it is them, whatever they ask; and where it depends on what they ask. */
export const stepUps: Record<'always' | 'sometimes', string[]> = {
  always: [
    'DELETE /v1/numbers/:id',
    'POST /v1/operator/bridges',
    'DELETE /v1/operator/bridges/:bridgeId',
    'POST /v1/auth/api-keys',
    'POST /v1/webhooks',
    'POST /v1/webhooks/:id/rotate-secret',
    'POST /v1/alert-channels',
    'POST /v1/alert-channels/:id/rotate-secret',
    'GET /v1/contacts/export',
  ],
  sometimes: [
    'PATCH /v1/auth/members/:userId',
    'DELETE /v1/auth/members/:userId',
    'POST /v1/auth/invitations',
    'PATCH /v1/webhooks/:id',
    'PATCH /v1/alert-channels/:id',
    'GET /v1/campaigns/:id/recipients',
  ],
};
