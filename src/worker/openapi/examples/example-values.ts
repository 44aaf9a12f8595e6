/*
 * The values of the examples. One thing has the same id in every example, and the test that calls each operation puts
 * its own account's things in their places.
 */
export const exampleRequestId = 'req_019ab0de-6f1c-7c4e-9d2b-3f8a5c7e1b42';
export const exampleNumberId = '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e0f';
export const exampleMessageId = 'msg_019ab0de-7a10-7b21-8c32-9d43ae54bf65';
export const exampleMediaId = '019ab0dd-4b5c-7d6e-8f70-8192a3b4c5d6';
export const exampleEventId = 'evt_019ab0de-7a11-7c22-9d33-ae44bf55c066';
export const exampleApiKeyId = '019ab0d5-2c3d-7e4f-9051-6b7c8d9eaf10';
export const exampleWebhookId = '019ab0d6-3d4e-7f50-a162-7c8d9eaf1021';
export const exampleDeliveryId = '019ab0de-7a12-7d23-ae34-bf45c066d177';
export const exampleAssistantId = '019ab0d7-4e5f-7061-b273-8d9eaf102132';
export const exampleTurnId = '019ab0d7-6071-7283-9495-af1021324354';
export const exampleDocumentId = '019ab0d7-5f60-7172-8384-9eaf10213243';
export const exampleAlertId = '019ab0de-8b22-7e34-af45-c056d177e288';
export const exampleBridgeId = '019ab0dc-9c33-7f45-b056-d167e288f399';
export const exampleAlertChannelId = '019ab0d6-3d4f-7f61-a172-7c8d9eaf1021';
export const exampleAlertDeliveryId = '019ab0de-8b23-7e45-af56-c056d177e288';
export const exampleAlertMuteId = '019ab0de-8b24-7e56-af67-c056d177e288';
export const exampleAutomationId = '019ab0dc-5f60-7172-8e8f-9a0b1c2d3e4f';
export const exampleRunId = '019ab0de-7a14-7f45-8a56-d167e288f399';
export const exampleUserId = '019ab0d1-0a1b-7c2d-9e3f-405162738495';
export const exampleAccountId = '019ab0d1-0a1c-7d2e-8f30-516273849506';
export const exampleSessionId = '019ab0d9-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
export const exampleInvitationId = '019ab0da-2d3e-7f40-9b5c-6d7e8f9a0b1c';
export const exampleColleagueId = '019ab0d2-3e4f-7051-ac6d-7e8f9a0b1c2d';
export const exampleBusinessHoursId = '019ab0dc-5f61-7172-8e8f-9a0b1c2d3e5a';
export const examplePolicyId = '019ab0dc-6071-7283-8f90-a1b2c3d4e5f6';
export const exampleAuditEntryId = '019ab0d5-2c3e-7f50-a162-7c8d9eaf1032';

export const examplePhoneNumber = '15550000001';
export const exampleRecipient = '628123456789';
export const exampleContactId = '019ab0db-4e5f-7061-8d7e-8f9a0b1c2d3e';
export const exampleConversationId = '019ab0dc-5f60-7172-9e8f-90a1b2c3d4e5';
export const exampleMergeId = '019ab0db-5f60-7172-9e8f-90ab1c2d3e4f';
export const exampleImportId = '019ab0db-6071-7283-af90-a1bc2d3e4f50';
export const exampleSegmentId = '019ab0db-7182-7394-b0a1-b2cd3e4f5061';
export const exampleCampaignId = '019ab0e1-5f60-7172-9e8f-90a1b2c3d4e5';
export const exampleErasureId = '019ab0db-8293-74a5-81b2-c3de4f506172';
export const exampleTeamId = '019ab0dc-7182-7394-8a01-b2c3d4e5f607';
export const exampleLabelId = '019ab0dc-8293-74a5-8b12-c3d4e5f60718';
export const exampleCannedReplyId = '019ab0dc-93a4-75b6-8c23-d4e5f6071829';
export const exampleGroupId = '120363000000000017@g.us';
export const exampleReceiver = 'https://example.com/hooks/heliograph';
/** No key: its checksum does not fit. */
export const exampleApiKey = 'sk_live_1xQ8…';
export const exampleWebhookSecret = 'whsec_3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
export const exampleToken = 'eyJhbGciOiJFZERTQSJ9.…';
export const exampleRecoveryCodes = ['7hq2-mxk4-wp9c-3fbn', 'd8vt-2rgy-q6jh-kx5m'];
/** Of no log: what is behind it is no cursor. */
export const exampleCursor = 'ZjE3YzBhMzkuMTAyNA';
export const exampleMailToken = 'Zk3v9…';
/** A PNG of one pixel. */
export const examplePicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
