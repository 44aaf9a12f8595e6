// Made from the OpenAPI document by scripts/openapi.js: do not edit.

export type EventName =
  | 'message.queued'
  | 'message.sent'
  | 'message.delivered'
  | 'message.read'
  | 'message.failed'
  | 'message.received'
  | 'message.media'
  | 'device.connected'
  | 'device.disconnected'
  | 'device.logged_out'
  | 'device.pairing'
  | 'group.created'
  | 'group.updated'
  | 'group.participants'
  | 'group.join_request'
  | 'contact.updated'
  | 'quota.exceeded'
  | 'message.edited'
  | 'message.deleted'
  | 'message.reaction'
  | 'message.sent_from_phone'
  | 'poll.voted'
  | 'call.received'
  | 'conversation.created'
  | 'conversation.updated'
  | 'campaign.started'
  | 'campaign.paused'
  | 'campaign.finished'
  | 'webhook.test';
/**
 * For programs: the closed list of codes.
 */
export type ErrorCode =
  | 'INVALID_JSON'
  | 'VALIDATION_ERROR'
  | 'INVALID_API_KEY'
  | 'UNAUTHENTICATED'
  | 'QUOTA_EXCEEDED'
  | 'FORBIDDEN'
  | 'SENDER_HINT_NOT_ALLOWED'
  | 'STEP_UP_REQUIRED'
  | 'NOT_FOUND'
  | 'IDEMPOTENCY_CONFLICT'
  | 'CONFLICT'
  | 'CURSOR_EXPIRED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RECIPIENT_INVALID'
  | 'RECIPIENT_IS_LID'
  | 'RECIPIENT_NOT_ON_NETWORK'
  | 'RECIPIENT_FILTERED'
  | 'RATE_LIMITED'
  | 'INTERNAL'
  | 'SENDER_UNAVAILABLE'
  | 'NO_HEALTHY_SENDER';
export type SendMessageRequest =
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type?: 'text';
      /**
       * Of a text: 1 to 4,096 characters, not only blanks, sent exactly as they are.
       */
      text: string;
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    }
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type: 'location';
      /**
       * A place on the map.
       */
      location: {
        /**
         * Degrees, -90 to 90.
         */
        latitude: number;
        /**
         * Degrees, -180 to 180.
         */
        longitude: number;
        /**
         * What stands above the address, such as the name of a shop. Up to 200 characters.
         */
        name?: string;
        /**
         * Up to 200 characters.
         */
        address?: string;
      };
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    }
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type: 'contacts';
      /**
       * Cards of up to 20 people.
       *
       * @minItems 1
       * @maxItems 20
       */
      contacts: {
        /**
         * As the recipient sees it. Up to 200 characters.
         */
        name: string;
        /**
         * With country code; the recipient can write to it with one tap.
         */
        phoneNumber: string;
        /**
         * Up to 200 characters.
         */
        organisation?: string;
      }[];
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    }
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type: 'poll';
      /**
       * A question with 2 to 12 answers.
       */
      poll: {
        /**
         * The question. Up to 255 characters.
         */
        name: string;
        /**
         * The answers, each another one. Up to 100 characters each.
         *
         * @minItems 2
         * @maxItems 12
         */
        options: string[];
        /**
         * How many answers one voter may choose: 1 where it is left out, 0 for any number.
         */
        selectableCount?: number;
      };
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    }
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type: 'image';
      /**
       * A picture: JPEG, PNG or WebP, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
       */
      image: {
        /**
         * A file that is stored: from `POST /v1/media`, or of a message that came.
         */
        mediaId?: string;
        /**
         * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
         */
        url?: string;
        /**
         * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
         */
        data?: string;
        /**
         * The type of `data`; left out, it is seen from the bytes.
         */
        mimetype?: string;
        /**
         * Words beside it: up to 1,024 characters.
         */
        caption?: string;
        /**
         * The recipient can look at it once.
         */
        viewOnce?: boolean;
      };
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    }
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type: 'video';
      /**
       * A film: MP4, QuickTime or 3GPP, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
       */
      video: {
        /**
         * A file that is stored: from `POST /v1/media`, or of a message that came.
         */
        mediaId?: string;
        /**
         * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
         */
        url?: string;
        /**
         * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
         */
        data?: string;
        /**
         * The type of `data`; left out, it is seen from the bytes.
         */
        mimetype?: string;
        /**
         * Words beside it: up to 1,024 characters.
         */
        caption?: string;
        /**
         * The recipient can look at it once.
         */
        viewOnce?: boolean;
      };
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    }
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type: 'audio';
      /**
       * Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
       */
      audio: {
        /**
         * A file that is stored: from `POST /v1/media`, or of a message that came.
         */
        mediaId?: string;
        /**
         * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
         */
        url?: string;
        /**
         * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
         */
        data?: string;
        /**
         * The type of `data`; left out, it is seen from the bytes.
         */
        mimetype?: string;
        /**
         * A voice note: Opus in Ogg.
         */
        voice?: boolean;
      };
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    }
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type: 'document';
      /**
       * Any file, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
       */
      document: {
        /**
         * A file that is stored: from `POST /v1/media`, or of a message that came.
         */
        mediaId?: string;
        /**
         * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
         */
        url?: string;
        /**
         * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
         */
        data?: string;
        /**
         * The type of `data`; left out, it is seen from the bytes.
         */
        mimetype?: string;
        /**
         * What the recipient sees as its name.
         */
        fileName?: string;
        /**
         * Words beside it: up to 1,024 characters.
         */
        caption?: string;
      };
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    }
  | {
      /**
       * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
       */
      to: string;
      /**
       * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
       */
      senderHint?: string;
      /**
       * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
       */
      clientReference?: string;
      /**
       * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
       */
      sendAt?: string;
      /**
       * The message that it answers: one of yours, or one that came in.
       */
      quotedMessageId?: string;
      /**
       * What the message carries.
       */
      type: 'sticker';
      /**
       * A sticker: WebP, up to 512 KiB. Give exactly one of `url`, `mediaId` and `data`.
       */
      sticker: {
        /**
         * A file that is stored: from `POST /v1/media`, or of a message that came.
         */
        mediaId?: string;
        /**
         * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
         */
        url?: string;
        /**
         * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
         */
        data?: string;
        /**
         * The type of `data`; left out, it is seen from the bytes.
         */
        mimetype?: string;
      };
      /**
       * Phone numbers of people to mention; `text` names each as `@` and its digits.
       *
       * @minItems 1
       * @maxItems 256
       */
      mentions?: string[];
      /**
       * Marks it as forwarded.
       */
      isForwarded?: boolean;
    };
export type PairNumberRequest =
  | {
      /**
       * How the phone is linked.
       */
      method: 'qr';
    }
  | {
      /**
       * How the phone is linked.
       */
      method: 'code';
      /**
       * The phone that will get the code: a phone number with country code.
       */
      phoneNumber: string;
    };
export type AnswerConversationRequest =
  | (
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type?: 'text';
          /**
           * Of a text or a note: 1 to 4,096 characters, not only blanks, sent exactly as they are.
           */
          text: string;
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type: 'location';
          /**
           * A place on the map.
           */
          location: {
            /**
             * Degrees, -90 to 90.
             */
            latitude: number;
            /**
             * Degrees, -180 to 180.
             */
            longitude: number;
            /**
             * What stands above the address, such as the name of a shop. Up to 200 characters.
             */
            name?: string;
            /**
             * Up to 200 characters.
             */
            address?: string;
          };
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type: 'contacts';
          /**
           * Cards of up to 20 people.
           *
           * @minItems 1
           * @maxItems 20
           */
          contacts: {
            /**
             * As the recipient sees it. Up to 200 characters.
             */
            name: string;
            /**
             * With country code; the recipient can write to it with one tap.
             */
            phoneNumber: string;
            /**
             * Up to 200 characters.
             */
            organisation?: string;
          }[];
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type: 'poll';
          /**
           * A question with 2 to 12 answers.
           */
          poll: {
            /**
             * The question. Up to 255 characters.
             */
            name: string;
            /**
             * The answers, each another one. Up to 100 characters each.
             *
             * @minItems 2
             * @maxItems 12
             */
            options: string[];
            /**
             * How many answers one voter may choose: 1 where it is left out, 0 for any number.
             */
            selectableCount?: number;
          };
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type: 'image';
          /**
           * A picture: JPEG, PNG or WebP, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
           */
          image: {
            /**
             * A file that is stored: from `POST /v1/media`, or of a message that came.
             */
            mediaId?: string;
            /**
             * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
             */
            url?: string;
            /**
             * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
             */
            data?: string;
            /**
             * The type of `data`; left out, it is seen from the bytes.
             */
            mimetype?: string;
            /**
             * Words beside it: up to 1,024 characters.
             */
            caption?: string;
            /**
             * The recipient can look at it once.
             */
            viewOnce?: boolean;
          };
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type: 'video';
          /**
           * A film: MP4, QuickTime or 3GPP, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
           */
          video: {
            /**
             * A file that is stored: from `POST /v1/media`, or of a message that came.
             */
            mediaId?: string;
            /**
             * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
             */
            url?: string;
            /**
             * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
             */
            data?: string;
            /**
             * The type of `data`; left out, it is seen from the bytes.
             */
            mimetype?: string;
            /**
             * Words beside it: up to 1,024 characters.
             */
            caption?: string;
            /**
             * The recipient can look at it once.
             */
            viewOnce?: boolean;
          };
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type: 'audio';
          /**
           * Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
           */
          audio: {
            /**
             * A file that is stored: from `POST /v1/media`, or of a message that came.
             */
            mediaId?: string;
            /**
             * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
             */
            url?: string;
            /**
             * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
             */
            data?: string;
            /**
             * The type of `data`; left out, it is seen from the bytes.
             */
            mimetype?: string;
            /**
             * A voice note: Opus in Ogg.
             */
            voice?: boolean;
          };
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type: 'document';
          /**
           * Any file, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
           */
          document: {
            /**
             * A file that is stored: from `POST /v1/media`, or of a message that came.
             */
            mediaId?: string;
            /**
             * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
             */
            url?: string;
            /**
             * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
             */
            data?: string;
            /**
             * The type of `data`; left out, it is seen from the bytes.
             */
            mimetype?: string;
            /**
             * What the recipient sees as its name.
             */
            fileName?: string;
            /**
             * Words beside it: up to 1,024 characters.
             */
            caption?: string;
          };
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
      | {
          /**
           * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
           */
          clientReference?: string;
          /**
           * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
           */
          sendAt?: string;
          /**
           * The message that it answers: one of yours, or one that came in.
           */
          quotedMessageId?: string;
          /**
           * What the message carries.
           */
          type: 'sticker';
          /**
           * A sticker: WebP, up to 512 KiB. Give exactly one of `url`, `mediaId` and `data`.
           */
          sticker: {
            /**
             * A file that is stored: from `POST /v1/media`, or of a message that came.
             */
            mediaId?: string;
            /**
             * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
             */
            url?: string;
            /**
             * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
             */
            data?: string;
            /**
             * The type of `data`; left out, it is seen from the bytes.
             */
            mimetype?: string;
          };
          /**
           * Phone numbers of people to mention; `text` names each as `@` and its digits.
           *
           * @minItems 1
           * @maxItems 256
           */
          mentions?: string[];
          /**
           * Marks it as forwarded.
           */
          isForwarded?: boolean;
        }
    )
  | {
      /**
       * A private note. `@Name` in its text tells that person.
       */
      note: true;
      /**
       * Of a text or a note: 1 to 4,096 characters, not only blanks, sent exactly as they are.
       */
      text: string;
    };
export type CreateAlertChannelRequest =
  | {
      /**
       * The way that it goes.
       */
      kind: 'email';
      /**
       * An e-mail address; the URL of an incoming webhook of Slack (or what takes the same) or Discord; a URL of your own; `{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs obey the same rules as those of webhooks.
       */
      target: string;
      /**
       * Your name for it, up to 100 characters.
       */
      name?: string | null;
      /**
       * The kinds of alerts that go there, or "all".
       */
      kinds?:
        | 'all'
        | (
            | 'device.disconnected'
            | 'device.recovered'
            | 'device.banned'
            | 'device.logged_out'
            | 'message.failures'
            | 'support.response_late'
            | 'webhook.failing'
            | 'webhook.disabled'
            | 'quota.warning'
            | 'campaign.paused'
            | 'quota.exceeded'
            | 'bridge.lost'
          )[];
      /**
       * The ids of the numbers whose alerts go there, or "all". What concerns no number goes there in any case.
       */
      numberIds?: 'all' | string[];
      /**
       * Once a day, a list of what happened; null for none. A day without alerts has none.
       */
      digest?: {
        /**
         * At which hour, 0 to 23.
         */
        hour: number;
        /**
         * By the clocks of this time zone: `Asia/Jakarta`.
         */
        timeZone: string;
        /**
         * Alerts do not go there one by one as well.
         */
        only?: boolean;
      } | null;
      /**
       * Whether alerts go there.
       */
      enabled?: boolean;
    }
  | {
      /**
       * The way that it goes.
       */
      kind: 'slack';
      /**
       * An e-mail address; the URL of an incoming webhook of Slack (or what takes the same) or Discord; a URL of your own; `{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs obey the same rules as those of webhooks.
       */
      target: string;
      /**
       * Your name for it, up to 100 characters.
       */
      name?: string | null;
      /**
       * The kinds of alerts that go there, or "all".
       */
      kinds?:
        | 'all'
        | (
            | 'device.disconnected'
            | 'device.recovered'
            | 'device.banned'
            | 'device.logged_out'
            | 'message.failures'
            | 'support.response_late'
            | 'webhook.failing'
            | 'webhook.disabled'
            | 'quota.warning'
            | 'campaign.paused'
            | 'quota.exceeded'
            | 'bridge.lost'
          )[];
      /**
       * The ids of the numbers whose alerts go there, or "all". What concerns no number goes there in any case.
       */
      numberIds?: 'all' | string[];
      /**
       * Once a day, a list of what happened; null for none. A day without alerts has none.
       */
      digest?: {
        /**
         * At which hour, 0 to 23.
         */
        hour: number;
        /**
         * By the clocks of this time zone: `Asia/Jakarta`.
         */
        timeZone: string;
        /**
         * Alerts do not go there one by one as well.
         */
        only?: boolean;
      } | null;
      /**
       * Whether alerts go there.
       */
      enabled?: boolean;
    }
  | {
      /**
       * The way that it goes.
       */
      kind: 'discord';
      /**
       * An e-mail address; the URL of an incoming webhook of Slack (or what takes the same) or Discord; a URL of your own; `{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs obey the same rules as those of webhooks.
       */
      target: string;
      /**
       * Your name for it, up to 100 characters.
       */
      name?: string | null;
      /**
       * The kinds of alerts that go there, or "all".
       */
      kinds?:
        | 'all'
        | (
            | 'device.disconnected'
            | 'device.recovered'
            | 'device.banned'
            | 'device.logged_out'
            | 'message.failures'
            | 'support.response_late'
            | 'webhook.failing'
            | 'webhook.disabled'
            | 'quota.warning'
            | 'campaign.paused'
            | 'quota.exceeded'
            | 'bridge.lost'
          )[];
      /**
       * The ids of the numbers whose alerts go there, or "all". What concerns no number goes there in any case.
       */
      numberIds?: 'all' | string[];
      /**
       * Once a day, a list of what happened; null for none. A day without alerts has none.
       */
      digest?: {
        /**
         * At which hour, 0 to 23.
         */
        hour: number;
        /**
         * By the clocks of this time zone: `Asia/Jakarta`.
         */
        timeZone: string;
        /**
         * Alerts do not go there one by one as well.
         */
        only?: boolean;
      } | null;
      /**
       * Whether alerts go there.
       */
      enabled?: boolean;
    }
  | {
      /**
       * The way that it goes.
       */
      kind: 'telegram';
      /**
       * An e-mail address; the URL of an incoming webhook of Slack (or what takes the same) or Discord; a URL of your own; `{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs obey the same rules as those of webhooks.
       */
      target: {
        /**
         * What BotFather gave. It is never shown again; left out in a change, it stays.
         */
        botToken: string;
        /**
         * The id of the chat or group that the bot is in, or `@channel`.
         */
        chatId: string;
      };
      /**
       * Your name for it, up to 100 characters.
       */
      name?: string | null;
      /**
       * The kinds of alerts that go there, or "all".
       */
      kinds?:
        | 'all'
        | (
            | 'device.disconnected'
            | 'device.recovered'
            | 'device.banned'
            | 'device.logged_out'
            | 'message.failures'
            | 'support.response_late'
            | 'webhook.failing'
            | 'webhook.disabled'
            | 'quota.warning'
            | 'campaign.paused'
            | 'quota.exceeded'
            | 'bridge.lost'
          )[];
      /**
       * The ids of the numbers whose alerts go there, or "all". What concerns no number goes there in any case.
       */
      numberIds?: 'all' | string[];
      /**
       * Once a day, a list of what happened; null for none. A day without alerts has none.
       */
      digest?: {
        /**
         * At which hour, 0 to 23.
         */
        hour: number;
        /**
         * By the clocks of this time zone: `Asia/Jakarta`.
         */
        timeZone: string;
        /**
         * Alerts do not go there one by one as well.
         */
        only?: boolean;
      } | null;
      /**
       * Whether alerts go there.
       */
      enabled?: boolean;
    }
  | {
      /**
       * The way that it goes.
       */
      kind: 'webhook';
      /**
       * An e-mail address; the URL of an incoming webhook of Slack (or what takes the same) or Discord; a URL of your own; `{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs obey the same rules as those of webhooks.
       */
      target: string;
      /**
       * Your name for it, up to 100 characters.
       */
      name?: string | null;
      /**
       * The kinds of alerts that go there, or "all".
       */
      kinds?:
        | 'all'
        | (
            | 'device.disconnected'
            | 'device.recovered'
            | 'device.banned'
            | 'device.logged_out'
            | 'message.failures'
            | 'support.response_late'
            | 'webhook.failing'
            | 'webhook.disabled'
            | 'quota.warning'
            | 'campaign.paused'
            | 'quota.exceeded'
            | 'bridge.lost'
          )[];
      /**
       * The ids of the numbers whose alerts go there, or "all". What concerns no number goes there in any case.
       */
      numberIds?: 'all' | string[];
      /**
       * Once a day, a list of what happened; null for none. A day without alerts has none.
       */
      digest?: {
        /**
         * At which hour, 0 to 23.
         */
        hour: number;
        /**
         * By the clocks of this time zone: `Asia/Jakarta`.
         */
        timeZone: string;
        /**
         * Alerts do not go there one by one as well.
         */
        only?: boolean;
      } | null;
      /**
       * Whether alerts go there.
       */
      enabled?: boolean;
    }
  | {
      /**
       * The way that it goes.
       */
      kind: 'whatsapp';
      /**
       * An e-mail address; the URL of an incoming webhook of Slack (or what takes the same) or Discord; a URL of your own; `{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs obey the same rules as those of webhooks.
       */
      target: {
        /**
         * The number that tells of it, while it can; else another one that is connected does. Null: any. The number that is in trouble never does.
         */
        numberId?: string | null;
        /**
         * Who gets it: a phone number or a group id.
         */
        to: string;
      };
      /**
       * Your name for it, up to 100 characters.
       */
      name?: string | null;
      /**
       * The kinds of alerts that go there, or "all".
       */
      kinds?:
        | 'all'
        | (
            | 'device.disconnected'
            | 'device.recovered'
            | 'device.banned'
            | 'device.logged_out'
            | 'message.failures'
            | 'support.response_late'
            | 'webhook.failing'
            | 'webhook.disabled'
            | 'quota.warning'
            | 'campaign.paused'
            | 'quota.exceeded'
            | 'bridge.lost'
          )[];
      /**
       * The ids of the numbers whose alerts go there, or "all". What concerns no number goes there in any case.
       */
      numberIds?: 'all' | string[];
      /**
       * Once a day, a list of what happened; null for none. A day without alerts has none.
       */
      digest?: {
        /**
         * At which hour, 0 to 23.
         */
        hour: number;
        /**
         * By the clocks of this time zone: `Asia/Jakarta`.
         */
        timeZone: string;
        /**
         * Alerts do not go there one by one as well.
         */
        only?: boolean;
      } | null;
      /**
       * Whether alerts go there.
       */
      enabled?: boolean;
    };
/**
 * An event as its webhook gets it, under the same `id`, and its place in the stream.
 */
export type StreamEvent =
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.queued';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        to: string;
        chatType: 'personal' | 'group';
        messageType:
          | 'text'
          | 'image'
          | 'video'
          | 'audio'
          | 'document'
          | 'sticker'
          | 'location'
          | 'contacts'
          | 'poll'
          | 'unsupported';
        clientReference?: string;
        status: 'queued';
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.sent';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        to: string;
        chatType: 'personal' | 'group';
        messageType:
          | 'text'
          | 'image'
          | 'video'
          | 'audio'
          | 'document'
          | 'sticker'
          | 'location'
          | 'contacts'
          | 'poll'
          | 'unsupported';
        clientReference?: string;
        providerMessageId: string;
        status: 'sent';
        sentAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.delivered';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        providerMessageId: string;
        messageStatus: 'delivered';
        deliveredAt: string;
        chat: string;
        recipient: string;
        recipientLid?: string;
        isGroup: boolean;
        clientReference?: string;
        status: 'delivered';
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.read';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        providerMessageId: string;
        messageStatus: 'delivered';
        deliveredAt: string;
        chat: string;
        recipient: string;
        recipientLid?: string;
        isGroup: boolean;
        clientReference?: string;
        status: 'read';
        readAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.failed';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        to: string;
        chatType: 'personal' | 'group';
        messageType:
          | 'text'
          | 'image'
          | 'video'
          | 'audio'
          | 'document'
          | 'sticker'
          | 'location'
          | 'contacts'
          | 'poll'
          | 'unsupported';
        clientReference?: string;
        status: 'failed';
        errorMessage: string;
        errorCode?: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.received';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        providerMessageId: string;
        messageType:
          | 'text'
          | 'image'
          | 'video'
          | 'audio'
          | 'document'
          | 'sticker'
          | 'location'
          | 'contacts'
          | 'poll'
          | 'unsupported';
        text: string;
        media?: {
          mediaId: string;
          mimetype?: string;
          bytes?: number;
          sha256?: string;
          fileName?: string;
          caption?: string;
          durationSeconds?: number;
          width?: number;
          height?: number;
          voice?: true;
          status: 'ready' | 'pending' | 'unavailable';
          url?: string;
        };
        location?: {
          latitude: number;
          longitude: number;
          name?: string;
          address?: string;
          isLive?: true;
        };
        contacts?: {
          name: string;
          phoneNumber?: string;
          organisation?: string;
        }[];
        poll?: {
          name: string;
          /**
           * @minItems 1
           * @maxItems 100
           */
          options: string[];
          selectableCount: number;
        };
        quotedMessageId?: string;
        mentions?: string[];
        isForwarded?: boolean;
        isEphemeral?: boolean;
        referral?: {
          sourceType?: string;
          sourceId?: string;
          sourceUrl?: string;
          headline?: string;
          body?: string;
          clickId?: string;
        };
        unsupportedType?: string;
        isGroup: boolean;
        pushName: string;
        chatType: 'personal' | 'group';
        groupId?: string;
        from: string;
        to: string;
        senderLid?: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.media';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        media: {
          mediaId: string;
          mimetype?: string;
          bytes?: number;
          sha256?: string;
          fileName?: string;
          caption?: string;
          durationSeconds?: number;
          width?: number;
          height?: number;
          voice?: true;
          status: 'ready' | 'pending' | 'unavailable';
          url?: string;
        };
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'device.connected';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        phoneNumber: string;
        connectedAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'device.disconnected';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        phoneNumber: string;
        reason: string;
        lastSeenAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'device.logged_out';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        phoneNumber: string;
        reason: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'device.pairing';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        method: 'qr' | 'code';
        qr?: string;
        code?: string;
        expiresAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'group.created';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        groupId: string;
        subject: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'group.updated';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        groupId: string;
        subject: string;
        changes: {
          subject?: string;
          description?: string | null;
          isAnnounce?: boolean;
          isLocked?: boolean;
          joinApproval?: boolean;
        };
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'group.participants';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        groupId: string;
        subject: string;
        action: 'add' | 'remove' | 'promote' | 'demote';
        participants: {
          phoneNumber?: string;
          lid?: string;
          role: 'member' | 'admin' | 'owner';
        }[];
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'group.join_request';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        groupId: string;
        subject: string;
        action: 'created' | 'revoked' | 'rejected';
        participants: {
          phoneNumber?: string;
          lid?: string;
        }[];
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'contact.updated';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        contactId: string;
        phoneNumber?: string;
        lid?: string;
        name?: string;
        pushName?: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'quota.exceeded';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        used: number;
        limit: number;
        resetAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.edited';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        providerMessageId: string;
        chat: string;
        direction: 'outbound' | 'inbound';
        text: string;
        editedAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.deleted';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        providerMessageId: string;
        chat: string;
        direction: 'outbound' | 'inbound';
        deletedAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.reaction';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        chat: string;
        from: string;
        emoji: string;
        reactedAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'message.sent_from_phone';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        providerMessageId: string;
        messageType:
          | 'text'
          | 'image'
          | 'video'
          | 'audio'
          | 'document'
          | 'sticker'
          | 'location'
          | 'contacts'
          | 'poll'
          | 'unsupported';
        text: string;
        media?: {
          mediaId: string;
          mimetype?: string;
          bytes?: number;
          sha256?: string;
          fileName?: string;
          caption?: string;
          durationSeconds?: number;
          width?: number;
          height?: number;
          voice?: true;
          status: 'ready' | 'pending' | 'unavailable';
          url?: string;
        };
        location?: {
          latitude: number;
          longitude: number;
          name?: string;
          address?: string;
          isLive?: true;
        };
        contacts?: {
          name: string;
          phoneNumber?: string;
          organisation?: string;
        }[];
        poll?: {
          name: string;
          /**
           * @minItems 1
           * @maxItems 100
           */
          options: string[];
          selectableCount: number;
        };
        quotedMessageId?: string;
        mentions?: string[];
        isForwarded?: boolean;
        isEphemeral?: boolean;
        referral?: {
          sourceType?: string;
          sourceId?: string;
          sourceUrl?: string;
          headline?: string;
          body?: string;
          clickId?: string;
        };
        unsupportedType?: string;
        isGroup: boolean;
        pushName: string;
        chatType: 'personal' | 'group';
        groupId?: string;
        to: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'poll.voted';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        messageId: string;
        numberId: string;
        from: string;
        options: string[];
        votedAt: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'call.received';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        numberId: string;
        callId: string;
        from: string;
        isVideo: boolean;
        isGroup: boolean;
        at: string;
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'conversation.created';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        conversationId: string;
        numberId: string;
        contactId?: string;
        groupId?: string;
        status: 'open' | 'pending' | 'snoozed' | 'resolved';
        assigneeId?: string;
        changes: {
          status?: 'open' | 'pending' | 'snoozed' | 'resolved';
          snoozedUntil?: string | null;
          priority?: 'low' | 'normal' | 'high' | 'urgent';
          assigneeId?: string | null;
          teamId?: string | null;
          labels?: string[];
          botState?: 'off' | 'active' | 'paused';
          sla?: 'none' | 'on_time' | 'missed';
          unreadCount?: 0;
        };
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'conversation.updated';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        conversationId: string;
        numberId: string;
        contactId?: string;
        groupId?: string;
        status: 'open' | 'pending' | 'snoozed' | 'resolved';
        assigneeId?: string;
        changes: {
          status?: 'open' | 'pending' | 'snoozed' | 'resolved';
          snoozedUntil?: string | null;
          priority?: 'low' | 'normal' | 'high' | 'urgent';
          assigneeId?: string | null;
          teamId?: string | null;
          labels?: string[];
          botState?: 'off' | 'active' | 'paused';
          sla?: 'none' | 'on_time' | 'missed';
          unreadCount?: 0;
        };
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'campaign.started';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        campaignId: string;
        name: string;
        reason?:
          | 'by_person'
          | 'network_restricted'
          | 'failures'
          | 'failure_rate'
          | 'opt_outs'
          | 'undelivered'
          | 'quota'
          | 'cancelled';
        counts: {
          recipients: number;
          pending: number;
          queued: number;
          sent: number;
          delivered: number;
          read: number;
          failed: number;
          replied: number;
          optedOut: number;
          skipped: number;
          cancelled: number;
        };
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'campaign.paused';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        campaignId: string;
        name: string;
        reason?:
          | 'by_person'
          | 'network_restricted'
          | 'failures'
          | 'failure_rate'
          | 'opt_outs'
          | 'undelivered'
          | 'quota'
          | 'cancelled';
        counts: {
          recipients: number;
          pending: number;
          queued: number;
          sent: number;
          delivered: number;
          read: number;
          failed: number;
          replied: number;
          optedOut: number;
          skipped: number;
          cancelled: number;
        };
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'campaign.finished';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        campaignId: string;
        name: string;
        reason?:
          | 'by_person'
          | 'network_restricted'
          | 'failures'
          | 'failure_rate'
          | 'opt_outs'
          | 'undelivered'
          | 'quota'
          | 'cancelled';
        counts: {
          recipients: number;
          pending: number;
          queued: number;
          sent: number;
          delivered: number;
          read: number;
          failed: number;
          replied: number;
          optedOut: number;
          skipped: number;
          cancelled: number;
        };
      };
    }
  | {
      /**
       * Where to go on behind this event. Opaque: do not take it apart.
       */
      cursor: string;
      /**
       * The same in every delivery of this event: deduplicate by it.
       */
      id: string;
      event: 'webhook.test';
      /**
       * When it happened.
       */
      timestamp: string;
      data: {
        message: string;
      };
    };

/**
 * Every schema by its name in the document.
 */
export interface Schemas {
  EventName: EventName;
  ErrorCode: ErrorCode;
  SendMessageRequest: SendMessageRequest;
  SendMessagesRequest: SendMessagesRequest;
  EditMessageRequest: EditMessageRequest;
  ReactToMessageRequest: ReactToMessageRequest;
  UpdateAccountRequest: UpdateAccountRequest;
  SetPlanRequest: SetPlanRequest;
  CreateApiKeyRequest: CreateApiKeyRequest;
  UpdateApiKeyRequest: UpdateApiKeyRequest;
  CreateNumberRequest: CreateNumberRequest;
  UpdateNumberRequest: UpdateNumberRequest;
  PairNumberRequest: PairNumberRequest;
  CreateGroupRequest: CreateGroupRequest;
  JoinGroupRequest: JoinGroupRequest;
  UpdateGroupRequest: UpdateGroupRequest;
  ChangeParticipantsRequest: ChangeParticipantsRequest;
  DecideJoinRequestsRequest: DecideJoinRequestsRequest;
  CreateContactRequest: CreateContactRequest;
  UpdateContactRequest: UpdateContactRequest;
  MergeContactsRequest: MergeContactsRequest;
  ImportContactsRequest: ImportContactsRequest;
  CreateSegmentRequest: CreateSegmentRequest;
  UpdateSegmentRequest: UpdateSegmentRequest;
  DeclareContactAttributeRequest: DeclareContactAttributeRequest;
  CheckContactsRequest: CheckContactsRequest;
  ShowTypingRequest: ShowTypingRequest;
  UpdateProfileRequest: UpdateProfileRequest;
  BeginConversationRequest: BeginConversationRequest;
  UpdateConversationRequest: UpdateConversationRequest;
  AnswerConversationRequest: AnswerConversationRequest;
  ShowTypingInConversationRequest: ShowTypingInConversationRequest;
  ViewConversationRequest: ViewConversationRequest;
  CreateTeamRequest: CreateTeamRequest;
  UpdateTeamRequest: UpdateTeamRequest;
  CreateLabelRequest: CreateLabelRequest;
  UpdateLabelRequest: UpdateLabelRequest;
  CreateCannedReplyRequest: CreateCannedReplyRequest;
  UpdateCannedReplyRequest: UpdateCannedReplyRequest;
  CreateBusinessHoursRequest: CreateBusinessHoursRequest;
  UpdateBusinessHoursRequest: UpdateBusinessHoursRequest;
  CreateSlaPolicyRequest: CreateSlaPolicyRequest;
  UpdateSlaPolicyRequest: UpdateSlaPolicyRequest;
  CreateCampaignRequest: CreateCampaignRequest;
  UpdateCampaignRequest: UpdateCampaignRequest;
  TestCampaignRequest: TestCampaignRequest;
  CreateAssistantRequest: CreateAssistantRequest;
  UpdateAssistantRequest: UpdateAssistantRequest;
  TryAssistantRequest: TryAssistantRequest;
  AddAssistantDocumentRequest: AddAssistantDocumentRequest;
  OrderConversationAssistantRequest: OrderConversationAssistantRequest;
  UpdateSettingsRequest: UpdateSettingsRequest;
  AddOptOutRequest: AddOptOutRequest;
  CreateWebhookRequest: CreateWebhookRequest;
  UpdateWebhookRequest: UpdateWebhookRequest;
  RedeliverSinceRequest: RedeliverSinceRequest;
  ReplayEventsRequest: ReplayEventsRequest;
  CreateAlertChannelRequest: CreateAlertChannelRequest;
  UpdateAlertChannelRequest: UpdateAlertChannelRequest;
  ConfirmAlertAddressRequest: ConfirmAlertAddressRequest;
  MuteAlertsRequest: MuteAlertsRequest;
  CreateAutomationRequest: CreateAutomationRequest;
  UpdateAutomationRequest: UpdateAutomationRequest;
  DryRunAutomationRequest: DryRunAutomationRequest;
  DryRunDraftRequest: DryRunDraftRequest;
  SignUpRequest: SignUpRequest;
  VerifySignUpRequest: VerifySignUpRequest;
  LoginRequest: LoginRequest;
  ForgotPasswordRequest: ForgotPasswordRequest;
  ResetPasswordRequest: ResetPasswordRequest;
  UpdateMeRequest: UpdateMeRequest;
  StepUpRequest: StepUpRequest;
  SwitchAccountRequest: SwitchAccountRequest;
  ChangePasswordRequest: ChangePasswordRequest;
  EnableTwoFactorRequest: EnableTwoFactorRequest;
  VerifyTwoFactorRequest: VerifyTwoFactorRequest;
  RenewRecoveryCodesRequest: RenewRecoveryCodesRequest;
  DisableTwoFactorRequest: DisableTwoFactorRequest;
  UpdateMemberRequest: UpdateMemberRequest;
  InviteRequest: InviteRequest;
  AcceptInvitationRequest: AcceptInvitationRequest;
  AddBridgeRequest: AddBridgeRequest;
  ErrorAnswer: ErrorAnswer;
  AcceptedMessage: AcceptedMessage;
  AcceptedBatch: AcceptedBatch;
  AcceptedAction: AcceptedAction;
  DryRun: DryRun;
  Message: Message;
  MessageList: MessageList;
  MessageTimeline: MessageTimeline;
  StoredMedia: StoredMedia;
  Usage: Usage;
  Traffic: Traffic;
  AccountPlan: AccountPlan;
  Account: Account;
  PhoneNumber: PhoneNumber;
  PhoneNumberList: PhoneNumberList;
  NumberHealth: NumberHealth;
  Pairing: Pairing;
  Person: Person;
  People: People;
  Group: Group;
  NewGroup: NewGroup;
  GroupList: GroupList;
  ParticipantResults: ParticipantResults;
  GroupInvite: GroupInvite;
  JoinedGroup: JoinedGroup;
  RequestedGroup: RequestedGroup;
  Contact: Contact;
  ContactList: ContactList;
  ContactMerge: ContactMerge;
  ContactMergeList: ContactMergeList;
  ContactPair: ContactPair;
  ContactErasure: ContactErasure;
  ContactImport: ContactImport;
  ContactImportList: ContactImportList;
  ContactAttribute: ContactAttribute;
  ContactAttributeList: ContactAttributeList;
  ContactLabelList: ContactLabelList;
  Segment: Segment;
  SegmentList: SegmentList;
  CheckedContacts: CheckedContacts;
  Picture: Picture;
  Profile: Profile;
  BusinessHours: BusinessHours;
  BusinessHoursList: BusinessHoursList;
  SlaPolicy: SlaPolicy;
  SlaPolicyList: SlaPolicyList;
  SupportReport: SupportReport;
  Campaign: Campaign;
  CampaignList: CampaignList;
  CampaignPreview: CampaignPreview;
  CampaignTest: CampaignTest;
  CampaignRecipientList: CampaignRecipientList;
  Conversation: Conversation;
  ConversationList: ConversationList;
  ConversationCounts: ConversationCounts;
  ConversationPeople: ConversationPeople;
  ConversationChat: ConversationChat;
  ConversationNote: ConversationNote;
  ConversationActivityList: ConversationActivityList;
  FoundMessageList: FoundMessageList;
  ScheduledMessages: ScheduledMessages;
  PresenceFrame: PresenceFrame;
  Team: Team;
  TeamList: TeamList;
  Label: Label;
  LabelList: LabelList;
  CannedReply: CannedReply;
  CannedReplyList: CannedReplyList;
  Settings: Settings;
  OptOut: OptOut;
  OptOutList: OptOutList;
  Webhook: Webhook;
  CreatedWebhook: CreatedWebhook;
  WebhookList: WebhookList;
  Delivery: Delivery;
  DeliveryList: DeliveryList;
  TestOutcome: TestOutcome;
  RedeliveryCount: RedeliveryCount;
  Assistant: Assistant;
  AssistantList: AssistantList;
  AssistantTrial: AssistantTrial;
  AssistantProviderTest: AssistantProviderTest;
  AssistantRun: AssistantRun;
  AssistantRunList: AssistantRunList;
  AssistantReport: AssistantReport;
  AssistantInstructionsList: AssistantInstructionsList;
  ConversationAssistant: ConversationAssistant;
  ConversationAssistantStanding: ConversationAssistantStanding;
  KnowledgeDocument: KnowledgeDocument;
  KnowledgeDocumentList: KnowledgeDocumentList;
  KnowledgePassages: KnowledgePassages;
  Automation: Automation;
  CreatedAutomation: CreatedAutomation;
  AutomationList: AutomationList;
  AutomationRunList: AutomationRunList;
  AutomationDryRun: AutomationDryRun;
  Alert: Alert;
  AlertList: AlertList;
  AlertChannel: AlertChannel;
  CreatedAlertChannel: CreatedAlertChannel;
  AlertChannelList: AlertChannelList;
  AlertDelivery: AlertDelivery;
  AlertDeliveryList: AlertDeliveryList;
  AlertTest: AlertTest;
  AlertAddress: AlertAddress;
  AlertMute: AlertMute;
  AlertMuteList: AlertMuteList;
  StreamEvent: StreamEvent;
  EventPage: EventPage;
  ApiKey: ApiKey;
  CreatedApiKey: CreatedApiKey;
  ApiKeyList: ApiKeyList;
  SignedIn: SignedIn;
  Identity: Identity;
  VerificationSent: VerificationSent;
  SentIfKnown: SentIfKnown;
  AccountList: AccountList;
  SessionList: SessionList;
  Confirmed: Confirmed;
  TwoFactor: TwoFactor;
  TwoFactorSecret: TwoFactorSecret;
  RecoveryCodes: RecoveryCodes;
  Member: Member;
  MemberList: MemberList;
  Invitation: Invitation;
  CreatedInvitation: CreatedInvitation;
  InvitationList: InvitationList;
  RequestEntry: RequestEntry;
  RequestList: RequestList;
  RequestDetail: RequestDetail;
  RequestErrors: RequestErrors;
  AuditLog: AuditLog;
  AuditVerdict: AuditVerdict;
  PublicKeys: PublicKeys;
  Bridge: Bridge;
  BridgeList: BridgeList;
  EnrolmentToken: EnrolmentToken;
  Alive: Alive;
  Readiness: Readiness;
  OpenApiDocument: OpenApiDocument;
  MessageQueuedEvent: MessageQueuedEvent;
  MessageSentEvent: MessageSentEvent;
  MessageDeliveredEvent: MessageDeliveredEvent;
  MessageReadEvent: MessageReadEvent;
  MessageFailedEvent: MessageFailedEvent;
  MessageReceivedEvent: MessageReceivedEvent;
  MessageMediaEvent: MessageMediaEvent;
  DeviceConnectedEvent: DeviceConnectedEvent;
  DeviceDisconnectedEvent: DeviceDisconnectedEvent;
  DeviceLoggedOutEvent: DeviceLoggedOutEvent;
  DevicePairingEvent: DevicePairingEvent;
  GroupCreatedEvent: GroupCreatedEvent;
  GroupUpdatedEvent: GroupUpdatedEvent;
  GroupParticipantsEvent: GroupParticipantsEvent;
  GroupJoinRequestEvent: GroupJoinRequestEvent;
  ContactUpdatedEvent: ContactUpdatedEvent;
  QuotaExceededEvent: QuotaExceededEvent;
  MessageEditedEvent: MessageEditedEvent;
  MessageDeletedEvent: MessageDeletedEvent;
  MessageReactionEvent: MessageReactionEvent;
  MessageSentFromPhoneEvent: MessageSentFromPhoneEvent;
  PollVotedEvent: PollVotedEvent;
  CallReceivedEvent: CallReceivedEvent;
  ConversationCreatedEvent: ConversationCreatedEvent;
  ConversationUpdatedEvent: ConversationUpdatedEvent;
  CampaignStartedEvent: CampaignStartedEvent;
  CampaignPausedEvent: CampaignPausedEvent;
  CampaignFinishedEvent: CampaignFinishedEvent;
  WebhookTestEvent: WebhookTestEvent;
}
export interface SendMessagesRequest {
  /**
   * 1 to 100 messages, in the order in which they are accepted.
   *
   * @minItems 1
   * @maxItems 100
   */
  messages: (
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type?: 'text';
        /**
         * Of a text: 1 to 4,096 characters, not only blanks, sent exactly as they are.
         */
        text: string;
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type: 'location';
        /**
         * A place on the map.
         */
        location: {
          /**
           * Degrees, -90 to 90.
           */
          latitude: number;
          /**
           * Degrees, -180 to 180.
           */
          longitude: number;
          /**
           * What stands above the address, such as the name of a shop. Up to 200 characters.
           */
          name?: string;
          /**
           * Up to 200 characters.
           */
          address?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type: 'contacts';
        /**
         * Cards of up to 20 people.
         *
         * @minItems 1
         * @maxItems 20
         */
        contacts: {
          /**
           * As the recipient sees it. Up to 200 characters.
           */
          name: string;
          /**
           * With country code; the recipient can write to it with one tap.
           */
          phoneNumber: string;
          /**
           * Up to 200 characters.
           */
          organisation?: string;
        }[];
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type: 'poll';
        /**
         * A question with 2 to 12 answers.
         */
        poll: {
          /**
           * The question. Up to 255 characters.
           */
          name: string;
          /**
           * The answers, each another one. Up to 100 characters each.
           *
           * @minItems 2
           * @maxItems 12
           */
          options: string[];
          /**
           * How many answers one voter may choose: 1 where it is left out, 0 for any number.
           */
          selectableCount?: number;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type: 'image';
        /**
         * A picture: JPEG, PNG or WebP, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        image: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type: 'video';
        /**
         * A film: MP4, QuickTime or 3GPP, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        video: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type: 'audio';
        /**
         * Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        audio: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * A voice note: Opus in Ogg.
           */
          voice?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type: 'document';
        /**
         * Any file, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        document: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * What the recipient sees as its name.
           */
          fileName?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.
         */
        to: string;
        /**
         * A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.
         */
        senderHint?: string;
        /**
         * Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it again also where an event arrives before this answer.
         */
        clientReference?: string;
        /**
         * A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.
         */
        sendAt?: string;
        /**
         * The message that it answers: one of yours, or one that came in.
         */
        quotedMessageId?: string;
        /**
         * As the header `Idempotency-Key` of a single send, for this message alone.
         */
        idempotencyKey?: string;
        /**
         * What the message carries.
         */
        type: 'sticker';
        /**
         * A sticker: WebP, up to 512 KiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        sticker: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
  )[];
}
export interface EditMessageRequest {
  /**
   * The new text: 1 to 4,096 characters, not only blanks.
   */
  text: string;
}
export interface ReactToMessageRequest {
  /**
   * One emoji, with its modifiers.
   */
  emoji: string;
}
export interface UpdateAccountRequest {
  /**
   * The name. It must not look like a web address or a phone number.
   */
  name: string;
}
export interface SetPlanRequest {
  /**
   * The name of the plan.
   */
  plan: string;
}
export interface CreateApiKeyRequest {
  /**
   * Your name for it, 1 to 100 characters; the audit log calls it by this.
   */
  name: string;
  /**
   * A number that the key always sends through; null for the pool.
   */
  pinnedNumberId?: string | null;
  /**
   * When the pinned number is unavailable: `strict` answers 503, `fallback` sends through the pool.
   */
  onPinFailure?: 'strict' | 'fallback';
  /**
   * What the key may do; where it is left out, all but `webhooks`, which must be named. A key pinned with `strict` reads what concerns its number only, and cannot have `webhooks`.
   *
   * @minItems 1
   * @maxItems 9
   */
  scopes?: (
    | 'messages:send'
    | 'messages:read'
    | 'media'
    | 'numbers:read'
    | 'groups'
    | 'contacts'
    | 'events:read'
    | 'usage:read'
    | 'webhooks'
  )[];
  /**
   * When it ends by itself; never, where it is left out.
   */
  expiresAt?: string | null;
  /**
   * Network addresses, or ranges in CIDR notation, from which it is accepted (`403` elsewhere); all, where it is left out.
   */
  allowedAddresses?: string[] | null;
}
export interface UpdateApiKeyRequest {
  /**
   * Your name for it, 1 to 100 characters.
   */
  name?: string;
  /**
   * A number that the key always sends through; null for the pool.
   */
  pinnedNumberId?: string | null;
  /**
   * When the pinned number is unavailable: `strict` answers 503, `fallback` sends through the pool.
   */
  onPinFailure?: 'strict' | 'fallback';
  /**
   * What the key may do from now on.
   *
   * @minItems 1
   * @maxItems 9
   */
  scopes?: (
    | 'messages:send'
    | 'messages:read'
    | 'media'
    | 'numbers:read'
    | 'groups'
    | 'contacts'
    | 'events:read'
    | 'usage:read'
    | 'webhooks'
  )[];
  /**
   * Network addresses, or ranges in CIDR notation, from which it is accepted; null for all.
   */
  allowedAddresses?: string[] | null;
}
export interface CreateNumberRequest {
  /**
   * Your name for it, 1 to 100 characters.
   */
  label: string;
}
export interface UpdateNumberRequest {
  /**
   * Your name for it, 1 to 100 characters.
   */
  label?: string;
  /**
   * Whether keys without a pin may send through it.
   */
  inPool?: boolean;
  /**
   * How fast it speaks.
   */
  pacing?: {
    /**
     * Shortest wait between two messages, in milliseconds; each wait is drawn at random. 0 and 0 turn it off.
     */
    minDelayMs?: number;
    /**
     * Longest wait between two messages, in milliseconds.
     */
    maxDelayMs?: number;
    /**
     * Messages a calendar day in `timeZone`; null for no limit.
     */
    dailyLimit?: number | null;
    /**
     * Day limits of a new number: the first holds on the day of the pairing, the last one ends the ramp. Null for none.
     */
    warmUp?: number[] | null;
    /**
     * Shortest wait between two messages to the same recipient, in milliseconds.
     */
    recipientIntervalMs?: number;
    /**
     * Shows "typing" before a text, in proportion to its length.
     */
    typing?: boolean;
    /**
     * From `start` to `end` nothing leaves; over midnight when `end` comes first. Null for none.
     */
    quietHours?: {
      /**
       * When they begin, as `HH:MM` in `timeZone`.
       */
      start: string;
      /**
       * When they end, as `HH:MM` in `timeZone`.
       */
      end: string;
    } | null;
    /**
     * The IANA time zone of the days and hours: `Asia/Jakarta`.
     */
    timeZone?: string;
  };
  /**
   * Whom it may not write to, beside the account's own filters. Groups are not filtered.
   */
  filters?: {
    /**
     * Only recipients whose phone number begins with one of these; empty for all.
     *
     * @maxItems 1000
     */
    allowPrefixes?: string[];
    /**
     * No recipients whose phone number begins with one of these.
     *
     * @maxItems 1000
     */
    blockPrefixes?: string[];
    /**
     * Not these recipients: digits with country code.
     *
     * @maxItems 10000
     */
    blockNumbers?: string[];
    /**
     * Asks the network whether a recipient is there before the first message to it.
     */
    checkOnNetwork?: boolean;
  };
  /**
   * The teams that its conversations are for alone; null: everybody. Owners and admins see all.
   */
  teamIds?: string[] | null;
  /**
   * Whether it is shown as online while it is connected.
   */
  presence?: 'unavailable' | 'available';
  /**
   * The proxy through which it reaches the network, credentials included: `http`, `https`, `socks4` or `socks5`. Null for none. It reconnects when this changes.
   */
  proxyUrl?: string | null;
  /**
   * Whether calls are turned down at once.
   */
  rejectCalls?: boolean;
  /**
   * When messages to it are marked as read at the network.
   */
  markRead?: 'never' | 'on_reply' | 'always';
}
export interface CreateGroupRequest {
  /**
   * Its name, 1 to 100 characters.
   */
  subject: string;
  /**
   * Phone numbers with country code.
   *
   * @maxItems 1024
   */
  participants: string[];
}
export interface JoinGroupRequest {
  /**
   * The code of the invite, or the address that people share.
   */
  invite: string;
}
export interface UpdateGroupRequest {
  /**
   * Its name, 1 to 100 characters.
   */
  subject?: string;
  /**
   * At most 2,048 characters; empty or null for none.
   */
  description?: string | null;
  /**
   * Whether only admins write.
   */
  isAnnounce?: boolean;
  /**
   * Whether only admins change subject and description.
   */
  isLocked?: boolean;
  /**
   * Whether admins decide about who wants to join.
   */
  joinApproval?: boolean;
}
export interface ChangeParticipantsRequest {
  /**
   * What to do with them.
   */
  action: 'add' | 'remove' | 'promote' | 'demote';
  /**
   * Phone numbers with country code.
   *
   * @maxItems 1024
   */
  participants: string[];
}
export interface DecideJoinRequestsRequest {
  /**
   * Whether they come in.
   */
  action: 'approve' | 'reject';
  /**
   * Phone numbers with country code.
   *
   * @maxItems 1024
   */
  participants: string[];
}
export interface CreateContactRequest {
  /**
   * With country code, in any usual writing. There is one contact for each.
   */
  phoneNumber: string;
  /**
   * As you call them; null: as the address book does.
   */
  name?: string | null;
  /**
   * At most 50, of 1 to 50 characters each.
   *
   * @maxItems 50
   */
  labels?: string[];
  /**
   * Your own fields, at most 50: names of letters, digits and underscores; texts, numbers, yes or no. A value must be of its attribute's type.
   */
  attributes?: {
    [k: string]: string | number | boolean;
  };
  /**
   * Where they live: `Asia/Jakarta`. Campaigns keep to its hours.
   */
  timeZone?: string | null;
  /**
   * How you know that they agree to be written to; null: you do not.
   */
  consentSource?: string | null;
}
export interface UpdateContactRequest {
  /**
   * As you call them; null: as the address book does.
   */
  name?: string | null;
  /**
   * At most 50, of 1 to 50 characters each.
   *
   * @maxItems 50
   */
  labels?: string[];
  /**
   * Your own fields, at most 50: names of letters, digits and underscores; texts, numbers, yes or no. A value must be of its attribute's type.
   */
  attributes?: {
    [k: string]: string | number | boolean;
  };
  /**
   * Where they live: `Asia/Jakarta`. Campaigns keep to its hours.
   */
  timeZone?: string | null;
  /**
   * How you know that they agree to be written to; null: you do not.
   */
  consentSource?: string | null;
}
export interface MergeContactsRequest {
  /**
   * The one that stays.
   */
  contactId: string;
  /**
   * The other one. It is gone afterwards.
   */
  otherContactId: string;
}
export interface ImportContactsRequest {
  /**
   * Each is judged by itself.
   *
   * @minItems 1
   * @maxItems 1000
   */
  contacts: {
    /**
     * In any usual writing.
     */
    phoneNumber: string;
    /**
     * As you call them.
     */
    name?: string;
    /**
     * They are added to those that they have.
     *
     * @maxItems 200
     */
    labels?: string[];
    /**
     * They are taken over those that they have.
     */
    attributes?: {
      [k: string]: string | number | boolean;
    };
    /**
     * As `Asia/Jakarta`.
     */
    timeZone?: string;
  }[];
  /**
   * How you know that they agree to be written to.
   */
  consentSource: string;
  /**
   * For everybody in it.
   *
   * @maxItems 50
   */
  labels?: string[];
  /**
   * The country (two letters) of phone numbers that do not say theirs.
   */
  defaultCountry?: string;
  /**
   * A UUID of your own choice, so that the call can be repeated.
   */
  importId?: string;
}
export interface CreateSegmentRequest {
  /**
   * One of its own.
   */
  name: string;
  /**
   * Whom it means: all of it must hold. Who has opted out is in it, and is written to by nobody.
   */
  filter: {
    /**
     * Beginnings of words in their names, or of the phone number.
     */
    q?: string;
    /**
     * All of them.
     *
     * @minItems 1
     * @maxItems 10
     */
    labels?: string[];
    /**
     * One of them: two letters each, as the phone number tells.
     *
     * @minItems 1
     * @maxItems 50
     */
    countries?: string[];
    /**
     * They wrote to one of your numbers within so many days.
     */
    seenWithinDays?: number;
    /**
     * They have not, for so many days.
     */
    notSeenForDays?: number;
    /**
     * Whether they have ever written.
     */
    hasWritten?: boolean;
    /**
     * What must hold of their attributes.
     *
     * @minItems 1
     * @maxItems 10
     */
    attributes?: {
      /**
       * The attribute.
       */
      name: string;
      /**
       * Texts are compared without case; dates as they sort.
       */
      operator: 'equals' | 'not_equals' | 'contains' | 'less' | 'greater' | 'exists' | 'missing';
      /**
       * Needed by all operators but `exists` and `missing`.
       */
      value?: string | number | boolean;
    }[];
  };
}
export interface UpdateSegmentRequest {
  /**
   * One of its own.
   */
  name?: string;
  /**
   * Whom it means: all of it must hold. Who has opted out is in it, and is written to by nobody.
   */
  filter?: {
    /**
     * Beginnings of words in their names, or of the phone number.
     */
    q?: string;
    /**
     * All of them.
     *
     * @minItems 1
     * @maxItems 10
     */
    labels?: string[];
    /**
     * One of them: two letters each, as the phone number tells.
     *
     * @minItems 1
     * @maxItems 50
     */
    countries?: string[];
    /**
     * They wrote to one of your numbers within so many days.
     */
    seenWithinDays?: number;
    /**
     * They have not, for so many days.
     */
    notSeenForDays?: number;
    /**
     * Whether they have ever written.
     */
    hasWritten?: boolean;
    /**
     * What must hold of their attributes.
     *
     * @minItems 1
     * @maxItems 10
     */
    attributes?: {
      /**
       * The attribute.
       */
      name: string;
      /**
       * Texts are compared without case; dates as they sort.
       */
      operator: 'equals' | 'not_equals' | 'contains' | 'less' | 'greater' | 'exists' | 'missing';
      /**
       * Needed by all operators but `exists` and `missing`.
       */
      value?: string | number | boolean;
    }[];
  };
}
export interface DeclareContactAttributeRequest {
  /**
   * A date is a day (2026-01-31) or a time, as text.
   */
  type: 'text' | 'number' | 'boolean' | 'date';
}
export interface CheckContactsRequest {
  /**
   * Phone numbers with country code.
   *
   * @minItems 1
   * @maxItems 50
   */
  phoneNumbers: string[];
}
export interface ShowTypingRequest {
  /**
   * What is shown: `typing`, `recording` a voice note, or that it has `paused`.
   */
  state: 'typing' | 'recording' | 'paused';
}
export interface UpdateProfileRequest {
  /**
   * The name that people see, 1 to 25 characters.
   */
  name?: string;
  /**
   * At most 139 characters.
   */
  about?: string;
  /**
   * A square JPEG in base64, at most 512 KiB; null takes the picture away.
   */
  picture?: string | null;
}
export interface BeginConversationRequest {
  /**
   * The number that is to speak.
   */
  numberId: string;
  /**
   * A phone number with country code, or a group id.
   */
  to: string;
}
export interface UpdateConversationRequest {
  /**
   * Resolved: nobody waits any more, and an assistant stops.
   */
  status?: 'open' | 'pending' | 'snoozed' | 'resolved';
  /**
   * A time to come: it sleeps until then, or until somebody writes.
   */
  snoozedUntil?: string | null;
  /**
   * How urgent it is.
   */
  priority?: 'low' | 'normal' | 'high' | 'urgent';
  /**
   * The person who sees to it; null: nobody.
   */
  assigneeId?: string | null;
  /**
   * The team that sees to it; null: none.
   */
  teamId?: string | null;
  /**
   * All of them: at most 50, of 1 to 50 characters each.
   *
   * @maxItems 50
   */
  labels?: string[];
  /**
   * Whether an assistant answers.
   */
  botState?: 'off' | 'active' | 'paused';
}
export interface ShowTypingInConversationRequest {
  /**
   * What you do.
   */
  state: 'typing' | 'recording' | 'paused';
}
export interface ViewConversationRequest {
  /**
   * What you do.
   */
  state: 'viewing' | 'typing' | 'left';
}
export interface CreateTeamRequest {
  /**
   * What you call it: 1 to 100 characters.
   */
  name: string;
  /**
   * Up to 500 characters, or null.
   */
  description?: string | null;
  /**
   * The people in it, by their user ids.
   *
   * @maxItems 200
   */
  memberIds?: string[];
  /**
   * Whether its open conversations that nobody has go to its people in turn: to those who have the inbox open and room for one more. Where there is nobody, they wait until somebody comes or has room again. What a person gives back waits for the next such moment; what an assistant answers is left to it.
   */
  autoAssign?: boolean;
  /**
   * So many open conversations somebody may have, of this team or not, to be given another; null: any number.
   */
  capPerAgent?: number | null;
}
export interface UpdateTeamRequest {
  /**
   * What you call it: 1 to 100 characters.
   */
  name?: string;
  /**
   * Up to 500 characters, or null.
   */
  description?: string | null;
  /**
   * The people in it, by their user ids.
   *
   * @maxItems 200
   */
  memberIds?: string[];
  /**
   * Whether its open conversations that nobody has go to its people in turn: to those who have the inbox open and room for one more. Where there is nobody, they wait until somebody comes or has room again. What a person gives back waits for the next such moment; what an assistant answers is left to it.
   */
  autoAssign?: boolean;
  /**
   * So many open conversations somebody may have, of this team or not, to be given another; null: any number.
   */
  capPerAgent?: number | null;
}
export interface CreateLabelRequest {
  /**
   * What conversations bear: 1 to 50 characters. It stays as it is.
   */
  name: string;
  /**
   * As `#1f6feb`.
   */
  color: string;
  /**
   * Up to 500 characters, or null.
   */
  description?: string | null;
}
export interface UpdateLabelRequest {
  /**
   * As `#1f6feb`.
   */
  color?: string;
  /**
   * Up to 500 characters, or null.
   */
  description?: string | null;
}
export interface CreateCannedReplyRequest {
  /**
   * What people type behind a slash: letters, digits, _ and -, at most 40.
   */
  shortcut: string;
  /**
   * Up to 4,096 characters; {{contact.name}}, {{contact.phoneNumber}} and {{agent.name}} are filled in by whoever uses it.
   */
  text: string;
  /**
   * The team that it is for; null: everybody.
   */
  teamId?: string | null;
}
export interface UpdateCannedReplyRequest {
  /**
   * What people type behind a slash: letters, digits, _ and -, at most 40.
   */
  shortcut?: string;
  /**
   * Up to 4,096 characters; {{contact.name}}, {{contact.phoneNumber}} and {{agent.name}} are filled in by whoever uses it.
   */
  text?: string;
  /**
   * The team that it is for; null: everybody.
   */
  teamId?: string | null;
}
export interface CreateBusinessHoursRequest {
  /**
   * What you call them: 1 to 100 characters.
   */
  name: string;
  /**
   * The IANA time zone of the hours and holidays.
   */
  timeZone: string;
  /**
   * When people work: one at least, none within another. Several on a day, over midnight where `to` is not after `from`.
   *
   * @minItems 1
   * @maxItems 70
   */
  spans: {
    /**
     * The day on which it begins.
     */
    day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
    /**
     * When it begins, as `HH:MM` in the time zone.
     */
    from: string;
    /**
     * When it ends, as `HH:MM`, or `24:00`. Not after `from`: it ends on the next day.
     */
    to: string | '24:00';
  }[];
  /**
   * Dates on which nobody works, from midnight to midnight; none, where it is left out.
   *
   * @maxItems 400
   */
  holidays?: {
    /**
     * A calendar date in the time zone: `2026-12-25`.
     */
    date: string;
    /**
     * What day it is, for people.
     */
    name?: string;
  }[];
  /**
   * The ids of the numbers that they hold for, or "all". Hours that name a number go before those for all; of two, the older ones.
   */
  numberIds?: 'all' | string[];
}
export interface UpdateBusinessHoursRequest {
  /**
   * What you call them: 1 to 100 characters.
   */
  name?: string;
  /**
   * The IANA time zone of the hours and holidays.
   */
  timeZone?: string;
  /**
   * When people work: one at least, none within another. Several on a day, over midnight where `to` is not after `from`.
   *
   * @minItems 1
   * @maxItems 70
   */
  spans?: {
    /**
     * The day on which it begins.
     */
    day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
    /**
     * When it begins, as `HH:MM` in the time zone.
     */
    from: string;
    /**
     * When it ends, as `HH:MM`, or `24:00`. Not after `from`: it ends on the next day.
     */
    to: string | '24:00';
  }[];
  /**
   * Dates on which nobody works, from midnight to midnight; none, where it is left out.
   *
   * @maxItems 400
   */
  holidays?: {
    /**
     * A calendar date in the time zone: `2026-12-25`.
     */
    date: string;
    /**
     * What day it is, for people.
     */
    name?: string;
  }[];
  /**
   * The ids of the numbers that they hold for, or "all". Hours that name a number go before those for all; of two, the older ones.
   */
  numberIds?: 'all' | string[];
}
export interface CreateSlaPolicyRequest {
  /**
   * What you call it: 1 to 100 characters.
   */
  name: string;
  /**
   * Until the first answer by a person, at most 90 days. One of the three targets at least is set.
   */
  firstResponseSeconds?: number | null;
  /**
   * Until the answer to each later message.
   */
  nextResponseSeconds?: number | null;
  /**
   * Until the conversation is resolved.
   */
  resolutionSeconds?: number | null;
  /**
   * Whether only time within the business hours of the conversation's number counts. Where the number has none, all time counts.
   */
  businessHoursOnly?: boolean;
  /**
   * The ids of the numbers whose conversations it is for, or "all".
   */
  numberIds?: 'all' | string[];
  /**
   * Only conversations with one of these labels; empty, or left out, for all.
   *
   * @maxItems 50
   */
  labels?: string[];
}
export interface UpdateSlaPolicyRequest {
  /**
   * What you call it: 1 to 100 characters.
   */
  name?: string;
  /**
   * Until the first answer by a person, at most 90 days. One of the three targets at least is set.
   */
  firstResponseSeconds?: number | null;
  /**
   * Until the answer to each later message.
   */
  nextResponseSeconds?: number | null;
  /**
   * Until the conversation is resolved.
   */
  resolutionSeconds?: number | null;
  /**
   * Whether only time within the business hours of the conversation's number counts. Where the number has none, all time counts.
   */
  businessHoursOnly?: boolean;
  /**
   * The ids of the numbers whose conversations it is for, or "all".
   */
  numberIds?: 'all' | string[];
  /**
   * Only conversations with one of these labels; empty, or left out, for all.
   *
   * @maxItems 50
   */
  labels?: string[];
}
export interface CreateCampaignRequest {
  /**
   * For you; nobody who gets it sees it.
   */
  name: string;
  /**
   * As a send without `to`. Its text, or the caption of its file, may hold `{{name}}`, `{{phone}}` and `{{attributes.city}}`; `{{name|there}}` says what stands there where nothing is known. A file is stored once for all.
   */
  message:
    | {
        /**
         * What the message carries.
         */
        type?: 'text';
        /**
         * The text, 1 to 4,096 characters; may hold variables.
         */
        text: string;
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'location';
        /**
         * A place on the map.
         */
        location: {
          /**
           * Degrees, -90 to 90.
           */
          latitude: number;
          /**
           * Degrees, -180 to 180.
           */
          longitude: number;
          /**
           * What stands above the address, such as the name of a shop. Up to 200 characters.
           */
          name?: string;
          /**
           * Up to 200 characters.
           */
          address?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'contacts';
        /**
         * Cards of up to 20 people.
         *
         * @minItems 1
         * @maxItems 20
         */
        contacts: {
          /**
           * As the recipient sees it. Up to 200 characters.
           */
          name: string;
          /**
           * With country code; the recipient can write to it with one tap.
           */
          phoneNumber: string;
          /**
           * Up to 200 characters.
           */
          organisation?: string;
        }[];
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'poll';
        /**
         * A question with 2 to 12 answers.
         */
        poll: {
          /**
           * The question. Up to 255 characters.
           */
          name: string;
          /**
           * The answers, each another one. Up to 100 characters each.
           *
           * @minItems 2
           * @maxItems 12
           */
          options: string[];
          /**
           * How many answers one voter may choose: 1 where it is left out, 0 for any number.
           */
          selectableCount?: number;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'image';
        /**
         * A picture: JPEG, PNG or WebP, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        image: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'video';
        /**
         * A film: MP4, QuickTime or 3GPP, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        video: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'audio';
        /**
         * Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        audio: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * A voice note: Opus in Ogg.
           */
          voice?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'document';
        /**
         * Any file, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        document: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * What the recipient sees as its name.
           */
          fileName?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'sticker';
        /**
         * A sticker: WebP, up to 512 KiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        sticker: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      };
  /**
   * Up to three other messages, tried beside the first: who gets which is drawn once and stays.
   *
   * @maxItems 3
   */
  variants?: (
    | {
        /**
         * What the message carries.
         */
        type?: 'text';
        /**
         * The text, 1 to 4,096 characters; may hold variables.
         */
        text: string;
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'location';
        /**
         * A place on the map.
         */
        location: {
          /**
           * Degrees, -90 to 90.
           */
          latitude: number;
          /**
           * Degrees, -180 to 180.
           */
          longitude: number;
          /**
           * What stands above the address, such as the name of a shop. Up to 200 characters.
           */
          name?: string;
          /**
           * Up to 200 characters.
           */
          address?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'contacts';
        /**
         * Cards of up to 20 people.
         *
         * @minItems 1
         * @maxItems 20
         */
        contacts: {
          /**
           * As the recipient sees it. Up to 200 characters.
           */
          name: string;
          /**
           * With country code; the recipient can write to it with one tap.
           */
          phoneNumber: string;
          /**
           * Up to 200 characters.
           */
          organisation?: string;
        }[];
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'poll';
        /**
         * A question with 2 to 12 answers.
         */
        poll: {
          /**
           * The question. Up to 255 characters.
           */
          name: string;
          /**
           * The answers, each another one. Up to 100 characters each.
           *
           * @minItems 2
           * @maxItems 12
           */
          options: string[];
          /**
           * How many answers one voter may choose: 1 where it is left out, 0 for any number.
           */
          selectableCount?: number;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'image';
        /**
         * A picture: JPEG, PNG or WebP, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        image: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'video';
        /**
         * A film: MP4, QuickTime or 3GPP, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        video: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'audio';
        /**
         * Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        audio: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * A voice note: Opus in Ogg.
           */
          voice?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'document';
        /**
         * Any file, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        document: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * What the recipient sees as its name.
           */
          fileName?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'sticker';
        /**
         * A sticker: WebP, up to 512 KiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        sticker: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
  )[];
  /**
   * With variants: only `testPercent` of the recipients try them, and `afterMinutes` after the last of those the others get the one that was answered most. Null: everybody gets one of them, evenly.
   */
  winner?: {
    /**
     * Of 100 recipients, how many try the texts.
     */
    testPercent: number;
    /**
     * How long answers are waited for.
     */
    afterMinutes: number;
  } | null;
  /**
   * One of `contactIds`, `label`, `segmentId`, `csv` and `all: true`. Those who have never written to one of your numbers are left out unless `coldContacts` is true: to write to strangers is what numbers are banned for.
   */
  audience: {
    /**
     * These contacts, by their ids.
     *
     * @minItems 1
     * @maxItems 10000
     */
    contactIds?: string[];
    /**
     * Contacts that have this label.
     */
    label?: string;
    /**
     * Contacts of this segment.
     */
    segmentId?: string;
    /**
     * Everybody who came in by this import of contacts (the `importId` of `POST /v1/contacts/import`), new or known before. It must be finished.
     */
    csv?: string;
    /**
     * Every contact.
     */
    all?: true;
    /**
     * Also those who have never written to one of your numbers.
     */
    coldContacts?: boolean;
  };
  /**
   * The numbers that send it, or "pool".
   */
  numberIds?: 'pool' | string[];
  /**
   * When it starts, once it was started; null: at once.
   */
  startAt?: string | null;
  /**
   * Days (`monday` …), and hours from `from` to `to`; over midnight where `to` comes first. `timeZone`: `recipient` for each one's own (the contact's, else the country's: where a country has several, it is open in all of them), or an IANA zone for everybody.
   */
  window?: {
    /**
     * Days of the week, in English and lower case.
     *
     * @minItems 1
     * @maxItems 7
     */
    days: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
    /**
     * From this time of day on, as `HH:MM`.
     */
    from: string;
    /**
     * Up to this time of day, as `HH:MM`.
     */
    to: string;
    /**
     * `recipient`, or an IANA zone.
     */
    timeZone: 'recipient' | string;
  } | null;
  /**
   * Of recipients whose own zone is not known.
   */
  timeZone?: string;
  /**
   * At most so many an hour; null: as the pacing of the numbers lets it.
   */
  ratePerHour?: number | null;
  /**
   * It pauses by itself after so many failures. It does so too at the first error 463, when more than 30 % of the last messages failed, and when more than 5 % of those who got it opt out.
   */
  stopAfterFailures?: number;
  /**
   * Whether those who are left wait for the next month, or are skipped.
   */
  whenQuotaEnds?: 'wait' | 'end';
  /**
   * For so many days what a recipient writes to the number counts as an answer.
   */
  replyDays?: number;
}
export interface UpdateCampaignRequest {
  /**
   * For you; nobody who gets it sees it.
   */
  name?: string;
  /**
   * As a send without `to`. Its text, or the caption of its file, may hold `{{name}}`, `{{phone}}` and `{{attributes.city}}`; `{{name|there}}` says what stands there where nothing is known. A file is stored once for all.
   */
  message?:
    | {
        /**
         * What the message carries.
         */
        type?: 'text';
        /**
         * The text, 1 to 4,096 characters; may hold variables.
         */
        text: string;
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'location';
        /**
         * A place on the map.
         */
        location: {
          /**
           * Degrees, -90 to 90.
           */
          latitude: number;
          /**
           * Degrees, -180 to 180.
           */
          longitude: number;
          /**
           * What stands above the address, such as the name of a shop. Up to 200 characters.
           */
          name?: string;
          /**
           * Up to 200 characters.
           */
          address?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'contacts';
        /**
         * Cards of up to 20 people.
         *
         * @minItems 1
         * @maxItems 20
         */
        contacts: {
          /**
           * As the recipient sees it. Up to 200 characters.
           */
          name: string;
          /**
           * With country code; the recipient can write to it with one tap.
           */
          phoneNumber: string;
          /**
           * Up to 200 characters.
           */
          organisation?: string;
        }[];
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'poll';
        /**
         * A question with 2 to 12 answers.
         */
        poll: {
          /**
           * The question. Up to 255 characters.
           */
          name: string;
          /**
           * The answers, each another one. Up to 100 characters each.
           *
           * @minItems 2
           * @maxItems 12
           */
          options: string[];
          /**
           * How many answers one voter may choose: 1 where it is left out, 0 for any number.
           */
          selectableCount?: number;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'image';
        /**
         * A picture: JPEG, PNG or WebP, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        image: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'video';
        /**
         * A film: MP4, QuickTime or 3GPP, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        video: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'audio';
        /**
         * Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        audio: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * A voice note: Opus in Ogg.
           */
          voice?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'document';
        /**
         * Any file, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        document: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * What the recipient sees as its name.
           */
          fileName?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'sticker';
        /**
         * A sticker: WebP, up to 512 KiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        sticker: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      };
  /**
   * Up to three other messages, tried beside the first: who gets which is drawn once and stays.
   *
   * @maxItems 3
   */
  variants?: (
    | {
        /**
         * What the message carries.
         */
        type?: 'text';
        /**
         * The text, 1 to 4,096 characters; may hold variables.
         */
        text: string;
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'location';
        /**
         * A place on the map.
         */
        location: {
          /**
           * Degrees, -90 to 90.
           */
          latitude: number;
          /**
           * Degrees, -180 to 180.
           */
          longitude: number;
          /**
           * What stands above the address, such as the name of a shop. Up to 200 characters.
           */
          name?: string;
          /**
           * Up to 200 characters.
           */
          address?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'contacts';
        /**
         * Cards of up to 20 people.
         *
         * @minItems 1
         * @maxItems 20
         */
        contacts: {
          /**
           * As the recipient sees it. Up to 200 characters.
           */
          name: string;
          /**
           * With country code; the recipient can write to it with one tap.
           */
          phoneNumber: string;
          /**
           * Up to 200 characters.
           */
          organisation?: string;
        }[];
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'poll';
        /**
         * A question with 2 to 12 answers.
         */
        poll: {
          /**
           * The question. Up to 255 characters.
           */
          name: string;
          /**
           * The answers, each another one. Up to 100 characters each.
           *
           * @minItems 2
           * @maxItems 12
           */
          options: string[];
          /**
           * How many answers one voter may choose: 1 where it is left out, 0 for any number.
           */
          selectableCount?: number;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'image';
        /**
         * A picture: JPEG, PNG or WebP, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        image: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'video';
        /**
         * A film: MP4, QuickTime or 3GPP, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        video: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
          /**
           * The recipient can look at it once.
           */
          viewOnce?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'audio';
        /**
         * Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        audio: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * A voice note: Opus in Ogg.
           */
          voice?: boolean;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'document';
        /**
         * Any file, up to 100 MiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        document: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
          /**
           * What the recipient sees as its name.
           */
          fileName?: string;
          /**
           * Words beside it: up to 1,024 characters.
           */
          caption?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
    | {
        /**
         * What the message carries.
         */
        type: 'sticker';
        /**
         * A sticker: WebP, up to 512 KiB. Give exactly one of `url`, `mediaId` and `data`.
         */
        sticker: {
          /**
           * A file that is stored: from `POST /v1/media`, or of a message that came.
           */
          mediaId?: string;
          /**
           * Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does the message, with the reason.
           */
          url?: string;
          /**
           * The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.
           */
          data?: string;
          /**
           * The type of `data`; left out, it is seen from the bytes.
           */
          mimetype?: string;
        };
        /**
         * Phone numbers of people to mention; `text` names each as `@` and its digits.
         *
         * @minItems 1
         * @maxItems 256
         */
        mentions?: string[];
        /**
         * Marks it as forwarded.
         */
        isForwarded?: boolean;
      }
  )[];
  /**
   * With variants: only `testPercent` of the recipients try them, and `afterMinutes` after the last of those the others get the one that was answered most. Null: everybody gets one of them, evenly.
   */
  winner?: {
    /**
     * Of 100 recipients, how many try the texts.
     */
    testPercent: number;
    /**
     * How long answers are waited for.
     */
    afterMinutes: number;
  } | null;
  /**
   * One of `contactIds`, `label`, `segmentId`, `csv` and `all: true`. Those who have never written to one of your numbers are left out unless `coldContacts` is true: to write to strangers is what numbers are banned for.
   */
  audience?: {
    /**
     * These contacts, by their ids.
     *
     * @minItems 1
     * @maxItems 10000
     */
    contactIds?: string[];
    /**
     * Contacts that have this label.
     */
    label?: string;
    /**
     * Contacts of this segment.
     */
    segmentId?: string;
    /**
     * Everybody who came in by this import of contacts (the `importId` of `POST /v1/contacts/import`), new or known before. It must be finished.
     */
    csv?: string;
    /**
     * Every contact.
     */
    all?: true;
    /**
     * Also those who have never written to one of your numbers.
     */
    coldContacts?: boolean;
  };
  /**
   * The numbers that send it, or "pool".
   */
  numberIds?: 'pool' | string[];
  /**
   * When it starts, once it was started; null: at once.
   */
  startAt?: string | null;
  /**
   * Days (`monday` …), and hours from `from` to `to`; over midnight where `to` comes first. `timeZone`: `recipient` for each one's own (the contact's, else the country's: where a country has several, it is open in all of them), or an IANA zone for everybody.
   */
  window?: {
    /**
     * Days of the week, in English and lower case.
     *
     * @minItems 1
     * @maxItems 7
     */
    days: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
    /**
     * From this time of day on, as `HH:MM`.
     */
    from: string;
    /**
     * Up to this time of day, as `HH:MM`.
     */
    to: string;
    /**
     * `recipient`, or an IANA zone.
     */
    timeZone: 'recipient' | string;
  } | null;
  /**
   * Of recipients whose own zone is not known.
   */
  timeZone?: string;
  /**
   * At most so many an hour; null: as the pacing of the numbers lets it.
   */
  ratePerHour?: number | null;
  /**
   * It pauses by itself after so many failures. It does so too at the first error 463, when more than 30 % of the last messages failed, and when more than 5 % of those who got it opt out.
   */
  stopAfterFailures?: number;
  /**
   * Whether those who are left wait for the next month, or are skipped.
   */
  whenQuotaEnds?: 'wait' | 'end';
  /**
   * For so many days what a recipient writes to the number counts as an answer.
   */
  replyDays?: number;
}
export interface TestCampaignRequest {
  /**
   * A phone number in any usual writing: yours.
   */
  to: string;
  /**
   * Which text: 0 for `message`.
   */
  variant?: number;
}
export interface CreateAssistantRequest {
  /**
   * What you call it. It hears its name, customers do not.
   */
  name: string;
  /**
   * Whether it answers. Left out: it does not yet.
   */
  enabled?: boolean;
  /**
   * The ids of the numbers that it answers at, or "all".
   */
  numberIds?: 'all' | string[];
  /**
   * Where its model is.
   */
  provider: {
    /**
     * `openai_compatible`: any server that speaks that protocol. `workers_ai`: the models of the platform.
     */
    kind: 'openai_compatible' | 'workers_ai';
    /**
     * Of an OpenAI-compatible server, up to `/v1`: https, to a public address. Null of Workers AI, which has none.
     */
    baseUrl?: string | null;
    /**
     * The name of the model, as its server calls it.
     */
    model: string;
    /**
     * Write only. Left out it stays, null takes it away. It goes to the server of `baseUrl` alone.
     */
    apiKey?: string | null;
    /**
     * What tokens cost, so that runs show it; null: they do not.
     */
    prices?: {
      /**
       * A million tokens that the model reads, in your money.
       */
      inputPerMillion: number;
      /**
       * A million tokens that it writes.
       */
      outputPerMillion: number;
    } | null;
    /**
     * Whether the model is shown pictures that customers send (JPEG, PNG, WebP or GIF to 4 MiB, the newest three); else it is told that there is one. Voice notes and videos are never shown.
     */
    seesPictures?: boolean;
    /**
     * A model of the same provider that makes vectors of what it knows, where this gateway has an index of meanings. Null: Workers AI makes them, where the gateway has that; else it is found by words alone.
     */
    embeddingModel?: string | null;
  };
  /**
   * Who it is, what it may do, and when it hands over, in your words: up to 20,000 characters.
   */
  instructions: string;
  /**
   * Said before its first answer in a conversation, such as that it is automatic; null: nothing is.
   */
  introduction?: string | null;
  /**
   * What it can do beside answering and handing over.
   */
  tools?: {
    /**
     * Read what the account knows of the contact of this conversation, and of nobody else.
     */
    lookUpContact?: boolean;
    /**
     * Put these labels on the conversation; an empty list: none.
     *
     * @maxItems 50
     */
    labels?: string[];
    /**
     * Calls to servers of yours.
     *
     * @maxItems 20
     */
    http?: {
      /**
       * What the model calls it: small letters, digits and underscores.
       */
      name: string;
      /**
       * What it is for, as the model reads it.
       */
      description: string;
      /**
       * GET reads. Any other is offered to the model only with `approved`.
       */
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /**
       * https, to a public address. `{name}` in its path or query is filled by the parameter of that name.
       */
      url: string;
      /**
       * What is sent: those that the URL does not name go into the query, or into a JSON body.
       *
       * @maxItems 20
       */
      parameters?: {
        /**
         * Its name.
         */
        name: string;
        /**
         * Its type. Anything else of the model is refused.
         */
        type?: 'string' | 'number' | 'integer' | 'boolean';
        /**
         * What it means, as the model reads it.
         */
        description?: string;
        /**
         * Whether the call makes sense without it.
         */
        required?: boolean;
        /**
         * Who says it. What tells whom the call is about should come from the conversation, which no customer can change.
         */
        from?: 'model' | 'contact_phone_number' | 'contact_id' | 'conversation_id';
      }[];
      /**
       * Headers of the call, such as your key.
       *
       * @maxItems 10
       */
      headers?: {
        /**
         * Its name.
         */
        name: string;
        /**
         * Write only. Left out it stays, as long as the host is the same.
         */
        value?: string;
      }[];
      /**
       * A person has looked at it: it may be called although it changes something.
       */
      approved?: boolean;
    }[];
  };
  /**
   * What happens when a person is to take over.
   */
  handOff?: {
    /**
     * Labels that the conversation gets.
     *
     * @maxItems 20
     */
    labels?: string[];
    /**
     * The team that it goes to.
     */
    teamId?: string | null;
    /**
     * What the customer is told; null: nothing.
     */
    message?: string | null;
  };
  /**
   * When it answers, by the business hours of the number.
   */
  hours?: 'always' | 'outside_hours' | 'inside_hours';
  /**
   * Tokens a day (UTC). Used up, it hands over.
   */
  dailyTokenBudget?: number;
  /**
   * Tokens of one conversation until that is resolved. Used up, it hands over.
   */
  conversationTokenBudget?: number;
  /**
   * It waits so long for more before it answers, so that several messages get one answer.
   */
  debounceSeconds?: number;
}
export interface UpdateAssistantRequest {
  /**
   * What you call it. It hears its name, customers do not.
   */
  name?: string;
  /**
   * Whether it answers.
   */
  enabled?: boolean;
  /**
   * The ids of the numbers that it answers at, or "all".
   */
  numberIds?: 'all' | string[];
  /**
   * Where its model is.
   */
  provider?: {
    /**
     * `openai_compatible`: any server that speaks that protocol. `workers_ai`: the models of the platform.
     */
    kind: 'openai_compatible' | 'workers_ai';
    /**
     * Of an OpenAI-compatible server, up to `/v1`: https, to a public address. Null of Workers AI, which has none.
     */
    baseUrl?: string | null;
    /**
     * The name of the model, as its server calls it.
     */
    model: string;
    /**
     * Write only. Left out it stays, null takes it away. It goes to the server of `baseUrl` alone.
     */
    apiKey?: string | null;
    /**
     * What tokens cost, so that runs show it; null: they do not.
     */
    prices?: {
      /**
       * A million tokens that the model reads, in your money.
       */
      inputPerMillion: number;
      /**
       * A million tokens that it writes.
       */
      outputPerMillion: number;
    } | null;
    /**
     * Whether the model is shown pictures that customers send (JPEG, PNG, WebP or GIF to 4 MiB, the newest three); else it is told that there is one. Voice notes and videos are never shown.
     */
    seesPictures?: boolean;
    /**
     * A model of the same provider that makes vectors of what it knows, where this gateway has an index of meanings. Null: Workers AI makes them, where the gateway has that; else it is found by words alone.
     */
    embeddingModel?: string | null;
  };
  /**
   * Who it is, what it may do, and when it hands over, in your words: up to 20,000 characters.
   */
  instructions?: string;
  /**
   * Said before its first answer in a conversation, such as that it is automatic; null: nothing is.
   */
  introduction?: string | null;
  /**
   * What it can do beside answering and handing over.
   */
  tools?: {
    /**
     * Read what the account knows of the contact of this conversation, and of nobody else.
     */
    lookUpContact?: boolean;
    /**
     * Put these labels on the conversation; an empty list: none.
     *
     * @maxItems 50
     */
    labels?: string[];
    /**
     * Calls to servers of yours.
     *
     * @maxItems 20
     */
    http?: {
      /**
       * What the model calls it: small letters, digits and underscores.
       */
      name: string;
      /**
       * What it is for, as the model reads it.
       */
      description: string;
      /**
       * GET reads. Any other is offered to the model only with `approved`.
       */
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /**
       * https, to a public address. `{name}` in its path or query is filled by the parameter of that name.
       */
      url: string;
      /**
       * What is sent: those that the URL does not name go into the query, or into a JSON body.
       *
       * @maxItems 20
       */
      parameters?: {
        /**
         * Its name.
         */
        name: string;
        /**
         * Its type. Anything else of the model is refused.
         */
        type?: 'string' | 'number' | 'integer' | 'boolean';
        /**
         * What it means, as the model reads it.
         */
        description?: string;
        /**
         * Whether the call makes sense without it.
         */
        required?: boolean;
        /**
         * Who says it. What tells whom the call is about should come from the conversation, which no customer can change.
         */
        from?: 'model' | 'contact_phone_number' | 'contact_id' | 'conversation_id';
      }[];
      /**
       * Headers of the call, such as your key.
       *
       * @maxItems 10
       */
      headers?: {
        /**
         * Its name.
         */
        name: string;
        /**
         * Write only. Left out it stays, as long as the host is the same.
         */
        value?: string;
      }[];
      /**
       * A person has looked at it: it may be called although it changes something.
       */
      approved?: boolean;
    }[];
  };
  /**
   * What happens when a person is to take over.
   */
  handOff?: {
    /**
     * Labels that the conversation gets.
     *
     * @maxItems 20
     */
    labels?: string[];
    /**
     * The team that it goes to.
     */
    teamId?: string | null;
    /**
     * What the customer is told; null: nothing.
     */
    message?: string | null;
  };
  /**
   * When it answers, by the business hours of the number.
   */
  hours?: 'always' | 'outside_hours' | 'inside_hours';
  /**
   * Tokens a day (UTC). Used up, it hands over.
   */
  dailyTokenBudget?: number;
  /**
   * Tokens of one conversation until that is resolved. Used up, it hands over.
   */
  conversationTokenBudget?: number;
  /**
   * It waits so long for more before it answers, so that several messages get one answer.
   */
  debounceSeconds?: number;
}
export interface TryAssistantRequest {
  /**
   * The conversation so far, oldest first.
   *
   * @minItems 1
   * @maxItems 40
   */
  messages: {
    /**
     * Who said it: the `contact`, the `assistant`, or anybody else of the `business`.
     */
    from?: 'contact' | 'assistant' | 'business';
    /**
     * What was said.
     */
    text: string;
  }[];
  /**
   * Instructions that are not saved yet, in place of those that are.
   */
  instructions?: string;
  /**
   * Whom it would talk with.
   */
  contact?: {
    /**
     * Their name.
     */
    name?: string | null;
    /**
     * Their labels.
     *
     * @maxItems 50
     */
    labels?: string[];
  };
}
export interface AddAssistantDocumentRequest {
  /**
   * What you call it. A URL is called by the title of its page, where it is left out.
   */
  name?: string;
  /**
   * The text, up to 1,000,000 characters.
   */
  text?: string;
  /**
   * Whether the text is Markdown, whose headings are then understood.
   */
  format?: 'text' | 'markdown';
  /**
   * https, to a public address.
   */
  url?: string;
  /**
   * The URL is a sitemap: its pages on the same host are read.
   */
  isSitemap?: boolean;
  /**
   * The URL is read again after so many hours; null or left out: never by itself.
   */
  rereadHours?: number | null;
}
export interface OrderConversationAssistantRequest {
  /**
   * What is to happen.
   */
  action: 'pause' | 'resume' | 'hand_off' | 'take_over';
  /**
   * Which assistant; left out: the one that is in the conversation, else the first of its number.
   */
  assistantId?: string;
}
export interface UpdateSettingsRequest {
  /**
   * A recipient hears from the number that it last talked with, when that is so many hours ago at most; 0 turns it off.
   */
  stickyHours?: number;
  /**
   * How long a number may be away, or rest after failures, before the messages that wait for it go to another one, in milliseconds. Those of strictly pinned keys wait for it.
   */
  rerouteAfterMs?: number;
  /**
   * Recipients that one number may look up on the network a day (UTC); beyond it sends pass unchecked.
   */
  networkChecksPerDay?: number;
  /**
   * Whom no number of the account may write to. Groups are not filtered.
   */
  filters?: {
    /**
     * Only recipients whose phone number begins with one of these; empty for all.
     *
     * @maxItems 1000
     */
    allowPrefixes?: string[];
    /**
     * No recipients whose phone number begins with one of these.
     *
     * @maxItems 1000
     */
    blockPrefixes?: string[];
    /**
     * Not these recipients: digits with country code.
     *
     * @maxItems 10000
     */
    blockNumbers?: string[];
    /**
     * Asks the network whether a recipient is there before the first message to it.
     */
    checkOnNetwork?: boolean;
  };
  /**
   * An inbound message that is exactly one of these words counts, in any case, with punctuation around it and with a "please" or "thank you"; others do not. With `confirmation` whoever opts out is answered once with that text. It counts as a message of the month, and no event tells of it.
   */
  optOut?: {
    /**
     * Put their author on the opt-out list.
     *
     * @maxItems 100
     */
    stopWords?: string[];
    /**
     * Take their author off it.
     *
     * @maxItems 100
     */
    startWords?: string[];
    /**
     * A text that whoever opts out gets once, from the number that they wrote to; null for none. No event tells of it.
     */
    confirmation?: string | null;
  };
  /**
   * How long things are kept at hand. Longer from now on: what is archived stays archived.
   */
  retention?: {
    /**
     * Months that messages are kept at hand. Older ones are archived, and can still be read.
     */
    messagesMonths?: number;
    /**
     * Days that events, and the attempts to deliver them, are kept. Then the event stream ends there.
     */
    eventsDays?: number;
  };
  /**
   * How the account's people answer: reports, a survey, and when a conversation is over by itself.
   */
  support?: {
    /**
     * Keeps when conversations were opened, answered and resolved, for the support report. An SLA policy or a survey does so by itself.
     */
    reports?: boolean;
    /**
     * Resolves an open conversation after so many hours in which nobody has written and nobody waits for an answer. Null: never.
     */
    autoResolveHours?: number | null;
    /**
     * Asks a person who was answered once their conversation is resolved, through the chat, for a rating from 1 to 5. Null: nobody is asked.
     */
    survey?: {
      /**
       * What is asked. Say in it that a number from 1 to 5 is the answer.
       */
      question: string;
      /**
       * Nobody is asked again within so many days.
       */
      everyDays: number;
    } | null;
  };
}
export interface AddOptOutRequest {
  /**
   * Their phone number with country code, in any usual writing.
   */
  phoneNumber: string;
}
export interface CreateWebhookRequest {
  /**
   * https, without credentials in it, to a public address: checked now and again at each attempt.
   */
  url: string;
  /**
   * The ids of the numbers whose events go there, or "all".
   */
  numberIds: 'all' | string[];
  /**
   * The names of the events that go there, or "all".
   */
  events: 'all' | EventName[];
  /**
   * Your note, up to 500 characters.
   */
  description?: string | null;
  /**
   * Whether events go there already; true, where it is left out.
   */
  enabled?: boolean;
}
export interface UpdateWebhookRequest {
  /**
   * https, without credentials in it, to a public address: checked now and again at each attempt.
   */
  url?: string;
  /**
   * The ids of the numbers whose events go there, or "all".
   */
  numberIds?: 'all' | string[];
  /**
   * The names of the events that go there, or "all".
   */
  events?: 'all' | EventName[];
  /**
   * Your note, up to 500 characters.
   */
  description?: string | null;
  /**
   * Whether events go there. What is on its way when you disable it waits; what happens while it is disabled does not go there.
   */
  enabled?: boolean;
}
export interface RedeliverSinceRequest {
  /**
   * Only deliveries of this time or later.
   */
  since: string;
  /**
   * Which of them: those that `failed`, or those that were `delivered`.
   */
  status?: 'failed' | 'delivered';
}
export interface ReplayEventsRequest {
  /**
   * A `cursor` of the event stream: begin behind it. Either this or `since`.
   */
  after?: string;
  /**
   * Begin with the first event at or after this time.
   */
  since?: string;
  /**
   * End with the last event at or before this time. Left out: with the newest one there is now.
   */
  until?: string;
}
export interface UpdateAlertChannelRequest {
  /**
   * An e-mail address; the URL of an incoming webhook of Slack (or what takes the same) or Discord; a URL of your own; `{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs obey the same rules as those of webhooks.
   */
  target?:
    | string
    | {
        /**
         * What BotFather gave. It is never shown again; left out in a change, it stays.
         */
        botToken?: string;
        /**
         * The id of the chat or group that the bot is in, or `@channel`.
         */
        chatId: string;
      }
    | {
        /**
         * The number that tells of it, while it can; else another one that is connected does. Null: any. The number that is in trouble never does.
         */
        numberId?: string | null;
        /**
         * Who gets it: a phone number or a group id.
         */
        to: string;
      };
  /**
   * Your name for it, up to 100 characters.
   */
  name?: string | null;
  /**
   * The kinds of alerts that go there, or "all".
   */
  kinds?:
    | 'all'
    | (
        | 'device.disconnected'
        | 'device.recovered'
        | 'device.banned'
        | 'device.logged_out'
        | 'message.failures'
        | 'support.response_late'
        | 'webhook.failing'
        | 'webhook.disabled'
        | 'quota.warning'
        | 'campaign.paused'
        | 'quota.exceeded'
        | 'bridge.lost'
      )[];
  /**
   * The ids of the numbers whose alerts go there, or "all". What concerns no number goes there in any case.
   */
  numberIds?: 'all' | string[];
  /**
   * Once a day, a list of what happened; null for none. A day without alerts has none.
   */
  digest?: {
    /**
     * At which hour, 0 to 23.
     */
    hour: number;
    /**
     * By the clocks of this time zone: `Asia/Jakarta`.
     */
    timeZone: string;
    /**
     * Alerts do not go there one by one as well.
     */
    only?: boolean;
  } | null;
  /**
   * Whether alerts go there.
   */
  enabled?: boolean;
}
export interface ConfirmAlertAddressRequest {
  /**
   * From the link in the e-mail.
   */
  token: string;
}
export interface MuteAlertsRequest {
  /**
   * One kind of alerts; null or left out: all.
   */
  kind?:
    | (
        | 'device.disconnected'
        | 'device.recovered'
        | 'device.banned'
        | 'device.logged_out'
        | 'message.failures'
        | 'support.response_late'
        | 'webhook.failing'
        | 'webhook.disabled'
        | 'quota.warning'
        | 'campaign.paused'
        | 'quota.exceeded'
        | 'bridge.lost'
      )
    | null;
  /**
   * What concerns one number; null or left out: everything.
   */
  numberId?: string | null;
  /**
   * For so long: 30 days (43200) at most.
   */
  minutes: number;
}
export interface CreateAutomationRequest {
  /**
   * For you to know it by.
   */
  name: string;
  /**
   * Whether it is on.
   */
  enabled?: boolean;
  /**
   * `outside_hours` is a message that comes while you are closed; `conversation.waiting` comes with time.
   */
  on:
    | 'message.received'
    | 'conversation.created'
    | 'conversation.updated'
    | 'conversation.waiting'
    | 'outside_hours';
  /**
   * With `conversation.waiting` alone: how long somebody has to have waited.
   */
  waitingMinutes?: number | null;
  /**
   * Whether it answers in groups too; false, where it is left out.
   */
  inGroups?: boolean;
  /**
   * All of them must hold; none: always.
   *
   * @maxItems 20
   */
  conditions?: {
    /**
     * `text`, `from`, `country`, `messageType`, `numberId`, `label`, `status`, `priority`, `assigneeId`, `isFirstMessage`, `hours` (`inside` or `outside`), or `contact.<attribute>`.
     */
    field: string;
    /**
     * `matches` takes a pattern in RE2 syntax. Texts are compared without case.
     */
    operator: 'equals' | 'not_equals' | 'contains' | 'starts_with' | 'matches' | 'in' | 'exists';
    /**
     * With `in`, `contains` and `starts_with` also a list: any of them. With `exists` true, false or nothing.
     */
    value?: string | number | boolean | string[];
  }[];
  /**
   * Carried out in this order.
   *
   * @minItems 1
   * @maxItems 10
   */
  actions: (
    | {
        /**
         * What to do.
         */
        type: 'reply';
        /**
         * Of a reply or a note. It may hold `{{name}}`, `{{phone}}`, `{{attributes.x}}`, and `{{name|there}}`.
         */
        text?: string;
        /**
         * A file instead of a text.
         */
        media?: {
          /**
           * What it is sent as.
           */
          type: 'image' | 'video' | 'audio' | 'document';
          /**
           * Where it is fetched from, each time.
           */
          url?: string;
          /**
           * A file that is stored here.
           */
          mediaId?: string;
          /**
           * Words under it, with the same variables.
           */
          caption?: string;
          /**
           * Of a document.
           */
          fileName?: string;
        };
        /**
         * So long after the event; dropped where a person answers before.
         */
        delaySeconds?: number;
      }
    | {
        /**
         * What to do.
         */
        type: 'assign';
        /**
         * A member of the account; null for nobody.
         */
        assigneeId?: string | null;
        /**
         * A team; null for none.
         */
        teamId?: string | null;
      }
    | {
        /**
         * What to do.
         */
        type: 'label';
        /**
         * Labels to put on.
         *
         * @minItems 1
         * @maxItems 20
         */
        add?: string[];
        /**
         * Labels to take off.
         *
         * @minItems 1
         * @maxItems 20
         */
        remove?: string[];
      }
    | {
        /**
         * What to do.
         */
        type: 'set_status';
        /**
         * Of the conversation.
         */
        status: 'open' | 'pending' | 'resolved';
      }
    | {
        /**
         * What to do.
         */
        type: 'set_priority';
        /**
         * Of the conversation.
         */
        priority: 'low' | 'normal' | 'high' | 'urgent';
      }
    | {
        /**
         * What to do.
         */
        type: 'note';
        /**
         * Of a reply or a note. It may hold `{{name}}`, `{{phone}}`, `{{attributes.x}}`, and `{{name|there}}`.
         */
        text: string;
      }
    | {
        /**
         * What to do.
         */
        type: 'call_webhook';
        /**
         * https. It gets a POST, signed as webhooks are, with the event `automation.run`.
         */
        url: string;
      }
    | {
        /**
         * What to do.
         */
        type: 'start_assistant';
        /**
         * Which assistant; left out, the one of the number.
         */
        assistantId?: string;
      }
    | {
        /**
         * What to do.
         */
        type: 'stop';
      }
  )[];
  /**
   * So long it rests for a person that it has run for; 0: it does not rest.
   */
  cooldownSeconds?: number;
}
export interface UpdateAutomationRequest {
  /**
   * For you to know it by.
   */
  name?: string;
  /**
   * Whether it is on.
   */
  enabled?: boolean;
  /**
   * `outside_hours` is a message that comes while you are closed; `conversation.waiting` comes with time.
   */
  on?:
    | 'message.received'
    | 'conversation.created'
    | 'conversation.updated'
    | 'conversation.waiting'
    | 'outside_hours';
  /**
   * With `conversation.waiting` alone: how long somebody has to have waited.
   */
  waitingMinutes?: number | null;
  /**
   * Whether it answers in groups too; false, where it is left out.
   */
  inGroups?: boolean;
  /**
   * All of them must hold; none: always.
   *
   * @maxItems 20
   */
  conditions?: {
    /**
     * `text`, `from`, `country`, `messageType`, `numberId`, `label`, `status`, `priority`, `assigneeId`, `isFirstMessage`, `hours` (`inside` or `outside`), or `contact.<attribute>`.
     */
    field: string;
    /**
     * `matches` takes a pattern in RE2 syntax. Texts are compared without case.
     */
    operator: 'equals' | 'not_equals' | 'contains' | 'starts_with' | 'matches' | 'in' | 'exists';
    /**
     * With `in`, `contains` and `starts_with` also a list: any of them. With `exists` true, false or nothing.
     */
    value?: string | number | boolean | string[];
  }[];
  /**
   * Carried out in this order.
   *
   * @minItems 1
   * @maxItems 10
   */
  actions?: (
    | {
        /**
         * What to do.
         */
        type: 'reply';
        /**
         * Of a reply or a note. It may hold `{{name}}`, `{{phone}}`, `{{attributes.x}}`, and `{{name|there}}`.
         */
        text?: string;
        /**
         * A file instead of a text.
         */
        media?: {
          /**
           * What it is sent as.
           */
          type: 'image' | 'video' | 'audio' | 'document';
          /**
           * Where it is fetched from, each time.
           */
          url?: string;
          /**
           * A file that is stored here.
           */
          mediaId?: string;
          /**
           * Words under it, with the same variables.
           */
          caption?: string;
          /**
           * Of a document.
           */
          fileName?: string;
        };
        /**
         * So long after the event; dropped where a person answers before.
         */
        delaySeconds?: number;
      }
    | {
        /**
         * What to do.
         */
        type: 'assign';
        /**
         * A member of the account; null for nobody.
         */
        assigneeId?: string | null;
        /**
         * A team; null for none.
         */
        teamId?: string | null;
      }
    | {
        /**
         * What to do.
         */
        type: 'label';
        /**
         * Labels to put on.
         *
         * @minItems 1
         * @maxItems 20
         */
        add?: string[];
        /**
         * Labels to take off.
         *
         * @minItems 1
         * @maxItems 20
         */
        remove?: string[];
      }
    | {
        /**
         * What to do.
         */
        type: 'set_status';
        /**
         * Of the conversation.
         */
        status: 'open' | 'pending' | 'resolved';
      }
    | {
        /**
         * What to do.
         */
        type: 'set_priority';
        /**
         * Of the conversation.
         */
        priority: 'low' | 'normal' | 'high' | 'urgent';
      }
    | {
        /**
         * What to do.
         */
        type: 'note';
        /**
         * Of a reply or a note. It may hold `{{name}}`, `{{phone}}`, `{{attributes.x}}`, and `{{name|there}}`.
         */
        text: string;
      }
    | {
        /**
         * What to do.
         */
        type: 'call_webhook';
        /**
         * https. It gets a POST, signed as webhooks are, with the event `automation.run`.
         */
        url: string;
      }
    | {
        /**
         * What to do.
         */
        type: 'start_assistant';
        /**
         * Which assistant; left out, the one of the number.
         */
        assistantId?: string;
      }
    | {
        /**
         * What to do.
         */
        type: 'stop';
      }
  )[];
  /**
   * So long it rests for a person that it has run for; 0: it does not rest.
   */
  cooldownSeconds?: number;
  /**
   * Its new place, from 0: those behind it move on by one.
   */
  position?: number;
}
export interface DryRunAutomationRequest {
  /**
   * Where to begin; what is older than 30 days is not looked at.
   */
  since: string;
}
export interface DryRunDraftRequest {
  /**
   * Where to begin; what is older than 30 days is not looked at.
   */
  since: string;
  /**
   * As it would be saved.
   */
  automation: {
    /**
     * In whose place.
     */
    automationId?: string;
    /**
     * For you to know it by.
     */
    name?: string;
    /**
     * Whether it is on.
     */
    enabled?: boolean;
    /**
     * `outside_hours` is a message that comes while you are closed; `conversation.waiting` comes with time.
     */
    on:
      | 'message.received'
      | 'conversation.created'
      | 'conversation.updated'
      | 'conversation.waiting'
      | 'outside_hours';
    /**
     * With `conversation.waiting` alone: how long somebody has to have waited.
     */
    waitingMinutes?: number | null;
    /**
     * Whether it answers in groups too; false, where it is left out.
     */
    inGroups?: boolean;
    /**
     * All of them must hold; none: always.
     *
     * @maxItems 20
     */
    conditions?: {
      /**
       * `text`, `from`, `country`, `messageType`, `numberId`, `label`, `status`, `priority`, `assigneeId`, `isFirstMessage`, `hours` (`inside` or `outside`), or `contact.<attribute>`.
       */
      field: string;
      /**
       * `matches` takes a pattern in RE2 syntax. Texts are compared without case.
       */
      operator: 'equals' | 'not_equals' | 'contains' | 'starts_with' | 'matches' | 'in' | 'exists';
      /**
       * With `in`, `contains` and `starts_with` also a list: any of them. With `exists` true, false or nothing.
       */
      value?: string | number | boolean | string[];
    }[];
    /**
     * Carried out in this order.
     *
     * @minItems 1
     * @maxItems 10
     */
    actions: (
      | {
          /**
           * What to do.
           */
          type: 'reply';
          /**
           * Of a reply or a note. It may hold `{{name}}`, `{{phone}}`, `{{attributes.x}}`, and `{{name|there}}`.
           */
          text?: string;
          /**
           * A file instead of a text.
           */
          media?: {
            /**
             * What it is sent as.
             */
            type: 'image' | 'video' | 'audio' | 'document';
            /**
             * Where it is fetched from, each time.
             */
            url?: string;
            /**
             * A file that is stored here.
             */
            mediaId?: string;
            /**
             * Words under it, with the same variables.
             */
            caption?: string;
            /**
             * Of a document.
             */
            fileName?: string;
          };
          /**
           * So long after the event; dropped where a person answers before.
           */
          delaySeconds?: number;
        }
      | {
          /**
           * What to do.
           */
          type: 'assign';
          /**
           * A member of the account; null for nobody.
           */
          assigneeId?: string | null;
          /**
           * A team; null for none.
           */
          teamId?: string | null;
        }
      | {
          /**
           * What to do.
           */
          type: 'label';
          /**
           * Labels to put on.
           *
           * @minItems 1
           * @maxItems 20
           */
          add?: string[];
          /**
           * Labels to take off.
           *
           * @minItems 1
           * @maxItems 20
           */
          remove?: string[];
        }
      | {
          /**
           * What to do.
           */
          type: 'set_status';
          /**
           * Of the conversation.
           */
          status: 'open' | 'pending' | 'resolved';
        }
      | {
          /**
           * What to do.
           */
          type: 'set_priority';
          /**
           * Of the conversation.
           */
          priority: 'low' | 'normal' | 'high' | 'urgent';
        }
      | {
          /**
           * What to do.
           */
          type: 'note';
          /**
           * Of a reply or a note. It may hold `{{name}}`, `{{phone}}`, `{{attributes.x}}`, and `{{name|there}}`.
           */
          text: string;
        }
      | {
          /**
           * What to do.
           */
          type: 'call_webhook';
          /**
           * https. It gets a POST, signed as webhooks are, with the event `automation.run`.
           */
          url: string;
        }
      | {
          /**
           * What to do.
           */
          type: 'start_assistant';
          /**
           * Which assistant; left out, the one of the number.
           */
          assistantId?: string;
        }
      | {
          /**
           * What to do.
           */
          type: 'stop';
        }
    )[];
    /**
     * So long it rests for a person that it has run for; 0: it does not rest.
     */
    cooldownSeconds?: number;
  };
}
export interface SignUpRequest {
  /**
   * The address the owner signs in with.
   */
  email: string;
  /**
   * Of the owner. Only from the operator: everybody else chooses it with the link.
   */
  password?: string;
  /**
   * The owner's name.
   */
  name: string;
  /**
   * The account's name.
   */
  accountName: string;
}
export interface VerifySignUpRequest {
  /**
   * From the link in the e-mail.
   */
  token: string;
  /**
   * Of the owner: none that everybody tries first.
   */
  password: string;
}
export interface LoginRequest {
  /**
   * The address.
   */
  email: string;
  /**
   * The password.
   */
  password: string;
  /**
   * Six digits of the authenticator, or a recovery code; only with two-factor on.
   */
  code?: string;
}
export interface ForgotPasswordRequest {
  /**
   * The address.
   */
  email: string;
}
export interface ResetPasswordRequest {
  /**
   * From the link in the e-mail.
   */
  token: string;
  /**
   * The new password.
   */
  newPassword: string;
}
export interface UpdateMeRequest {
  /**
   * Your name. It must not look like a web address or a phone number.
   */
  name: string;
}
export interface StepUpRequest {
  /**
   * Your password, once more. Either this or `code`.
   */
  password?: string;
  /**
   * Of your authenticator, or a recovery code.
   */
  code?: string;
}
export interface SwitchAccountRequest {
  /**
   * The account.
   */
  accountId: string;
}
export interface ChangePasswordRequest {
  /**
   * The password until now.
   */
  currentPassword: string;
  /**
   * The password from now on.
   */
  newPassword: string;
}
export interface EnableTwoFactorRequest {
  /**
   * Your password, once more.
   */
  password: string;
}
export interface VerifyTwoFactorRequest {
  /**
   * Six digits of the authenticator.
   */
  code: string;
}
export interface RenewRecoveryCodesRequest {
  /**
   * Your password, once more.
   */
  password: string;
}
export interface DisableTwoFactorRequest {
  /**
   * Your password, once more.
   */
  password: string;
  /**
   * Of the authenticator, or a recovery code.
   */
  code: string;
}
export interface UpdateMemberRequest {
  /**
   * The role from now on.
   */
  role: 'owner' | 'admin' | 'agent';
}
export interface InviteRequest {
  /**
   * Whom to invite.
   */
  email: string;
  /**
   * The role they will have.
   */
  role: 'owner' | 'admin' | 'agent';
}
export interface AcceptInvitationRequest {
  /**
   * From the link in the e-mail.
   */
  token: string;
  /**
   * Only for who is new: your name.
   */
  name?: string;
  /**
   * Only for who is new: your password.
   */
  password?: string;
}
export interface AddBridgeRequest {
  /**
   * What the list of bridges is to call it.
   */
  name?: string;
  /**
   * Whose numbers it is to drive: one of `FLEET_REGIONS`. Left out: those that have no region.
   */
  region?: 'wnam' | 'enam' | 'sam' | 'weur' | 'eeur' | 'apac' | 'oc' | 'afr' | 'me';
  /**
   * How long the token lets it in: 60 to 2592000 (30 days).
   */
  expiresInSeconds?: number;
}
/**
 * Every error has this shape.
 */
export interface ErrorAnswer {
  error: {
    code: ErrorCode;
    /**
     * For a person. It may change: do not compare it.
     */
    message: string;
    /**
     * The same as `X-Request-Id`.
     */
    requestId: string;
    /**
     * The fields at fault, or the figures behind the refusal; only where there are any.
     */
    details?: (
      | {
          /**
           * The field, as a dotted path: `numberIds.0`.
           */
          path: string;
          /**
           * What is wrong with it, for a person.
           */
          message: string;
        }
      | {
          [k: string]: string | number;
        }
    )[];
  };
}
/**
 * A message that was accepted: from here on it is ours to deliver, or to say why not.
 */
export interface AcceptedMessage {
  messageId: string;
  status: 'queued';
  /**
   * The number that sends it.
   */
  numberId: string;
  /**
   * Digits of the phone number, or the group id.
   */
  to: string;
  chatType: 'personal' | 'group';
  messageType:
    | 'text'
    | 'image'
    | 'video'
    | 'audio'
    | 'document'
    | 'sticker'
    | 'location'
    | 'contacts'
    | 'poll'
    | 'unsupported';
  queuedAt: string;
}
/**
 * What became of the messages of a batch.
 */
export interface AcceptedBatch {
  /**
   * Messages that were accepted.
   */
  accepted: number;
  /**
   * Messages that were refused, each for its own reason.
   */
  refused: number;
  /**
   * One entry a message, in the order of the request.
   */
  data: (
    | {
        messageId: string;
        status: 'queued';
        /**
         * The number that sends it.
         */
        numberId: string;
        /**
         * Digits of the phone number, or the group id.
         */
        to: string;
        chatType: 'personal' | 'group';
        messageType:
          | 'text'
          | 'image'
          | 'video'
          | 'audio'
          | 'document'
          | 'sticker'
          | 'location'
          | 'contacts'
          | 'poll'
          | 'unsupported';
        queuedAt: string;
        /**
         * Its place in the request, from 0.
         */
        index: number;
      }
    | {
        /**
         * Its place in the request, from 0.
         */
        index: number;
        /**
         * The error that it would be refused with alone.
         */
        error: {
          code: ErrorCode;
          /**
           * For a person. It may change: do not compare it.
           */
          message: string;
          /**
           * The fields at fault, or the figures behind the refusal; only where there are any.
           */
          details?: (
            | {
                /**
                 * The field, as a dotted path: `numberIds.0`.
                 */
                path: string;
                /**
                 * What is wrong with it, for a person.
                 */
                message: string;
              }
            | {
                [k: string]: string | number;
              }
          )[];
        };
      }
  )[];
}
/**
 * Something to be done to a message, accepted.
 */
export interface AcceptedAction {
  /**
   * The message that it is done to.
   */
  messageId: string;
  /**
   * The number that does it.
   */
  numberId: string;
  action: 'edit' | 'delete' | 'reaction' | 'read';
  acceptedAt: string;
}
/**
 * What a send would come to. Nothing was sent, and nothing was counted.
 */
export interface DryRun {
  dryRun: true;
  /**
   * Whether the send would be accepted now.
   */
  accepted: boolean;
  /**
   * Digits of the phone number, or the group id; what was sent, where it is neither.
   */
  to: string;
  chatType: 'personal' | 'group';
  messageType:
    | 'text'
    | 'image'
    | 'video'
    | 'audio'
    | 'document'
    | 'sticker'
    | 'location'
    | 'contacts'
    | 'poll'
    | 'unsupported';
  /**
   * The number that would send it; null when none would.
   */
  sender: {
    numberId: string;
    phoneNumber: string | null;
    /**
     * How the number was chosen: by the pin, from the pool, by the hint, or as a fallback.
     */
    source: ('pinned' | 'pinned_fallback' | 'pool' | 'hint' | 'hint_fallback') | null;
  } | null;
  /**
   * When it would leave; null when nobody knows.
   */
  expectedAt: string | null;
  /**
   * What it waits for. `scheduled`: Its `sendAt` has not come yet. `not_connected`: The number is not connected. `resting`: The number rests after failures. `restricted`: The network restricts new chats for this number. `quiet_hours`: It is quiet hours for this number. `daily_limit`: The number has reached its limit for today. `warm_up`: The number is new and has reached its limit for today. `recipient_interval`: The recipient was written to a moment ago. `pacing`: The number pauses between messages. `in_flight`: Messages before it are under way.
   */
  heldReason:
    | (
        | 'scheduled'
        | 'not_connected'
        | 'resting'
        | 'restricted'
        | 'quiet_hours'
        | 'daily_limit'
        | 'warm_up'
        | 'recipient_interval'
        | 'pacing'
        | 'in_flight'
      )
    | null;
  /**
   * Whether the recipient is on the network; null when that was not asked.
   */
  onNetwork: boolean | null;
  /**
   * Everything that would refuse it, as the errors that it would be refused with.
   */
  reasons: {
    code: ErrorCode;
    message: string;
    /**
     * The fields at fault, or the figures behind the refusal; only where there are any.
     */
    details?: (
      | {
          /**
           * The field, as a dotted path: `numberIds.0`.
           */
          path: string;
          /**
           * What is wrong with it, for a person.
           */
          message: string;
        }
      | {
          [k: string]: string | number;
        }
    )[];
  }[];
  /**
   * Every number of the account, judged for this recipient.
   */
  senders: {
    numberId: string;
    inPool: boolean;
    /**
     * `ready` can send it now, `waiting` later, `unfit` not at all.
     */
    fitness: 'ready' | 'waiting' | 'unfit';
    /**
     * What speaks against it, for a person.
     */
    reason: string | null;
  }[];
}
/**
 * A message and how far it has come. What does not apply, or is not known yet, is null.
 */
export interface Message {
  messageId: string;
  direction: 'outbound' | 'inbound';
  /**
   * It only moves forward: queued, sent, delivered, read; `failed` is final.
   */
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
  numberId: string;
  /**
   * Outbound: the recipient. Inbound: your number.
   */
  to: string;
  /**
   * Inbound only: who wrote it.
   */
  from?: string;
  /**
   * Inbound only: the group it was written to.
   */
  groupId?: string | null;
  chatType: 'personal' | 'group';
  messageType:
    | 'text'
    | 'image'
    | 'video'
    | 'audio'
    | 'document'
    | 'sticker'
    | 'location'
    | 'contacts'
    | 'poll'
    | 'unsupported';
  text: string;
  media?: {
    mediaId: string;
    mimetype?: string;
    bytes?: number;
    sha256?: string;
    fileName?: string;
    caption?: string;
    durationSeconds?: number;
    width?: number;
    height?: number;
    voice?: true;
    status: 'ready' | 'pending' | 'unavailable';
    url?: string;
  };
  location?: {
    latitude: number;
    longitude: number;
    name?: string;
    address?: string;
    isLive?: true;
  };
  contacts?: {
    name: string;
    phoneNumber?: string;
    organisation?: string;
  }[];
  poll?: {
    name: string;
    /**
     * @minItems 1
     * @maxItems 100
     */
    options: string[];
    selectableCount: number;
    /**
     * How many have chosen each option, as far as the number knows.
     */
    votes: {
      option: string;
      count: number;
    }[];
  };
  quotedMessageId?: string;
  mentions?: string[];
  isForwarded?: boolean;
  isEphemeral?: boolean;
  referral?: {
    sourceType?: string;
    sourceId?: string;
    sourceUrl?: string;
    headline?: string;
    body?: string;
    clickId?: string;
  };
  unsupportedType?: string;
  /**
   * Those that stand now.
   */
  reactions?: {
    /**
     * Who has reacted: digits of the phone number, or of the alias.
     */
    from: string;
    emoji: string;
    reactedAt: string;
  }[];
  /**
   * When `text` was last changed.
   */
  editedAt?: string;
  /**
   * When it was taken back for everyone.
   */
  deletedAt?: string;
  /**
   * What you wanted done to it and what came to nothing after its 202, the last ten, oldest first. No event tells of these.
   *
   * Items: Something to be done to a message that came to nothing.
   */
  failedActions?: {
    action: 'edit' | 'delete' | 'reaction' | 'read';
    acceptedAt: string;
    failedAt: string;
    /**
     * Why, for a person.
     */
    errorMessage: string;
    /**
     * Why, for a program: as of messages that failed.
     */
    errorCode: string | null;
  }[];
  /**
   * The network's own id, fixed before it leaves.
   */
  providerMessageId: string | null;
  /**
   * Outbound only.
   */
  sender: {
    numberId: string;
    phoneNumber: string | null;
    /**
     * How the number was chosen: by the pin, from the pool, by the hint, or as a fallback.
     */
    source: ('pinned' | 'pinned_fallback' | 'pool' | 'hint' | 'hint_fallback') | null;
  } | null;
  /**
   * Why it failed, for a person.
   */
  errorMessage: string | null;
  /**
   * Why it failed, for a program: `expired`: It could not be sent in time. `recipient_opted_out`: The recipient opted out after the message was accepted. `number_deleted`: Its number was deleted, and no other may send it. `cancelled`: It was cancelled before it left. `file_not_fetched`: Its file could not be fetched from its URL. `not_sendable`: It cannot be sent as it is, and never left. `unknown_outcome`: It was handed to the network and never acknowledged: it may have arrived. `network_<code>`: the network refused it, with its own code.
   */
  errorCode: string | null;
  /**
   * What you called it when you sent it. Outbound only.
   */
  clientReference: string | null;
  /**
   * Not before that time was it to leave. Outbound only.
   */
  sendAt: string | null;
  /**
   * Who made it, when it was neither an API key nor the owner on the phone. Only people who are signed in are told.
   */
  origin?:
    | (
        | {
            kind: 'person';
            userId: string;
          }
        | {
            kind: 'automation';
            automationId: string;
            eventId: string;
            depth: number;
          }
        | {
            kind: 'assistant';
            assistantId: string;
            turnId: string;
          }
        | {
            kind: 'campaign';
            campaignId: string;
          }
        | {
            kind: 'survey';
          }
        | {
            kind: 'alert';
            alertId: string;
          }
      )
    | null;
  queuedAt: string | null;
  /**
   * The network took it.
   */
  sentAt: string | null;
  /**
   * It reached the recipient's phone.
   */
  deliveredAt: string | null;
  readAt: string | null;
  failedAt: string | null;
  /**
   * Of a message to a group, and not in the list: who has it, and who has read it. `status` and the times of the message are those of the member who was first.
   */
  receipts?: {
    phoneNumber?: string;
    lid?: string;
    deliveredAt: string | null;
    readAt: string | null;
  }[];
  /**
   * What it waits for. `scheduled`: Its `sendAt` has not come yet. `not_connected`: The number is not connected. `resting`: The number rests after failures. `restricted`: The network restricts new chats for this number. `quiet_hours`: It is quiet hours for this number. `daily_limit`: The number has reached its limit for today. `warm_up`: The number is new and has reached its limit for today. `recipient_interval`: The recipient was written to a moment ago. `pacing`: The number pauses between messages. `in_flight`: Messages before it are under way.
   */
  heldReason?:
    | (
        | 'scheduled'
        | 'not_connected'
        | 'resting'
        | 'restricted'
        | 'quiet_hours'
        | 'daily_limit'
        | 'warm_up'
        | 'recipient_interval'
        | 'pacing'
        | 'in_flight'
      )
    | null;
  /**
   * When it is expected to leave. Outbound only, and not in the list.
   */
  expectedAt?: string | null;
  /**
   * Inbound only.
   */
  receivedAt?: string | null;
}
export interface MessageList {
  /**
   * Newest first.
   */
  data: Message[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * How a message fared, step by step, down to each attempt to tell a webhook of it.
 */
export interface MessageTimeline {
  messageId: string;
  direction: 'outbound' | 'inbound';
  /**
   * It only moves forward: queued, sent, delivered, read; `failed` is final.
   */
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
  /**
   * Outbound only.
   */
  sender: {
    numberId: string;
    phoneNumber: string | null;
    /**
     * How the number was chosen: by the pin, from the pool, by the hint, or as a fallback.
     */
    source: ('pinned' | 'pinned_fallback' | 'pool' | 'hint' | 'hint_fallback') | null;
  } | null;
  /**
   * What it has gone through, oldest first.
   */
  steps: {
    /**
     * It only moves forward: queued, sent, delivered, read; `failed` is final.
     */
    step: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
    at: string;
    /**
     * Milliseconds since the step before; 0 for the first one.
     */
    afterMs: number;
  }[];
  /**
   * Of a message that waits, what for and until when; null of every other.
   */
  waiting: {
    /**
     * What it waits for. `scheduled`: Its `sendAt` has not come yet. `not_connected`: The number is not connected. `resting`: The number rests after failures. `restricted`: The network restricts new chats for this number. `quiet_hours`: It is quiet hours for this number. `daily_limit`: The number has reached its limit for today. `warm_up`: The number is new and has reached its limit for today. `recipient_interval`: The recipient was written to a moment ago. `pacing`: The number pauses between messages. `in_flight`: Messages before it are under way.
     */
    heldReason:
      | (
          | 'scheduled'
          | 'not_connected'
          | 'resting'
          | 'restricted'
          | 'quiet_hours'
          | 'daily_limit'
          | 'warm_up'
          | 'recipient_interval'
          | 'pacing'
          | 'in_flight'
        )
      | null;
    /**
     * When it is expected to leave, where that is known.
     */
    expectedAt: string | null;
  } | null;
  /**
   * The events of the message, oldest first. Those that are archived, or were told long after their step, are left out.
   */
  events: StreamEvent[];
  /**
   * What became of these events at each webhook that wants them, event by event.
   */
  deliveries: {
    webhookId: string;
    /**
     * `X-Service-Delivery-Id`: the same for every attempt.
     */
    deliveryId: string;
    /**
     * The `id` of the event: deduplicate by it.
     */
    eventId: string;
    event: EventName;
    /**
     * `held`: it waits until the webhook is enabled again.
     */
    status: 'pending' | 'held' | 'delivered' | 'failed';
    /**
     * Oldest first.
     */
    attempts: {
      at: string;
      /**
       * Null when there was no answer.
       */
      statusCode: number | null;
      durationMs: number;
      /**
       * What went wrong, in words.
       */
      error: string | null;
      /**
       * The beginning of the answer.
       */
      responseSnippet: string | null;
    }[];
    nextAttemptAt: string | null;
  }[];
}
/**
 * A file, ready to be sent.
 */
export interface StoredMedia {
  mediaId: string;
  /**
   * As its bytes show it.
   */
  mimetype: string;
  /**
   * Its size.
   */
  bytes: number;
  /**
   * Of its bytes, in lower-case hex.
   */
  sha256: string;
  /**
   * Where it came with one.
   */
  fileName?: string;
  /**
   * Of a voice note.
   */
  durationSeconds?: number;
  /**
   * Of a picture, in pixels.
   */
  width?: number;
  /**
   * Of a picture, in pixels.
   */
  height?: number;
  createdAt: string;
  /**
   * Then it is deleted: 30 days after it came.
   */
  expiresAt: string;
}
/**
 * The quota of the month. A message that fails before it leaves is given back.
 */
export interface Usage {
  /**
   * The calendar month (UTC): `2026-01`.
   */
  period: string;
  /**
   * Messages accepted and not given back.
   */
  used: number;
  /**
   * Null: as many as you like.
   */
  limit: number | null;
  /**
   * When the count begins anew.
   */
  resetAt: string;
  /**
   * What each number has of it; numbers that sent nothing are left out.
   */
  byNumber: {
    numberId: string;
    used: number;
  }[];
  /**
   * What each day has of it; days on which nothing was accepted are left out.
   */
  byDay: {
    /**
     * A day (UTC): `2026-01-31`.
     */
    day: string;
    used: number;
  }[];
}
/**
 * How many messages took which step in each interval: one that is accepted in one hour and read in the next counts in both.
 */
export interface Traffic {
  interval: 'hour' | 'day';
  /**
   * When the first interval begins.
   */
  since: string;
  /**
   * When the last one ends.
   */
  until: string;
  /**
   * Oldest first, without gaps: where nothing happened all figures are 0.
   */
  data: {
    /**
     * When the interval begins.
     */
    at: string;
    /**
     * Messages that were accepted.
     */
    queued: number;
    /**
     * Messages that the network took.
     */
    sent: number;
    /**
     * Messages that reached the recipient's phone.
     */
    delivered: number;
    read: number;
    failed: number;
    /**
     * Messages that came in.
     */
    received: number;
  }[];
  /**
   * Only with `groupBy=number`: the busiest first, 200 at most; numbers without any are left out.
   */
  byNumber?: {
    numberId: string;
    total: {
      /**
       * Messages that were accepted.
       */
      queued: number;
      /**
       * Messages that the network took.
       */
      sent: number;
      /**
       * Messages that reached the recipient's phone.
       */
      delivered: number;
      read: number;
      failed: number;
      /**
       * Messages that came in.
       */
      received: number;
    };
    /**
     * Oldest first, without gaps: where nothing happened all figures are 0.
     */
    data: {
      /**
       * When the interval begins.
       */
      at: string;
      /**
       * Messages that were accepted.
       */
      queued: number;
      /**
       * Messages that the network took.
       */
      sent: number;
      /**
       * Messages that reached the recipient's phone.
       */
      delivered: number;
      read: number;
      failed: number;
      /**
       * Messages that came in.
       */
      received: number;
    }[];
  }[];
}
/**
 * The plan of an account.
 */
export interface AccountPlan {
  accountId: string;
  name: string;
  /**
   * `free`, or a name of the variable `PLANS`.
   */
  plan: string;
  /**
   * The quota of a calendar month (UTC) on this plan.
   */
  messagesAMonth: number | null;
  /**
   * What an account on this plan may have; one more answers `409`.
   */
  caps: {
    numbers: number | null;
    webhooks: number | null;
    /**
     * API keys that are neither revoked nor over.
     */
    keys: number | null;
    /**
     * Members and open invitations together.
     */
    members: number | null;
    /**
     * Pairings under way at once.
     */
    pairings: number | null;
  };
}
/**
 * The account that the token is for.
 */
export interface Account {
  accountId: string;
  name: string;
  /**
   * `free`, or a name of the variable `PLANS`.
   */
  plan: string;
  /**
   * The quota of a calendar month (UTC) on this plan.
   */
  messagesAMonth: number | null;
  /**
   * What an account on this plan may have; one more answers `409`.
   */
  caps: {
    numbers: number | null;
    webhooks: number | null;
    /**
     * API keys that are neither revoked nor over.
     */
    keys: number | null;
    /**
     * Members and open invitations together.
     */
    members: number | null;
    /**
     * Pairings under way at once.
     */
    pairings: number | null;
  };
  /**
   * What it has of what is capped.
   */
  used: {
    numbers: number;
    webhooks: number;
    keys: number;
    /**
     * Members and open invitations together.
     */
    members: number;
  };
  createdAt: string;
}
/**
 * A phone number of the account.
 */
export interface PhoneNumber {
  numberId: string;
  label: string;
  /**
   * Digits with country code; null before it was paired.
   */
  phoneNumber: string | null;
  state: 'unpaired' | 'pairing' | 'connected' | 'disconnected' | 'logged_out' | 'banned';
  /**
   * Whether it can send: `resting` pauses after failures, `restricted` may only answer open chats, `unavailable` is not connected.
   */
  health: 'healthy' | 'resting' | 'restricted' | 'unavailable';
  /**
   * Until when its health keeps it from sending, where that is known.
   */
  healthUntil: string | null;
  /**
   * How fast it speaks.
   */
  pacing: {
    /**
     * Shortest wait between two messages, in milliseconds; each wait is drawn at random. 0 and 0 turn it off.
     */
    minDelayMs: number;
    /**
     * Longest wait between two messages, in milliseconds.
     */
    maxDelayMs: number;
    /**
     * Messages a calendar day in `timeZone`; null for no limit.
     */
    dailyLimit: number | null;
    /**
     * Day limits of a new number: the first holds on the day of the pairing, the last one ends the ramp. Null for none.
     */
    warmUp: number[] | null;
    /**
     * Shortest wait between two messages to the same recipient, in milliseconds.
     */
    recipientIntervalMs: number;
    /**
     * Shows "typing" before a text, in proportion to its length.
     */
    typing: boolean;
    /**
     * From `start` to `end` nothing leaves; over midnight when `end` comes first. Null for none.
     */
    quietHours: {
      /**
       * When they begin, as `HH:MM` in `timeZone`.
       */
      start: string;
      /**
       * When they end, as `HH:MM` in `timeZone`.
       */
      end: string;
    } | null;
    /**
     * The IANA time zone of the days and hours: `Asia/Jakarta`.
     */
    timeZone: string;
  };
  /**
   * Whom it may not write to, beside the account's own filters.
   */
  filters: {
    /**
     * Only recipients whose phone number begins with one of these; empty for all.
     *
     * @maxItems 1000
     */
    allowPrefixes: string[];
    /**
     * No recipients whose phone number begins with one of these.
     *
     * @maxItems 1000
     */
    blockPrefixes: string[];
    /**
     * Not these recipients: digits with country code.
     *
     * @maxItems 10000
     */
    blockNumbers: string[];
    /**
     * Asks the network whether a recipient is there before the first message to it.
     */
    checkOnNetwork: boolean;
  };
  /**
   * Whether keys without a pin may send through it.
   */
  inPool: boolean;
  /**
   * Whether it is shown as online while it is connected. `unavailable` leaves notifications to the phone.
   */
  presence: 'unavailable' | 'available';
  /**
   * The proxy through which it reaches the network, with `***` in place of credentials; null for none.
   */
  proxyUrl: string | null;
  /**
   * Whether calls are turned down at once.
   */
  rejectCalls: boolean;
  /**
   * When messages to it are marked as read: never by itself, when it answers, or as they come.
   */
  markRead: 'never' | 'on_reply' | 'always';
  /**
   * The teams that its conversations are for alone; null: everybody.
   */
  teamIds: string[] | null;
  /**
   * Messages that wait for it; a few that are about to leave are not among them.
   */
  waiting: number;
  /**
   * Messages that it may still begin today, those that wait counted off; null without a limit.
   */
  dailyRemaining: number | null;
  /**
   * When it was connected last.
   */
  connectedAt: string | null;
  lastSeenAt: string | null;
  /**
   * Why it is not connected, or not healthy, for a person.
   */
  reason: string | null;
}
export interface PhoneNumberList {
  /**
   * Newest first.
   */
  data: PhoneNumber[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * How a number is as a sender, and how it was before.
 */
export interface NumberHealth {
  numberId: string;
  /**
   * Whether it can send: `resting` pauses after failures, `restricted` may only answer open chats, `unavailable` is not connected.
   */
  status: 'healthy' | 'resting' | 'restricted' | 'unavailable';
  /**
   * Why, for a person.
   */
  reason: string | null;
  /**
   * Until when, where that is known.
   */
  until: string | null;
  /**
   * What it was, and since when: the last changes, newest first.
   */
  changes: {
    at: string;
    /**
     * Whether it can send: `resting` pauses after failures, `restricted` may only answer open chats, `unavailable` is not connected.
     */
    status: 'healthy' | 'resting' | 'restricted' | 'unavailable';
    /**
     * Why, for a person.
     */
    reason: string | null;
    /**
     * Until when, where that is known.
     */
    until: string | null;
  }[];
}
/**
 * What to show to the person who pairs.
 */
export interface Pairing {
  method: 'qr' | 'code';
  /**
   * The text of the QR code to show; it changes every few seconds, so ask again.
   */
  qr: string | null;
  /**
   * The code to type on the phone.
   */
  code: string | null;
  expiresAt: string | null;
}
/**
 * Somebody as the network names them: by phone number, by privacy alias (`lid`), or by both.
 */
export interface Person {
  phoneNumber?: string;
  lid?: string;
}
/**
 * People.
 */
export interface People {
  data: Person[];
}
/**
 * A group that the number is in, as last heard.
 */
export interface Group {
  groupId: string;
  subject: string;
  /**
   * Null: there is none.
   */
  description: string | null;
  createdAt: string | null;
  /**
   * Only admins write.
   */
  isAnnounce: boolean;
  /**
   * Only admins change subject and description.
   */
  isLocked: boolean;
  /**
   * Admins decide about who wants to join.
   */
  joinApproval: boolean;
  /**
   * Its members. An `owner` has made the group.
   */
  participants: {
    phoneNumber?: string;
    lid?: string;
    role: 'member' | 'admin' | 'owner';
  }[];
  /**
   * The phone number of who made it; where only their alias is known, that with `@lid` behind it.
   */
  owner: string | null;
}
/**
 * The new group, and who could be added.
 */
export interface NewGroup {
  groupId: string;
  subject: string;
  /**
   * Null: there is none.
   */
  description: string | null;
  createdAt: string | null;
  /**
   * Only admins write.
   */
  isAnnounce: boolean;
  /**
   * Only admins change subject and description.
   */
  isLocked: boolean;
  /**
   * Admins decide about who wants to join.
   */
  joinApproval: boolean;
  /**
   * Its members. An `owner` has made the group.
   */
  participants: {
    phoneNumber?: string;
    lid?: string;
    role: 'member' | 'admin' | 'owner';
  }[];
  /**
   * The phone number of who made it; where only their alias is known, that with `@lid` behind it.
   */
  owner: string | null;
  /**
   * What came of each of them, in the order of the request.
   */
  results: {
    phoneNumber: string;
    ok: boolean;
    /**
     * The network's own code where it refused: `403` wants an invite instead.
     */
    code?: string;
  }[];
}
export interface GroupList {
  /**
   * Newest first.
   */
  data: Group[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What came of each person.
 */
export interface ParticipantResults {
  groupId: string;
  /**
   * What came of each of them, in the order of the request.
   */
  results: {
    phoneNumber: string;
    ok: boolean;
    /**
     * The network's own code where it refused: `403` wants an invite instead.
     */
    code?: string;
  }[];
}
/**
 * The invite of a group.
 */
export interface GroupInvite {
  invite: string;
  /**
   * What to share with people.
   */
  url: string;
}
/**
 * The number is in the group.
 */
export interface JoinedGroup {
  groupId: string;
  status: 'joined';
  group: Group;
}
/**
 * An admin of the group decides.
 */
export interface RequestedGroup {
  groupId: string;
  status: 'requested';
}
/**
 * Somebody whom the account knows. A phone number and its alias are one contact.
 */
export interface Contact {
  contactId: string;
  /**
   * Null where only the alias is known.
   */
  phoneNumber: string | null;
  /**
   * The privacy alias at the network (digits), where it is known.
   */
  lid: string | null;
  /**
   * As you call them, else as the address book of a number's phone does.
   */
  name: string | null;
  /**
   * As they call themselves.
   */
  pushName: string | null;
  labels: string[];
  /**
   * Your own fields.
   */
  attributes: {
    [k: string]: string | number | boolean;
  };
  /**
   * Where they live, as you have said: `Asia/Jakarta`.
   */
  timeZone: string | null;
  /**
   * Two letters (ISO 3166), as the phone number tells; null where it tells none.
   */
  country: string | null;
  /**
   * How you know that they agree to be written to, and since when you have said so.
   */
  consent: {
    source: string;
    at: string;
  } | null;
  /**
   * When they asked not to be written to.
   */
  optedOutAt: string | null;
  firstSeenAt: string;
  /**
   * When they last wrote to one of your numbers; exact for 90 days, to the hour before.
   */
  lastInboundAt: string | null;
}
export interface ContactList {
  /**
   * Newest first.
   */
  data: Contact[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * Two contacts that are one now.
 */
export interface ContactMerge {
  /**
   * Undoes it, for 30 days.
   */
  mergeId: string;
  contact: Contact;
}
export interface ContactMergeList {
  /**
   * Newest first.
   *
   * Items: Two contacts that were made one, and can be parted again.
   */
  data: {
    /**
     * Undoes it.
     */
    mergeId: string;
    /**
     * The one that stayed.
     */
    contactId: string;
    /**
     * The one that became a part of it, as it was.
     */
    other: {
      contactId: string;
      /**
       * As you call them, else as the address book of a number's phone does.
       */
      name: string | null;
      /**
       * As they call themselves.
       */
      pushName: string | null;
      /**
       * Null where only the alias is known.
       */
      phoneNumber: string | null;
      /**
       * The privacy alias at the network (digits), where it is known.
       */
      lid: string | null;
    };
    mergedAt: string;
    undoUntil: string;
    /**
     * False: another contact has its phone number or alias by now.
     */
    canUndo: boolean;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * Two contacts that were one.
 */
export interface ContactPair {
  /**
   * Both, as they are now.
   */
  data: Contact[];
}
/**
 * A person who is being erased, or was. It does not say who.
 */
export interface ContactErasure {
  erasureId: string;
  /**
   * `running`: ask again.
   */
  status: 'running' | 'finished';
  /**
   * So far.
   */
  erased: {
    /**
     * Messages with them that are not archived: they keep when they were.
     */
    messages: number;
    /**
     * Files that they sent.
     */
    files: number;
    /**
     * Events about them.
     */
    events: number;
    /**
     * Messages and events in the archive.
     */
    archived: number;
    conversations: number;
    /**
     * Private notes in those.
     */
    notes: number;
    /**
     * Rows of campaigns: they keep their state.
     */
    campaignRecipients: number;
  };
  /**
   * What is not erased, or not at once: `docs/contacts.md` says of each why, and until when.
   */
  remains: string[];
  createdAt: string;
  finishedAt: string | null;
}
/**
 * An import of contacts, and how far it is.
 */
export interface ContactImport {
  importId: string;
  /**
   * `running`: ask again. `failed`: see `problem`; what was taken before stays.
   */
  status: 'running' | 'finished' | 'failed';
  /**
   * Rows that have made a contact.
   */
  created: number;
  /**
   * Rows of somebody who was a contact, also by an earlier row.
   */
  updated: number;
  /**
   * Rows that were not taken.
   */
  refusedCount: number;
  /**
   * Why, of the first 100 of them; the file of refused rows has all.
   */
  refused: {
    /**
     * The first contact is row 1; empty rows do not count.
     */
    row: number;
    error: {
      code: ErrorCode;
      message: string;
      /**
       * The fields at fault, or the figures behind the refusal; only where there are any.
       */
      details?: (
        | {
            /**
             * The field, as a dotted path: `numberIds.0`.
             */
            path: string;
            /**
             * What is wrong with it, for a person.
             */
            message: string;
          }
        | {
            [k: string]: string | number;
          }
      )[];
    };
  }[];
  /**
   * Rows that are done.
   */
  rows: number;
  /**
   * How much of the file is done.
   */
  progress: number;
  consentSource: string;
  /**
   * Labels that everybody in it got.
   */
  labels: string[];
  fileName: string | null;
  defaultCountry: string | null;
  /**
   * Where the columns went.
   */
  mapping: {
    [k: string]: string;
  };
  /**
   * Why it has failed.
   */
  problem: string | null;
  createdAt: string;
  finishedAt: string | null;
}
export interface ContactImportList {
  /**
   * Newest first.
   */
  data: ContactImport[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What the values of an attribute are.
 */
export interface ContactAttribute {
  name: string;
  /**
   * A date is a day (2026-01-31) or a time, as text.
   */
  type: 'text' | 'number' | 'boolean' | 'date';
  /**
   * Somebody has said so; else the first value has.
   */
  declared: boolean;
}
export interface ContactAttributeList {
  /**
   * Newest first.
   */
  data: ContactAttribute[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
export interface ContactLabelList {
  /**
   * Newest first.
   *
   * Items: A label that at least one contact has.
   */
  data: {
    label: string;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * A filter of contacts that has a name. Who is in it is found out whenever it is used.
 */
export interface Segment {
  segmentId: string;
  name: string;
  /**
   * Whom it means: all of it must hold.
   */
  filter: {
    q?: string;
    /**
     * @minItems 1
     * @maxItems 10
     */
    labels?: string[];
    /**
     * @minItems 1
     * @maxItems 50
     */
    countries?: string[];
    seenWithinDays?: number;
    notSeenForDays?: number;
    hasWritten?: boolean;
    /**
     * @minItems 1
     * @maxItems 10
     */
    attributes?: {
      name: string;
      operator: 'equals' | 'not_equals' | 'contains' | 'less' | 'greater' | 'exists' | 'missing';
      value?: string | number | boolean;
    }[];
  };
  createdAt: string;
  updatedAt: string;
}
export interface SegmentList {
  /**
   * Newest first.
   */
  data: Segment[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * Who is on the network, in the order of the request.
 */
export interface CheckedContacts {
  data: {
    phoneNumber: string;
    onNetwork: boolean;
  }[];
}
/**
 * A profile picture.
 */
export interface Picture {
  /**
   * An address of the network's own, good for a while; null where the number may see none.
   */
  url: string | null;
}
/**
 * What a number shows of itself.
 */
export interface Profile {
  name: string | null;
  about: string | null;
  /**
   * An address of the network's own, good for a while.
   */
  pictureUrl: string | null;
}
/**
 * When people work on certain numbers.
 */
export interface BusinessHours {
  businessHoursId: string;
  name: string;
  /**
   * The IANA time zone of the hours and holidays: `Asia/Jakarta`.
   */
  timeZone: string;
  /**
   * When people work. Several on a day, over midnight where `to` is not after `from`.
   */
  spans: {
    day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
    /**
     * When it begins, as `HH:MM` in the time zone.
     */
    from: string;
    /**
     * When it ends, as `HH:MM`, or `24:00`. Not after `from`: it ends on the next day.
     */
    to: string | '24:00';
  }[];
  /**
   * Closed from midnight to midnight; a span that would begin on such a day is left out.
   */
  holidays: {
    date: string;
    name: string;
  }[];
  /**
   * The numbers that it holds for; "all" includes later ones.
   */
  numberIds: 'all' | string[];
  createdAt: string;
}
export interface BusinessHoursList {
  /**
   * Newest first.
   */
  data: BusinessHours[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * How fast people are to be answered.
 */
export interface SlaPolicy {
  policyId: string;
  name: string;
  /**
   * From the first message of a conversation, or the one that opened it again, to the first answer. Null for no target.
   */
  firstResponseSeconds: number | null;
  /**
   * From a later message to the answer, where everything before was answered. Null for no target.
   */
  nextResponseSeconds: number | null;
  /**
   * From the opening of a conversation until it is resolved. Null for no target.
   */
  resolutionSeconds: number | null;
  /**
   * Only time within the business hours of the conversation's number counts. Where the number has none, all time counts.
   */
  businessHoursOnly: boolean;
  /**
   * The numbers that it holds for; "all" includes later ones.
   */
  numberIds: 'all' | string[];
  /**
   * Only conversations with one of these labels; empty for all.
   */
  labels: string[];
  createdAt: string;
}
export interface SlaPolicyList {
  /**
   * Newest first.
   */
  data: SlaPolicy[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * How fast people were answered.
 */
export interface SupportReport {
  since: string;
  until: string;
  by: 'agent' | 'team' | 'number' | 'day';
  total: {
    /**
     * Conversations that were opened, or opened again, in that time.
     */
    opened: number;
    /**
     * So many of them are resolved.
     */
    resolved: number;
    /**
     * From the first message to the first answer by a person, in working time of the number: all time, where it has no business hours.
     */
    firstResponse: {
      /**
       * So many were measured.
       */
      count: number;
      /**
       * Null: nothing was measured.
       */
      medianSeconds: number | null;
      /**
       * Nine of ten were not slower.
       */
      p90Seconds: number | null;
    };
    /**
     * From the opening until it was resolved, in working time of the number.
     */
    resolution: {
      /**
       * So many were measured.
       */
      count: number;
      /**
       * Null: nothing was measured.
       */
      medianSeconds: number | null;
      /**
       * Nine of ten were not slower.
       */
      p90Seconds: number | null;
    };
    /**
     * Targets of SLA policies that were not kept.
     */
    missed: {
      firstResponse: number;
      nextResponse: number;
      resolution: number;
    };
    /**
     * What people have answered to the survey, from 1 to 5.
     */
    ratings: {
      count: number;
      average: number | null;
    };
  };
  /**
   * Days oldest first and without gaps; others with the most conversations first.
   */
  groups: {
    /**
     * The id of the agent, team or number, or the day (UTC) on which they were opened: `2026-01-31`. Null: nobody.
     */
    key: string | null;
    /**
     * Of the agent, team or number, while it is there.
     */
    name: string | null;
    /**
     * Conversations that were opened, or opened again, in that time.
     */
    opened: number;
    /**
     * So many of them are resolved.
     */
    resolved: number;
    /**
     * From the first message to the first answer by a person, in working time of the number: all time, where it has no business hours.
     */
    firstResponse: {
      /**
       * So many were measured.
       */
      count: number;
      /**
       * Null: nothing was measured.
       */
      medianSeconds: number | null;
      /**
       * Nine of ten were not slower.
       */
      p90Seconds: number | null;
    };
    /**
     * From the opening until it was resolved, in working time of the number.
     */
    resolution: {
      /**
       * So many were measured.
       */
      count: number;
      /**
       * Null: nothing was measured.
       */
      medianSeconds: number | null;
      /**
       * Nine of ten were not slower.
       */
      p90Seconds: number | null;
    };
    /**
     * Targets of SLA policies that were not kept.
     */
    missed: {
      firstResponse: number;
      nextResponse: number;
      resolution: number;
    };
    /**
     * What people have answered to the survey, from 1 to 5.
     */
    ratings: {
      count: number;
      average: number | null;
    };
  }[];
  /**
   * False: there were more than 50,000, and the newest were looked at.
   */
  isComplete: boolean;
}
/**
 * One message to many people, each once.
 */
export interface Campaign {
  campaignId: string;
  name: string;
  status: 'draft' | 'scheduled' | 'running' | 'paused' | 'finished' | 'cancelled';
  /**
   * Why it paused, or ended early. `by_person`: Somebody has paused it. `network_restricted`: The network restricts new chats for one of its numbers (463). `failures`: So many of its messages have failed as it was to stop at. `failure_rate`: Many of its last messages have failed. `opt_outs`: Many of those who got it have opted out. `undelivered`: Most of its messages do not arrive: their recipients may have blocked the number. `quota`: The monthly quota is used up. `cancelled`: Somebody has cancelled it.
   */
  reason:
    | (
        | 'by_person'
        | 'network_restricted'
        | 'failures'
        | 'failure_rate'
        | 'opt_outs'
        | 'undelivered'
        | 'quota'
        | 'cancelled'
      )
    | null;
  /**
   * A message as it is sent, without `to`; a file by its `mediaId`.
   */
  message: {
    [k: string]: unknown;
  };
  /**
   * The other texts, where it tries several.
   *
   * Items: A message as it is sent, without `to`; a file by its `mediaId`.
   */
  variants: {
    [k: string]: unknown;
  }[];
  /**
   * How many try the texts, and how long their answers are waited for; null: all texts go to all, evenly.
   */
  winner: {
    testPercent: number;
    afterMinutes: number;
  } | null;
  /**
   * 0 for `message`, 1 for the first of `variants`; null: not known yet.
   */
  winningVariant: number | null;
  /**
   * Whom it is for: as they are when it starts.
   */
  audience: {
    contactIds?: string[];
    label?: string;
    segmentId?: string;
    csv?: string;
    all?: true;
    coldContacts: boolean;
  };
  numberIds: 'pool' | string[];
  startAt: string | null;
  /**
   * When it may send; null: at any time.
   */
  window: {
    /**
     * @minItems 1
     * @maxItems 7
     */
    days: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
    from: string;
    to: string;
    timeZone: 'recipient' | string;
  } | null;
  timeZone: string;
  ratePerHour: number | null;
  stopAfterFailures: number;
  whenQuotaEnds: 'wait' | 'end';
  replyDays: number;
  /**
   * `recipients` is the sum of `pending`, `queued`, `sent`, `failed`, `skipped` and `cancelled`. `sent` counts those that are delivered, and `delivered` those that are read.
   */
  counts: {
    recipients: number;
    pending: number;
    queued: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
    replied: number;
    optedOut: number;
    skipped: number;
    cancelled: number;
  };
  /**
   * By text: how many got it, and how many of those answered.
   */
  variantCounts: {
    sent: number;
    replied: number;
  }[];
  /**
   * What it waits for while it is running. `audience`: Its recipients are being written down. `numbers`: None of its numbers can send for now. `busy`: Its numbers are busy with messages that go first. `daily_limit`: Its numbers have reached their limits for today. `window`: It is not the time of day for those who are left. `rate`: It sends only so many an hour. `quota`: The monthly quota is used up. `winner`: It waits for the answers that decide which text is better.
   */
  waitingFor: {
    reason: 'audience' | 'numbers' | 'busy' | 'daily_limit' | 'window' | 'rate' | 'quota' | 'winner';
    until: string | null;
  } | null;
  createdAt: string;
  startedAt: string | null;
  /**
   * When it was finished or cancelled.
   */
  endedAt: string | null;
}
export interface CampaignList {
  /**
   * Newest first.
   *
   * Items: A campaign, in short. Counts may be a minute old.
   */
  data: {
    campaignId: string;
    name: string;
    status: 'draft' | 'scheduled' | 'running' | 'paused' | 'finished' | 'cancelled';
    /**
     * Why it paused, or ended early. `by_person`: Somebody has paused it. `network_restricted`: The network restricts new chats for one of its numbers (463). `failures`: So many of its messages have failed as it was to stop at. `failure_rate`: Many of its last messages have failed. `opt_outs`: Many of those who got it have opted out. `undelivered`: Most of its messages do not arrive: their recipients may have blocked the number. `quota`: The monthly quota is used up. `cancelled`: Somebody has cancelled it.
     */
    reason:
      | (
          | 'by_person'
          | 'network_restricted'
          | 'failures'
          | 'failure_rate'
          | 'opt_outs'
          | 'undelivered'
          | 'quota'
          | 'cancelled'
        )
      | null;
    /**
     * `recipients` is the sum of `pending`, `queued`, `sent`, `failed`, `skipped` and `cancelled`. `sent` counts those that are delivered, and `delivered` those that are read.
     */
    counts: {
      recipients: number;
      pending: number;
      queued: number;
      sent: number;
      delivered: number;
      read: number;
      failed: number;
      replied: number;
      optedOut: number;
      skipped: number;
      cancelled: number;
    };
    createdAt: string;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What would come of a campaign.
 */
export interface CampaignPreview {
  /**
   * Everybody of the audience who has a phone number.
   */
  recipients: number;
  willGet: number;
  /**
   * How many do not get it, by the reason. `opted_out`: They have opted out. `never_wrote`: They have never written to one of your numbers, and the campaign leaves out such contacts. `filtered`: A filter of the account or its numbers refuses them. `not_on_network`: They are not on the network. `missing_variable`: The text needs something that is not known of them, and has nothing to stand there instead. `too_long`: The text is longer than a message may be, once it is filled in for them. `not_a_recipient`: Their number cannot be written to. `quota`: The monthly quota was used up, and the campaign was to end then.
   */
  skipped: {
    [k: string]: number;
  };
  /**
   * Of those who get it, how many have never written to one of your numbers.
   */
  cold: number;
  /**
   * The audience is larger than what was looked at: there are more of all.
   */
  isPartial: boolean;
  /**
   * The texts as the first ones would get them.
   */
  examples: {
    to: string;
    name: string | null;
    variant: number;
    text: string;
  }[];
  /**
   * Some who do not get it.
   */
  left: {
    to: string;
    name: string | null;
    reason:
      | 'opted_out'
      | 'never_wrote'
      | 'filtered'
      | 'not_on_network'
      | 'missing_variable'
      | 'too_long'
      | 'not_a_recipient'
      | 'quota';
  }[];
  numbers: {
    numberId: string;
    /**
     * Why it can send nothing now; null: it can.
     */
    hindrance: string | null;
    perMinute: number;
    /**
     * Null: without a limit.
     */
    leftToday: number | null;
  }[];
  quota: {
    /**
     * Messages; null: without a limit.
     */
    left: number | null;
    resetAt: string;
  };
  startsAt: string;
  /**
   * With these numbers, their pacing and the hours of the campaign. Null: within half a year it would not be finished.
   */
  finishesAt: string | null;
  /**
   * What to know before it is started.
   */
  warnings: ('nobody' | 'cold_contacts' | 'no_number' | 'quota_short' | 'never_ends' | 'daily_limits')[];
}
/**
 * A message of a campaign that somebody tries.
 */
export interface CampaignTest {
  messageId: string;
  numberId: string;
  to: string;
  text: string;
}
export interface CampaignRecipientList {
  /**
   * By phone number.
   *
   * Items: Somebody whom a campaign is for.
   */
  data: {
    /**
     * Null: they were erased.
     */
    phoneNumber: string | null;
    contactId: string | null;
    /**
     * Where a text says it.
     */
    name: string | null;
    status: 'pending' | 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'skipped' | 'cancelled';
    /**
     * Why they were skipped (`opted_out`: They have opted out. `never_wrote`: They have never written to one of your numbers, and the campaign leaves out such contacts. `filtered`: A filter of the account or its numbers refuses them. `not_on_network`: They are not on the network. `missing_variable`: The text needs something that is not known of them, and has nothing to stand there instead. `too_long`: The text is longer than a message may be, once it is filled in for them. `not_a_recipient`: Their number cannot be written to. `quota`: The monthly quota was used up, and the campaign was to end then.), or the code with which their message failed.
     */
    reason: string | null;
    /**
     * Why the message failed, for a person.
     */
    errorMessage: string | null;
    /**
     * Which text: 0 for `message`; null: not known yet.
     */
    variant: number | null;
    numberId: string | null;
    messageId: string | null;
    attempts: number;
    sentAt: string | null;
    deliveredAt: string | null;
    readAt: string | null;
    failedAt: string | null;
    repliedAt: string | null;
    optedOutAt: string | null;
  }[];
  /**
   * `cursor` of the next page; null on the last one. A page may be short and have a next one.
   */
  nextCursor: string | null;
}
/**
 * What passes between a number and a contact, or a group, as people work at it.
 */
export interface Conversation {
  conversationId: string;
  numberId: string;
  /**
   * Who is on the other side; null where it is a group.
   */
  contact: {
    /**
     * Null where the contact was deleted.
     */
    contactId: string | null;
    phoneNumber: string | null;
    /**
     * The privacy alias at the network (digits), where it is known.
     */
    lid: string | null;
    /**
     * As you call them, else as the address book of a number's phone does.
     */
    name: string | null;
    /**
     * As they call themselves.
     */
    pushName: string | null;
    labels: string[];
    /**
     * Your own fields.
     */
    attributes: {
      [k: string]: string | number | boolean;
    };
  } | null;
  /**
   * The group; null where it is a contact.
   */
  group: {
    groupId: string;
    subject: string | null;
  } | null;
  /**
   * `pending` waits for something else than your people; `snoozed` until `snoozedUntil`, or until somebody writes; a `resolved` one opens again when somebody writes.
   */
  status: 'open' | 'pending' | 'snoozed' | 'resolved';
  snoozedUntil: string | null;
  priority: 'low' | 'normal' | 'high' | 'urgent';
  assigneeId: string | null;
  teamId: string | null;
  labels: string[];
  unreadCount: number;
  lastMessage: {
    messageId: string;
    direction: 'inbound' | 'outbound';
    status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
    messageType:
      | 'text'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contacts'
      | 'poll'
      | 'unsupported';
    /**
     * Its first words.
     */
    text: string;
    at: string;
    /**
     * Null: an API key has sent it, or its owner on the phone.
     */
    origin:
      | (
          | {
              kind: 'person';
              userId: string;
            }
          | {
              kind: 'automation';
              automationId: string;
              eventId: string;
              depth: number;
            }
          | {
              kind: 'assistant';
              assistantId: string;
              turnId: string;
            }
          | {
              kind: 'campaign';
              campaignId: string;
            }
          | {
              kind: 'survey';
            }
          | {
              kind: 'alert';
              alertId: string;
            }
        )
      | null;
  } | null;
  /**
   * Since when somebody waits for the answer of a person.
   */
  waitingSince: string | null;
  /**
   * What was answered by the message that they wait with: something that an API key or a campaign had sent.
   */
  answers: {
    messageId: string;
    /**
     * Null: an API key has sent it, or its owner on the phone.
     */
    origin:
      | (
          | {
              kind: 'person';
              userId: string;
            }
          | {
              kind: 'automation';
              automationId: string;
              eventId: string;
              depth: number;
            }
          | {
              kind: 'assistant';
              assistantId: string;
              turnId: string;
            }
          | {
              kind: 'campaign';
              campaignId: string;
            }
          | {
              kind: 'survey';
            }
          | {
              kind: 'alert';
              alertId: string;
            }
        )
      | null;
    at: string;
  } | null;
  /**
   * The campaign that was answered, where `answers` is of one.
   */
  campaign: {
    campaignId: string;
    name: string | null;
  } | null;
  firstResponseDueAt: string | null;
  nextResponseDueAt: string | null;
  resolutionDueAt: string | null;
  sla: 'none' | 'on_time' | 'missed';
  /**
   * Whether an assistant answers. A person who answers pauses it.
   */
  botState: 'off' | 'active' | 'paused';
  createdAt: string;
  openedAt: string;
  resolvedAt: string | null;
  lastInboundAt: string | null;
}
export interface ConversationList {
  /**
   * Newest first.
   */
  data: Conversation[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * How many conversations there are, each counted up to 1,000.
 */
export interface ConversationCounts {
  open: number;
  pending: number;
  snoozed: number;
  /**
   * Open, and assigned to whoever asks.
   */
  mine: number;
  /**
   * Open, and nobody’s.
   */
  unassigned: number;
  /**
   * Somebody waits for an answer.
   */
  waiting: number;
  /**
   * You were named in a note that you have not read.
   */
  mentioned: number;
}
/**
 * The people of the account, and the numbers whose conversations you see.
 */
export interface ConversationPeople {
  people: {
    userId: string;
    name: string;
    role: 'owner' | 'admin' | 'agent';
  }[];
  numbers: {
    numberId: string;
    label: string;
    phoneNumber: string | null;
  }[];
}
export interface ConversationChat {
  /**
   * Newest first.
   */
  data: (
    | {
        kind: 'message';
        /**
         * Its place: `after` begins behind it.
         */
        cursor: string;
        message: Message;
      }
    | {
        kind: 'note';
        /**
         * Its place: `after` begins behind it.
         */
        cursor: string;
        note: ConversationNote;
      }
  )[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * A private note. It never leaves.
 */
export interface ConversationNote {
  noteId: string;
  text: string;
  /**
   * Null: no person has written it.
   */
  author: {
    userId: string;
    /**
     * Null: they have left the account.
     */
    name: string | null;
  } | null;
  automationId?: string;
  assistantId?: string;
  /**
   * The people who are named in it.
   */
  mentions: string[];
  createdAt: string;
}
export interface ConversationActivityList {
  /**
   * Newest first.
   */
  data: {
    activityId: string;
    at: string;
    actor: {
      kind: 'person' | 'automation' | 'assistant' | 'system';
      id?: string;
      name?: string | null;
    };
    action: 'status' | 'assignee' | 'team' | 'labels' | 'priority' | 'bot' | 'merged';
    from: (string | string[]) | null;
    to: (string | string[]) | null;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
export interface FoundMessageList {
  /**
   * Newest first.
   */
  data: {
    conversationId: string | null;
    message: Message;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
export interface ScheduledMessages {
  /**
   * The next one first.
   */
  data: Message[];
}
/**
 * Who is where. Each conversation in it is as it is now; of the others nothing has changed.
 */
export interface PresenceFrame {
  conversations: {
    conversationId: string;
    /**
     * None: nobody is there.
     */
    people: {
      userId: string;
      name: string;
      state: 'viewing' | 'typing';
      /**
       * After that it counts no more.
       */
      until: string;
    }[];
    /**
     * Who types in it, and was first.
     */
    lockedBy: string | null;
    /**
     * A note was written in it just now.
     */
    hasNote?: true;
  }[];
  /**
   * Who follows conversations now.
   */
  online: string[];
  /**
   * What the other side of these conversations does now. The network tells it of chats that somebody of the account has open, as far as the other side lets it.
   */
  typing?: {
    conversationId: string;
    /**
     * `paused`: they have stopped.
     */
    state: 'typing' | 'recording' | 'paused';
    /**
     * After that it counts no more.
     */
    until: string;
  }[];
}
/**
 * Who works at conversations together.
 */
export interface Team {
  teamId: string;
  name: string;
  description: string | null;
  /**
   * Its people, by their user ids.
   *
   * @maxItems 200
   */
  memberIds: string[];
  /**
   * Whether its open conversations that nobody has go to those of it who are online, in turn.
   */
  autoAssign: boolean;
  /**
   * So many open conversations one of its people may have, and is not given another. Null for no limit.
   */
  capPerAgent: number | null;
  createdAt: string;
}
export interface TeamList {
  /**
   * Newest first.
   */
  data: Team[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * A label of conversations.
 */
export interface Label {
  labelId: string;
  name: string;
  color: string;
  description: string | null;
  createdAt: string;
}
export interface LabelList {
  /**
   * Newest first.
   */
  data: Label[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * An answer that people have at hand.
 */
export interface CannedReply {
  cannedReplyId: string;
  shortcut: string;
  text: string;
  /**
   * Only for this team; null for everybody.
   */
  teamId: string | null;
  createdAt: string;
}
export interface CannedReplyList {
  /**
   * Newest first.
   */
  data: CannedReply[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What holds for every number of the account.
 */
export interface Settings {
  /**
   * Whom no number of the account may write to.
   */
  filters: {
    /**
     * Only recipients whose phone number begins with one of these; empty for all.
     *
     * @maxItems 1000
     */
    allowPrefixes: string[];
    /**
     * No recipients whose phone number begins with one of these.
     *
     * @maxItems 1000
     */
    blockPrefixes: string[];
    /**
     * Not these recipients: digits with country code.
     *
     * @maxItems 10000
     */
    blockNumbers: string[];
    /**
     * Asks the network whether a recipient is there before the first message to it.
     */
    checkOnNetwork: boolean;
  };
  /**
   * A recipient hears from the number that it last talked with, when that is so many hours ago at most; 0 turns it off.
   */
  stickyHours: number;
  /**
   * How long a number may be away, or rest after failures, before the messages that wait for it go to another one, in milliseconds. Those of strictly pinned keys wait for it.
   */
  rerouteAfterMs: number;
  /**
   * What a recipient writes, and nothing else, to hear no more, or to hear again.
   */
  optOut: {
    /**
     * As they are compared: in capitals, without spaces around them.
     */
    stopWords: string[];
    /**
     * As they are compared: in capitals, without spaces around them.
     */
    startWords: string[];
    /**
     * What whoever opts out is answered, once; null: nothing. No event tells of it.
     */
    confirmation: string | null;
  };
  /**
   * How long things are kept at hand.
   */
  retention: {
    /**
     * Months that messages are kept at hand. Older ones are archived, and can still be read.
     */
    messagesMonths: number;
    /**
     * Days that events, and the attempts to deliver them, are kept. Then the event stream ends there.
     */
    eventsDays: number;
  };
  /**
   * Recipients that one number may look up on the network a day (UTC); beyond it sends pass unchecked.
   */
  networkChecksPerDay: number;
  /**
   * How the account's people answer.
   */
  support: {
    /**
     * Keeps when conversations were opened, answered and resolved, for the support report. An SLA policy or a survey does so by itself.
     */
    reports: boolean;
    /**
     * Resolves an open conversation after so many hours in which nobody has written and nobody waits for an answer. Null: never.
     */
    autoResolveHours: number | null;
    /**
     * Asks a person who was answered once their conversation is resolved, through the chat, for a rating from 1 to 5. Null: nobody is asked.
     */
    survey: {
      /**
       * What is asked. Say in it that a number from 1 to 5 is the answer.
       */
      question: string;
      /**
       * Nobody is asked again within so many days.
       */
      everyDays: number;
    } | null;
  };
}
/**
 * A recipient who has opted out: sends to them are refused as `RECIPIENT_FILTERED`.
 */
export interface OptOut {
  /**
   * Who does not want to be written to.
   */
  phoneNumber: string;
  /**
   * When they wrote the word, or were put on the list.
   */
  optedOutAt: string;
  /**
   * The number that they wrote it to; null where somebody put them on the list.
   */
  numberId: string | null;
  /**
   * What they wrote; null where somebody put them on the list.
   */
  word: string | null;
}
export interface OptOutList {
  /**
   * Newest first.
   */
  data: OptOut[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * A receiver of events.
 */
export interface Webhook {
  id: string;
  url: string;
  /**
   * The numbers whose events go there; "all" includes later ones.
   */
  numberIds: 'all' | string[];
  /**
   * The events that go there; "all" includes later ones.
   */
  events: 'all' | EventName[];
  description: string | null;
  enabled: boolean;
  /**
   * Failed attempts in a row; 25 disable the webhook, once they have lasted for 12 min 30 s.
   */
  failureStreak: number;
  /**
   * `circuit_open`: the receiver failed too often, for too long.
   */
  disabledReason: string | null;
  /**
   * The last success.
   */
  lastDeliveryAt: string | null;
  /**
   * After a rotation: until when the secret before signs too.
   */
  previousSecretExpiresAt: string | null;
  createdAt: string;
}
/**
 * A new receiver of events.
 */
export interface CreatedWebhook {
  id: string;
  url: string;
  /**
   * The numbers whose events go there; "all" includes later ones.
   */
  numberIds: 'all' | string[];
  /**
   * The events that go there; "all" includes later ones.
   */
  events: 'all' | EventName[];
  description: string | null;
  enabled: boolean;
  /**
   * Failed attempts in a row; 25 disable the webhook, once they have lasted for 12 min 30 s.
   */
  failureStreak: number;
  /**
   * `circuit_open`: the receiver failed too often, for too long.
   */
  disabledReason: string | null;
  /**
   * The last success.
   */
  lastDeliveryAt: string | null;
  /**
   * After a rotation: until when the secret before signs too.
   */
  previousSecretExpiresAt: string | null;
  createdAt: string;
  /**
   * `whsec_…`: what you verify signatures with. Shown this once.
   */
  secret: string;
}
export interface WebhookList {
  /**
   * Newest first.
   */
  data: Webhook[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * One event on its way to one webhook.
 */
export interface Delivery {
  /**
   * `X-Service-Delivery-Id`: the same for every attempt.
   */
  deliveryId: string;
  /**
   * The `id` of the event: deduplicate by it.
   */
  eventId: string;
  event: EventName;
  /**
   * `held`: it waits until the webhook is enabled again.
   */
  status: 'pending' | 'held' | 'delivered' | 'failed';
  /**
   * Oldest first.
   */
  attempts: {
    at: string;
    /**
     * Null when there was no answer.
     */
    statusCode: number | null;
    durationMs: number;
    /**
     * What went wrong, in words.
     */
    error: string | null;
    /**
     * The beginning of the answer.
     */
    responseSnippet: string | null;
  }[];
  nextAttemptAt: string | null;
}
export interface DeliveryList {
  /**
   * Newest first.
   */
  data: Delivery[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What came of a test.
 */
export interface TestOutcome {
  deliveryId: string;
  status: 'delivered' | 'failed';
  /**
   * Null when there was no answer.
   */
  statusCode: number | null;
  durationMs: number;
  /**
   * What went wrong, in words.
   */
  error: string | null;
  /**
   * The beginning of the answer.
   */
  responseSnippet: string | null;
}
/**
 * How many deliveries go out again.
 */
export interface RedeliveryCount {
  count: number;
}
/**
 * An AI that answers conversations until a person does.
 */
export interface Assistant {
  assistantId: string;
  name: string;
  enabled: boolean;
  numberIds: 'all' | string[];
  provider: {
    kind: 'openai_compatible' | 'workers_ai';
    baseUrl: string | null;
    model: string;
    /**
     * Whether there is a key. The key itself is never shown.
     */
    hasApiKey: boolean;
    prices: {
      inputPerMillion: number;
      outputPerMillion: number;
    } | null;
    seesPictures: boolean;
    embeddingModel: string | null;
  };
  instructions: string;
  introduction: string | null;
  /**
   * How many documents it knows, and into how many pieces they are cut.
   */
  knowledge: {
    documents: number;
    chunks: number;
    /**
     * How much of it is found by its meaning, beside its words; null: this gateway has no index for that.
     */
    meaning: {
      /**
       * Whether something makes vectors of it.
       */
      isOn: boolean;
      /**
       * Pieces that have one by now.
       */
      vectors: number;
      /**
       * Why the others could not be made, the last time.
       */
      problem: string | null;
    } | null;
  };
  tools: {
    lookUpContact: boolean;
    labels: string[];
    http: {
      name: string;
      description: string;
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      url: string;
      parameters: {
        name: string;
        type: 'string' | 'number' | 'integer' | 'boolean';
        description: string;
        required: boolean;
        from: 'model' | 'contact_phone_number' | 'contact_id' | 'conversation_id';
      }[];
      /**
       * Their values are never shown.
       */
      headers: {
        name: string;
      }[];
      approved: boolean;
    }[];
  };
  handOff: {
    labels: string[];
    teamId: string | null;
    message: string | null;
  };
  hours: 'always' | 'outside_hours' | 'inside_hours';
  dailyTokenBudget: number;
  conversationTokenBudget: number;
  debounceSeconds: number;
  createdAt: string;
  updatedAt: string;
}
export interface AssistantList {
  /**
   * Newest first.
   */
  data: Assistant[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What an assistant would say, and why. Nothing was sent.
 */
export interface AssistantTrial {
  outcome: 'answer' | 'hand_off' | 'failed';
  /**
   * What would be sent; null: nothing.
   */
  text: string | null;
  /**
   * What it would tell the people that it hands the conversation to.
   */
  note: string | null;
  /**
   * Labels that it would put on the conversation.
   */
  labels: string[];
  model: string | null;
  /**
   * What of its documents it has read for this.
   */
  sources: {
    documentId: string;
    name: string;
    url: string | null;
    excerpt: string;
  }[];
  /**
   * What it did with its tools, in order.
   */
  toolCalls: {
    name: string;
    input: string;
    ok: boolean;
    output: string;
  }[];
  /**
   * What went wrong, in words.
   */
  error: string | null;
  tokens: {
    input: number;
    output: number;
  };
  /**
   * By the prices of the provider; null where none are set.
   */
  cost: number | null;
  durationMs: number | null;
}
/**
 * Whether the provider answers.
 */
export interface AssistantProviderTest {
  ok: boolean;
  /**
   * The beginning of what the model said.
   */
  answer: string | null;
  /**
   * What went wrong, in words.
   */
  error: string | null;
  durationMs: number;
}
/**
 * One time that an assistant was asked something.
 */
export interface AssistantRun {
  turnId: string;
  assistantId: string;
  conversationId: string;
  /**
   * `running`: it waits for more, or is being answered. `dropped`: it was not its to answer any more.
   */
  outcome: 'running' | 'answered' | 'handed_off' | 'dropped';
  /**
   * `asked`: The assistant handed the conversation over. `person_asked`: A person handed the conversation over. `person_replied`: A person replied first. `rule_answered`: A rule answered first. `paused`: The assistant was paused. `switched_off`: The assistant was switched off or deleted. `opted_out`: The contact has opted out. `conversation_budget`: The tokens for this conversation were used up. `daily_budget`: The tokens for this day were used up. `model_failed`: The model gave no answer that could be used. `not_sent`: The answer could not be sent.
   */
  reason:
    | (
        | 'asked'
        | 'person_asked'
        | 'person_replied'
        | 'rule_answered'
        | 'paused'
        | 'switched_off'
        | 'opted_out'
        | 'conversation_budget'
        | 'daily_budget'
        | 'model_failed'
        | 'not_sent'
      )
    | null;
  /**
   * The beginning of what was written.
   */
  question: string;
  /**
   * What was said, or was to be said.
   */
  reply: string | null;
  /**
   * The message that it became.
   */
  messageId: string | null;
  model: string | null;
  /**
   * What of its documents it has read for this.
   */
  sources: {
    documentId: string;
    name: string;
    url: string | null;
    excerpt: string;
  }[];
  /**
   * What it did with its tools, in order.
   */
  toolCalls: {
    name: string;
    input: string;
    ok: boolean;
    output: string;
  }[];
  /**
   * What went wrong, in words.
   */
  error: string | null;
  tokens: {
    input: number;
    output: number;
  };
  /**
   * By the prices of the provider; null where none are set.
   */
  cost: number | null;
  durationMs: number | null;
  /**
   * Which wording of the instructions it was answered under; null: nothing was thought.
   */
  instructionsVersion: string | null;
  at: string;
  endedAt: string | null;
}
export interface AssistantRunList {
  /**
   * Newest first.
   */
  data: AssistantRun[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What an assistant did, and what it cost.
 */
export interface AssistantReport {
  /**
   * The first day.
   */
  since: string;
  answered: number;
  handedOff: number;
  tokens: {
    input: number;
    output: number;
  };
  /**
   * Of what it ended itself, the part that it handed over; null: nothing yet.
   */
  handOffRate: number | null;
  /**
   * By the prices of the provider; null where none are set.
   */
  cost: number | null;
  /**
   * Oldest first.
   */
  days: {
    day: string;
    answered: number;
    handedOff: number;
    tokens: {
      input: number;
      output: number;
    };
    cost: number;
  }[];
}
export interface AssistantInstructionsList {
  /**
   * Newest first.
   *
   * Items: One wording of the instructions, and what came of it.
   */
  data: {
    /**
     * Follows from the text: the same text has the same version.
     */
    version: string;
    instructions: string;
    /**
     * It is what the assistant is told now.
     */
    isCurrent: boolean;
    /**
     * Runs that it answered under it.
     */
    answered: number;
    /**
     * Runs that it handed over under it.
     */
    handedOff: number;
    firstUsedAt: string;
    lastUsedAt: string;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * Whether an assistant answers in a conversation.
 */
export interface ConversationAssistant {
  conversationId: string;
  botState: 'off' | 'active' | 'paused';
}
/**
 * How assistants stand in a conversation.
 */
export interface ConversationAssistantStanding {
  conversationId: string;
  botState: 'off' | 'active' | 'paused';
  /**
   * The one that answers, or did last.
   */
  assistant: {
    assistantId: string;
    name: string;
  } | null;
  /**
   * It is about to answer something.
   */
  isAnswering: boolean;
  /**
   * Those that are on for the number, the oldest first.
   */
  available: {
    assistantId: string;
    name: string;
  }[];
}
/**
 * Something that an assistant knows.
 */
export interface KnowledgeDocument {
  documentId: string;
  assistantId: string;
  kind: 'text' | 'markdown' | 'pdf' | 'url' | 'sitemap';
  name: string;
  url: string | null;
  /**
   * `pending`: it is being read; what was read before stands until then.
   */
  state: 'pending' | 'ready' | 'failed';
  /**
   * Why it could not be read, the last time.
   */
  error: string | null;
  characters: number;
  /**
   * Pieces that it was cut into.
   */
  chunks: number;
  /**
   * Pages of a sitemap that were read.
   */
  pages: number;
  rereadHours: number | null;
  createdAt: string;
  readAt: string | null;
  nextReadAt: string | null;
}
export interface KnowledgeDocumentList {
  /**
   * Newest first.
   */
  data: KnowledgeDocument[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * The pieces of documents that fit some words best, as the assistant finds them.
 */
export interface KnowledgePassages {
  /**
   * The best first.
   */
  data: {
    documentId: string;
    name: string;
    url: string | null;
    heading: string;
    text: string;
    /**
     * Higher is better; only good for comparing passages of one search.
     */
    score: number;
  }[];
}
/**
 * A rule that answers by itself.
 */
export interface Automation {
  automationId: string;
  name: string;
  enabled: boolean;
  /**
   * What it waits for.
   */
  on:
    | 'message.received'
    | 'conversation.created'
    | 'conversation.updated'
    | 'conversation.waiting'
    | 'outside_hours';
  /**
   * With `conversation.waiting`: after so long.
   */
  waitingMinutes: number | null;
  /**
   * Whether it answers in groups too.
   */
  inGroups: boolean;
  /**
   * All of them must hold.
   */
  conditions: {
    field: string;
    operator: 'equals' | 'not_equals' | 'contains' | 'starts_with' | 'matches' | 'in' | 'exists';
    value?: string | number | boolean | string[];
  }[];
  /**
   * What it does, in this order.
   */
  actions: (
    | {
        type: 'reply';
        text?: string;
        media?: {
          type: 'image' | 'video' | 'audio' | 'document';
          url?: string;
          mediaId?: string;
          caption?: string;
          fileName?: string;
        };
        delaySeconds?: number;
      }
    | {
        type: 'assign';
        assigneeId?: string | null;
        teamId?: string | null;
      }
    | {
        type: 'label';
        /**
         * @minItems 1
         * @maxItems 20
         */
        add?: string[];
        /**
         * @minItems 1
         * @maxItems 20
         */
        remove?: string[];
      }
    | {
        type: 'set_status';
        status: 'open' | 'pending' | 'resolved';
      }
    | {
        type: 'set_priority';
        priority: 'low' | 'normal' | 'high' | 'urgent';
      }
    | {
        type: 'note';
        text: string;
      }
    | {
        type: 'call_webhook';
        url: string;
      }
    | {
        type: 'start_assistant';
        assistantId?: string;
      }
    | {
        type: 'stop';
      }
  )[];
  /**
   * So long it rests for a person that it has run for.
   */
  cooldownSeconds: number;
  /**
   * Its place among the automations, from 0: the first one is asked first.
   */
  position: number;
  /**
   * What it has done.
   */
  stats: {
    /**
     * Runs that are kept in its log: of 30 days, and 1,000 at most.
     */
    runs: number;
    lastRunAt: string | null;
  };
  createdAt: string;
}
/**
 * A rule with the secret of its callbacks.
 */
export interface CreatedAutomation {
  automationId: string;
  name: string;
  enabled: boolean;
  /**
   * What it waits for.
   */
  on:
    | 'message.received'
    | 'conversation.created'
    | 'conversation.updated'
    | 'conversation.waiting'
    | 'outside_hours';
  /**
   * With `conversation.waiting`: after so long.
   */
  waitingMinutes: number | null;
  /**
   * Whether it answers in groups too.
   */
  inGroups: boolean;
  /**
   * All of them must hold.
   */
  conditions: {
    field: string;
    operator: 'equals' | 'not_equals' | 'contains' | 'starts_with' | 'matches' | 'in' | 'exists';
    value?: string | number | boolean | string[];
  }[];
  /**
   * What it does, in this order.
   */
  actions: (
    | {
        type: 'reply';
        text?: string;
        media?: {
          type: 'image' | 'video' | 'audio' | 'document';
          url?: string;
          mediaId?: string;
          caption?: string;
          fileName?: string;
        };
        delaySeconds?: number;
      }
    | {
        type: 'assign';
        assigneeId?: string | null;
        teamId?: string | null;
      }
    | {
        type: 'label';
        /**
         * @minItems 1
         * @maxItems 20
         */
        add?: string[];
        /**
         * @minItems 1
         * @maxItems 20
         */
        remove?: string[];
      }
    | {
        type: 'set_status';
        status: 'open' | 'pending' | 'resolved';
      }
    | {
        type: 'set_priority';
        priority: 'low' | 'normal' | 'high' | 'urgent';
      }
    | {
        type: 'note';
        text: string;
      }
    | {
        type: 'call_webhook';
        url: string;
      }
    | {
        type: 'start_assistant';
        assistantId?: string;
      }
    | {
        type: 'stop';
      }
  )[];
  /**
   * So long it rests for a person that it has run for.
   */
  cooldownSeconds: number;
  /**
   * Its place among the automations, from 0: the first one is asked first.
   */
  position: number;
  /**
   * What it has done.
   */
  stats: {
    /**
     * Runs that are kept in its log: of 30 days, and 1,000 at most.
     */
    runs: number;
    lastRunAt: string | null;
  };
  createdAt: string;
  /**
   * `whsec_…`: what you verify the callbacks of `call_webhook` with. Shown this once.
   */
  secret: string;
}
/**
 * In their order.
 */
export interface AutomationList {
  /**
   * Newest first.
   */
  data: Automation[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
export interface AutomationRunList {
  /**
   * Newest first.
   *
   * Items: A time that an automation ran, or did not.
   */
  data: {
    runId: string;
    ran: boolean;
    /**
     * The event that it answered; of a wait, an id of its own.
     */
    eventId: string;
    at: string;
    on:
      | 'message.received'
      | 'conversation.created'
      | 'conversation.updated'
      | 'conversation.waiting'
      | 'outside_hours';
    numberId: string;
    conversationId: string | null;
    messageId: string | null;
    /**
     * The other side: a phone number, an alias, or a group.
     */
    person: string;
    /**
     * Why it did not run.
     */
    reason?:
      | 'condition'
      | 'group'
      | 'own_number'
      | 'inside_hours'
      | 'no_hours'
      | 'late'
      | 'cooldown'
      | 'stopped'
      | 'chain';
    /**
     * Which condition did not hold, from 0.
     */
    conditionIndex?: number;
    /**
     * Until when it rests for this person.
     */
    until?: string;
    /**
     * The automation that has stopped.
     */
    stoppedBy?: string;
    /**
     * What became of each action.
     */
    actions?: {
      type: string;
      state: 'pending' | 'done' | 'failed' | 'skipped';
      /**
       * `reply_cap`: The person had many automatic replies within an hour. `opt_out_word`: The message is a word that opts out, or in again. `no_phone_number`: The phone number of the person is not known. `answered`: A person has answered meanwhile. `expired`: It could not be carried out in time. `switched_off`: The rule was switched off, or deleted, meanwhile. `no_conversation`: There is no conversation. `no_change`: It was so already. `unknown`: What it names is not there any more. `no_assistant`: No assistant is set for the number. `assistant_disabled`: The assistant is switched off. `assistant_paused`: The assistant is paused in this conversation. `assistant_hours`: It is not the time of the assistant. `assistant_budget`: The budget of the assistant is used up. `refused`: The message was refused. `webhook_failed`: The receiver did not take it.
       */
      reason?:
        | 'reply_cap'
        | 'opt_out_word'
        | 'no_phone_number'
        | 'answered'
        | 'expired'
        | 'switched_off'
        | 'no_conversation'
        | 'no_change'
        | 'unknown'
        | 'no_assistant'
        | 'assistant_disabled'
        | 'assistant_paused'
        | 'assistant_hours'
        | 'assistant_budget'
        | 'refused'
        | 'webhook_failed';
      /**
       * The same for a person.
       */
      words?: string;
      /**
       * The reply.
       */
      messageId?: string;
    }[];
    automationId: string;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What an automation would have done. Nothing was.
 */
export interface AutomationDryRun {
  /**
   * Where reading has begun; later than asked where too much has happened.
   */
  since: string;
  counts: {
    /**
     * Events that it waits for.
     */
    events: number;
    runs: number;
    /**
     * How often it would not have run, by reason.
     */
    no: {
      [k: string]: number;
    };
  };
  /**
   * There was more than is told: the newest 200.
   */
  isCut: boolean;
  /**
   * Newest first.
   */
  data: {
    /**
     * The event that it answered; of a wait, an id of its own.
     */
    eventId: string;
    at: string;
    on:
      | 'message.received'
      | 'conversation.created'
      | 'conversation.updated'
      | 'conversation.waiting'
      | 'outside_hours';
    numberId: string;
    conversationId: string | null;
    messageId: string | null;
    /**
     * The other side: a phone number, an alias, or a group.
     */
    person: string;
    /**
     * The beginning of the message.
     */
    text: string | null;
    runs: boolean;
    /**
     * Why it did not run.
     */
    reason?:
      | 'condition'
      | 'group'
      | 'own_number'
      | 'inside_hours'
      | 'no_hours'
      | 'late'
      | 'cooldown'
      | 'stopped'
      | 'chain';
    /**
     * Which condition did not hold, from 0.
     */
    conditionIndex?: number;
    /**
     * Until when it rests for this person.
     */
    until?: string;
    /**
     * The automation that has stopped.
     */
    stoppedBy?: string;
    /**
     * The replies, as they would have been sent.
     */
    replies?: string[];
  }[];
}
/**
 * Something that wants a person. One trouble is one alert, however often it is seen.
 */
export interface Alert {
  id: string;
  /**
   * `device.disconnected`: A number has been disconnected for a while. `device.recovered`: A number that was disconnected is back. `device.banned`: The network banned a number. `device.logged_out`: A number was logged out on the phone, and has to be paired again. `message.failures`: Many messages of a number fail. `support.response_late`: Somebody waits for an answer for longer than they should. `webhook.failing`: A webhook keeps failing. `webhook.disabled`: A webhook failed too often, and was switched off. `quota.warning`: 80 % of the monthly quota are used. `campaign.paused`: A campaign has stopped by itself, before it costs a number. `quota.exceeded`: The monthly quota is used up, and sends are rejected. `bridge.lost`: The session bridge that drives some of your numbers is gone, or none has taken them.
   */
  kind:
    | 'device.disconnected'
    | 'device.recovered'
    | 'device.banned'
    | 'device.logged_out'
    | 'message.failures'
    | 'support.response_late'
    | 'webhook.failing'
    | 'webhook.disabled'
    | 'quota.warning'
    | 'campaign.paused'
    | 'quota.exceeded'
    | 'bridge.lost';
  /**
   * What it is about: `number:<id>`, `webhook:<id>`, `conversation:<id>`, `campaign:<id>`, `bridge:<id>`, `quota:<month>`.
   */
  subject: string;
  /**
   * Since when.
   */
  at: string;
  detail: {
    [k: string]: string | number;
  };
  /**
   * When the trouble was over; null while it lasts.
   */
  endedAt: string | null;
  /**
   * When somebody said that they know of it.
   */
  acknowledgedAt: string | null;
  /**
   * The e-mail address of whoever said so.
   */
  acknowledgedBy: string | null;
}
export interface AlertList {
  /**
   * Newest first.
   */
  data: Alert[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * Where alerts go.
 */
export interface AlertChannel {
  channelId: string;
  kind: 'email' | 'slack' | 'discord' | 'telegram' | 'webhook' | 'whatsapp';
  name: string | null;
  /**
   * Where they go. Of what is secret in it, only the ends are shown.
   */
  target:
    | string
    | {
        botToken?: string;
        chatId: string;
      }
    | {
        numberId: string | null;
        to: string;
      };
  /**
   * The alerts that go there; "all" includes later ones.
   */
  kinds:
    | 'all'
    | (
        | 'device.disconnected'
        | 'device.recovered'
        | 'device.banned'
        | 'device.logged_out'
        | 'message.failures'
        | 'support.response_late'
        | 'webhook.failing'
        | 'webhook.disabled'
        | 'quota.warning'
        | 'campaign.paused'
        | 'quota.exceeded'
        | 'bridge.lost'
      )[];
  /**
   * The numbers whose alerts go there; "all" includes later ones.
   */
  numberIds: 'all' | string[];
  /**
   * Once a day at this hour, a list of what happened; `only`: instead of each alert by itself.
   */
  digest: {
    hour: number;
    timeZone: string;
    only: boolean;
  } | null;
  enabled: boolean;
  /**
   * `unconfirmed`: whoever reads at the address has not said yet that they want alerts. `no_mail_server`: this gateway sends no e-mails.
   */
  state: 'ready' | 'off' | 'unconfirmed' | 'no_mail_server';
  /**
   * The last success.
   */
  lastDeliveryAt: string | null;
  /**
   * What went wrong at the last attempt; null after a success.
   */
  lastError: string | null;
  createdAt: string;
}
/**
 * A new channel.
 */
export interface CreatedAlertChannel {
  channelId: string;
  kind: 'email' | 'slack' | 'discord' | 'telegram' | 'webhook' | 'whatsapp';
  name: string | null;
  /**
   * Where they go. Of what is secret in it, only the ends are shown.
   */
  target:
    | string
    | {
        botToken?: string;
        chatId: string;
      }
    | {
        numberId: string | null;
        to: string;
      };
  /**
   * The alerts that go there; "all" includes later ones.
   */
  kinds:
    | 'all'
    | (
        | 'device.disconnected'
        | 'device.recovered'
        | 'device.banned'
        | 'device.logged_out'
        | 'message.failures'
        | 'support.response_late'
        | 'webhook.failing'
        | 'webhook.disabled'
        | 'quota.warning'
        | 'campaign.paused'
        | 'quota.exceeded'
        | 'bridge.lost'
      )[];
  /**
   * The numbers whose alerts go there; "all" includes later ones.
   */
  numberIds: 'all' | string[];
  /**
   * Once a day at this hour, a list of what happened; `only`: instead of each alert by itself.
   */
  digest: {
    hour: number;
    timeZone: string;
    only: boolean;
  } | null;
  enabled: boolean;
  /**
   * `unconfirmed`: whoever reads at the address has not said yet that they want alerts. `no_mail_server`: this gateway sends no e-mails.
   */
  state: 'ready' | 'off' | 'unconfirmed' | 'no_mail_server';
  /**
   * The last success.
   */
  lastDeliveryAt: string | null;
  /**
   * What went wrong at the last attempt; null after a success.
   */
  lastError: string | null;
  createdAt: string;
  /**
   * Of a webhook: `whsec_…`, what you verify signatures with. Shown this once.
   */
  secret?: string;
}
export interface AlertChannelList {
  /**
   * Newest first.
   */
  data: AlertChannel[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * One message on its way to one channel.
 */
export interface AlertDelivery {
  /**
   * The same for every attempt.
   */
  deliveryId: string;
  /**
   * What it told: troubles that began, that are over, a day, or nothing but a test.
   */
  news: 'raised' | 'ended' | 'digest' | 'test';
  /**
   * The alerts that it told of.
   */
  alertIds: string[];
  at: string;
  status: 'pending' | 'delivered' | 'failed';
  /**
   * Oldest first.
   */
  attempts: {
    at: string;
    /**
     * Null where there was no answer, or none with a status.
     */
    statusCode: number | null;
    durationMs: number;
    /**
     * What went wrong, in words.
     */
    error: string | null;
  }[];
  nextAttemptAt: string | null;
}
export interface AlertDeliveryList {
  /**
   * Newest first.
   */
  data: AlertDelivery[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * What came of a test of a channel.
 */
export interface AlertTest {
  deliveryId: string;
  status: 'delivered' | 'failed';
  /**
   * Null where there was no answer, or none with a status.
   */
  statusCode: number | null;
  durationMs: number;
  /**
   * What went wrong, in words.
   */
  error: string | null;
}
/**
 * An address that alerts go to.
 */
export interface AlertAddress {
  email: string;
}
/**
 * Alerts that nobody is told of for a while.
 */
export interface AlertMute {
  id: string;
  /**
   * Null: all kinds.
   */
  kind:
    | (
        | 'device.disconnected'
        | 'device.recovered'
        | 'device.banned'
        | 'device.logged_out'
        | 'message.failures'
        | 'support.response_late'
        | 'webhook.failing'
        | 'webhook.disabled'
        | 'quota.warning'
        | 'campaign.paused'
        | 'quota.exceeded'
        | 'bridge.lost'
      )
    | null;
  /**
   * Null: all numbers, and what concerns none.
   */
  numberId: string | null;
  until: string;
  /**
   * The e-mail address of whoever said so.
   */
  createdBy: string;
  createdAt: string;
}
export interface AlertMuteList {
  /**
   * Newest first.
   */
  data: AlertMute[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
export interface EventPage {
  /**
   * Oldest first.
   */
  data: StreamEvent[];
  /**
   * Where to go on, as `after`. Never null: at the end of the stream it is where the next event will be.
   */
  nextCursor: string;
  /**
   * Whether there is more to read at once, also where this page is empty.
   */
  hasMore: boolean;
}
/**
 * An API key, without its secret.
 */
export interface ApiKey {
  id: string;
  name: string;
  /**
   * The first characters of the key, to recognise it by.
   */
  prefix: string;
  mode: 'pool' | 'pinned';
  /**
   * The number that the key always sends through.
   */
  pinnedNumberId: string | null;
  /**
   * When the pinned number is unavailable: answer 503, or send through the pool.
   */
  onPinFailure: 'strict' | 'fallback';
  /**
   * What the key may do.
   */
  scopes: (
    | 'messages:send'
    | 'messages:read'
    | 'media'
    | 'numbers:read'
    | 'groups'
    | 'contacts'
    | 'events:read'
    | 'usage:read'
    | 'webhooks'
  )[];
  createdAt: string;
  /**
   * Exact to the second.
   */
  lastUsedAt: string | null;
  /**
   * Only on keys that end by themselves.
   */
  expiresAt?: string;
  /**
   * Only on keys that are accepted from some network addresses alone.
   */
  allowedAddresses?: string[];
}
/**
 * A new API key.
 */
export interface CreatedApiKey {
  id: string;
  name: string;
  /**
   * The first characters of the key, to recognise it by.
   */
  prefix: string;
  mode: 'pool' | 'pinned';
  /**
   * The number that the key always sends through.
   */
  pinnedNumberId: string | null;
  /**
   * When the pinned number is unavailable: answer 503, or send through the pool.
   */
  onPinFailure: 'strict' | 'fallback';
  /**
   * What the key may do.
   */
  scopes: (
    | 'messages:send'
    | 'messages:read'
    | 'media'
    | 'numbers:read'
    | 'groups'
    | 'contacts'
    | 'events:read'
    | 'usage:read'
    | 'webhooks'
  )[];
  createdAt: string;
  /**
   * Exact to the second.
   */
  lastUsedAt: string | null;
  /**
   * Only on keys that end by themselves.
   */
  expiresAt?: string;
  /**
   * Only on keys that are accepted from some network addresses alone.
   */
  allowedAddresses?: string[];
  /**
   * The key itself: shown this once.
   */
  key: string;
}
export interface ApiKeyList {
  /**
   * Newest first.
   */
  data: ApiKey[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * A person who has signed in.
 */
export interface SignedIn {
  /**
   * Send it as `Authorization: Bearer …`.
   */
  token: string;
  /**
   * 15 minutes from now.
   */
  expiresAt: string;
  user: {
    id: string;
    email: string;
    name: string;
  };
  account: {
    id: string;
    name: string;
    /**
     * `owner` and `admin` administrate; `agent` works in the live chat.
     */
    role: 'owner' | 'admin' | 'agent';
  };
  /**
   * They run the gateway: `OPERATOR_EMAILS` names their address.
   */
  isOperator?: true;
}
/**
 * A person, and the account they work in.
 */
export interface Identity {
  user: {
    id: string;
    email: string;
    name: string;
  };
  account: {
    id: string;
    name: string;
    /**
     * `owner` and `admin` administrate; `agent` works in the live chat.
     */
    role: 'owner' | 'admin' | 'agent';
  };
  /**
   * They run the gateway: `OPERATOR_EMAILS` names their address.
   */
  isOperator?: true;
}
/**
 * The same whatever the address.
 */
export interface VerificationSent {
  status: 'verification_sent';
  /**
   * Only for the operator, when no e-mail could be sent: the link that it would bear.
   */
  link?: string;
}
/**
 * The same whatever the address.
 */
export interface SentIfKnown {
  status: 'sent_if_known';
  /**
   * Only for the operator of a gateway that sends no e-mail: the link that it would bear.
   */
  link?: string;
}
export interface AccountList {
  /**
   * Newest first.
   */
  data: {
    id: string;
    name: string;
    /**
     * `owner` and `admin` administrate; `agent` works in the live chat.
     */
    role: 'owner' | 'admin' | 'agent';
    /**
     * The account that the token is for.
     */
    current: boolean;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
export interface SessionList {
  /**
   * Newest first.
   */
  data: {
    id: string;
    createdAt: string;
    lastUsedAt: string;
    expiresAt: string;
    /**
     * The network address it was used from last.
     */
    address: string | null;
    userAgent: string | null;
    /**
     * The session of this very token.
     */
    current: boolean;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * A person who has shown that it is them.
 */
export interface Confirmed {
  /**
   * Until then dangerous acts are not asked about again.
   */
  confirmedUntil: string;
}
/**
 * Whether signing in needs a second factor.
 */
export interface TwoFactor {
  enabled: boolean;
  recoveryCodesLeft: number;
}
/**
 * A secret that counts once a code of it was verified.
 */
export interface TwoFactorSecret {
  /**
   * Base32, to type into an authenticator app.
   */
  secret: string;
  /**
   * The same, to show as a QR code.
   */
  otpauthUrl: string;
}
/**
 * What signs in when the authenticator is lost.
 */
export interface RecoveryCodes {
  /**
   * Each signs in once in the place of a code. Shown this once.
   */
  recoveryCodes: string[];
}
/**
 * A person of the account.
 */
export interface Member {
  userId: string;
  email: string;
  name: string;
  /**
   * `owner` and `admin` administrate; `agent` works in the live chat.
   */
  role: 'owner' | 'admin' | 'agent';
}
export interface MemberList {
  /**
   * Newest first.
   */
  data: Member[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * An invitation that waits for its answer.
 */
export interface Invitation {
  id: string;
  email: string;
  /**
   * `owner` and `admin` administrate; `agent` works in the live chat.
   */
  role: 'owner' | 'admin' | 'agent';
  createdAt: string;
  expiresAt: string;
}
/**
 * A new invitation.
 */
export interface CreatedInvitation {
  id: string;
  email: string;
  /**
   * `owner` and `admin` administrate; `agent` works in the live chat.
   */
  role: 'owner' | 'admin' | 'agent';
  createdAt: string;
  expiresAt: string;
  /**
   * What became of the e-mail. `failed`: the mail server did not take it; invite again.
   */
  mail: 'sent' | 'failed' | 'not_configured';
  /**
   * Only for an owner, on a gateway that sends no e-mail: the link that it would bear.
   */
  link?: string;
}
export interface InvitationList {
  /**
   * Newest first.
   */
  data: Invitation[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * A request that one of your API keys has made.
 */
export interface RequestEntry {
  /**
   * `X-Request-Id` of its answer.
   */
  requestId: string;
  /**
   * The API key that it came with.
   */
  keyId: string;
  at: string;
  method: string;
  /**
   * The pattern of its path: `/v1/messages/:messageId`.
   */
  route: string;
  status: number;
  /**
   * Until the answer began.
   */
  durationMs: number;
  /**
   * The code of the error that it was answered with.
   */
  code: string | null;
  /**
   * Of an accepted send.
   */
  messageId: string | null;
}
export interface RequestList {
  /**
   * Newest first.
   */
  data: RequestEntry[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * A request, with what it sent and got where it failed.
 */
export interface RequestDetail {
  /**
   * `X-Request-Id` of its answer.
   */
  requestId: string;
  /**
   * The API key that it came with.
   */
  keyId: string;
  at: string;
  method: string;
  /**
   * The pattern of its path: `/v1/messages/:messageId`.
   */
  route: string;
  status: number;
  /**
   * Until the answer began.
   */
  durationMs: number;
  /**
   * The code of the error that it was answered with.
   */
  code: string | null;
  /**
   * Of an accepted send.
   */
  messageId: string | null;
  /**
   * Its query, redacted; of failures only.
   */
  query: {
    [k: string]: unknown;
  } | null;
  /**
   * Its body, redacted: texts by their length, phone numbers shortened. Of failures only.
   */
  body: {
    [k: string]: unknown;
  };
  /**
   * The error that it got, redacted; of failures only.
   */
  answer: {
    [k: string]: unknown;
  };
}
/**
 * How often requests failed, by what and where.
 */
export interface RequestErrors {
  /**
   * The most frequent first.
   */
  data: {
    method: string;
    route: string;
    code: string;
    status: number;
    /**
     * All of them, also those that are not kept one by one.
     */
    count: number;
    lastAt: string;
    lastRequestId: string;
  }[];
}
export interface AuditLog {
  /**
   * Newest first.
   *
   * Items: One change, and who made it.
   */
  data: {
    id: string;
    at: string;
    /**
     * `user:<id>`, `key:<id>`, or `operator`: whoever runs the gateway.
     */
    actor: string;
    actorName: string | null;
    /**
     * What was done: `api_key.revoked`.
     */
    action: string;
    /**
     * On what: `api_key:<id>`.
     */
    target: string;
    /**
     * Its name at that time.
     */
    targetName: string | null;
    /**
     * The network address the request came from.
     */
    address: string | null;
    requestId: string;
    /**
     * The hash of the entry before; zeros before the first.
     */
    previousHash: string;
    /**
     * SHA-256 over this entry and `previousHash`.
     */
    hash: string;
  }[];
  /**
   * `cursor` of the next page; null on the last one. Opaque: do not take it apart.
   */
  nextCursor: string | null;
}
/**
 * Whether the chain of hashes holds.
 */
export interface AuditVerdict {
  valid: boolean;
  /**
   * How many entries hold, from the first on.
   */
  entries: number;
  /**
   * Keep it elsewhere, and nobody can cut off the end unseen.
   */
  lastHash: string | null;
  /**
   * The first entry that does not fit.
   */
  brokenAt: {
    id: string;
    reason: 'changed' | 'missing_before';
  } | null;
}
/**
 * A JSON Web Key Set (RFC 7517).
 */
export interface PublicKeys {
  keys: {
    kty: string;
    kid: string;
    [k: string]: unknown;
  }[];
}
/**
 * A session bridge: the process that holds the connections of numbers to the network.
 */
export interface Bridge {
  bridgeId: string;
  /**
   * What the operator called it.
   */
  name: string | null;
  /**
   * Whose numbers it drives; null: of those that have no region.
   */
  region: ('wnam' | 'enam' | 'sam' | 'weur' | 'eeur' | 'apac' | 'oc' | 'afr' | 'me') | null;
  /**
   * `linked`: it is there. `away`: nothing is heard of it, and its numbers wait for it until `leasesUntil`. `expired`: others have its numbers, as far as they have room. `revoked`: it is no bridge any more.
   */
  state: 'linked' | 'away' | 'expired' | 'revoked';
  /**
   * Version of the protocol between bridge and gateway that it speaks. A gateway takes its own version and the one before, so it is replaced first, and its bridges after it. Null: it has not linked for long.
   */
  version: number | null;
  /**
   * Of the package that it runs, as it said last. Null: it did not say.
   */
  release: string | null;
  /**
   * It takes no more numbers, and gives up those that it has.
   */
  isDraining: boolean;
  /**
   * Numbers that it drives.
   */
  numbers: number;
  /**
   * Numbers that it drives at most.
   */
  capacity: number;
  /**
   * Memory of its process, as it said last.
   */
  residentBytes: number | null;
  /**
   * When it was let in.
   */
  enrolledAt: string | null;
  /**
   * When it linked last.
   */
  linkedAt: string | null;
  /**
   * When its numbers go to others; null while it is linked.
   */
  leasesUntil: string | null;
}
export interface BridgeList {
  data: Bridge[];
  nextCursor: null;
  /**
   * Numbers that want a bridge and have none: no bridge has room for them.
   */
  waitingNumbers: number;
  /**
   * The regions that have bridges of their own. Numbers of a region wait for a bridge of that region, also where others have room: with `linkedBridges` 0 there is none.
   */
  regions: {
    region: 'wnam' | 'enam' | 'sam' | 'weur' | 'eeur' | 'apac' | 'oc' | 'afr' | 'me';
    linkedBridges: number;
    waitingNumbers: number;
  }[];
}
export interface EnrolmentToken {
  /**
   * `BRIDGE_ENROLMENT_TOKEN` of the new bridge. It is not shown again.
   */
  token: string;
  name: string | null;
  region: ('wnam' | 'enam' | 'sam' | 'weur' | 'eeur' | 'apac' | 'oc' | 'afr' | 'me') | null;
  expiresAt: string;
}
/**
 * The process answers.
 */
export interface Alive {
  status: 'ok';
}
/**
 * Whether everything that a message needs is there.
 */
export interface Readiness {
  status: 'ready' | 'not ready';
  /**
   * Only for the operator.
   */
  checks?: {
    database: boolean;
    queue: boolean;
    /**
     * At least one session bridge is connected.
     */
    bridges: boolean;
  };
}
/**
 * This document.
 */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * A message was accepted.
 */
export interface MessageQueuedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.queued';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    to: string;
    chatType: 'personal' | 'group';
    messageType:
      | 'text'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contacts'
      | 'poll'
      | 'unsupported';
    clientReference?: string;
    status: 'queued';
  };
}
/**
 * The network took a message.
 */
export interface MessageSentEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.sent';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    to: string;
    chatType: 'personal' | 'group';
    messageType:
      | 'text'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contacts'
      | 'poll'
      | 'unsupported';
    clientReference?: string;
    providerMessageId: string;
    status: 'sent';
    sentAt: string;
  };
}
/**
 * A message reached the recipient's phone.
 */
export interface MessageDeliveredEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.delivered';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    providerMessageId: string;
    messageStatus: 'delivered';
    deliveredAt: string;
    chat: string;
    recipient: string;
    recipientLid?: string;
    isGroup: boolean;
    clientReference?: string;
    status: 'delivered';
  };
}
/**
 * A message was read.
 */
export interface MessageReadEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.read';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    providerMessageId: string;
    messageStatus: 'delivered';
    deliveredAt: string;
    chat: string;
    recipient: string;
    recipientLid?: string;
    isGroup: boolean;
    clientReference?: string;
    status: 'read';
    readAt: string;
  };
}
/**
 * A message failed, for good.
 */
export interface MessageFailedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.failed';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    to: string;
    chatType: 'personal' | 'group';
    messageType:
      | 'text'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contacts'
      | 'poll'
      | 'unsupported';
    clientReference?: string;
    status: 'failed';
    errorMessage: string;
    errorCode?: string;
  };
}
/**
 * Somebody wrote to one of your numbers.
 */
export interface MessageReceivedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.received';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    providerMessageId: string;
    messageType:
      | 'text'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contacts'
      | 'poll'
      | 'unsupported';
    text: string;
    media?: {
      mediaId: string;
      mimetype?: string;
      bytes?: number;
      sha256?: string;
      fileName?: string;
      caption?: string;
      durationSeconds?: number;
      width?: number;
      height?: number;
      voice?: true;
      status: 'ready' | 'pending' | 'unavailable';
      url?: string;
    };
    location?: {
      latitude: number;
      longitude: number;
      name?: string;
      address?: string;
      isLive?: true;
    };
    contacts?: {
      name: string;
      phoneNumber?: string;
      organisation?: string;
    }[];
    poll?: {
      name: string;
      /**
       * @minItems 1
       * @maxItems 100
       */
      options: string[];
      selectableCount: number;
    };
    quotedMessageId?: string;
    mentions?: string[];
    isForwarded?: boolean;
    isEphemeral?: boolean;
    referral?: {
      sourceType?: string;
      sourceId?: string;
      sourceUrl?: string;
      headline?: string;
      body?: string;
      clickId?: string;
    };
    unsupportedType?: string;
    isGroup: boolean;
    pushName: string;
    chatType: 'personal' | 'group';
    groupId?: string;
    from: string;
    to: string;
    senderLid?: string;
  };
}
/**
 * A file that was pending is there, or is not to be had.
 */
export interface MessageMediaEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.media';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    media: {
      mediaId: string;
      mimetype?: string;
      bytes?: number;
      sha256?: string;
      fileName?: string;
      caption?: string;
      durationSeconds?: number;
      width?: number;
      height?: number;
      voice?: true;
      status: 'ready' | 'pending' | 'unavailable';
      url?: string;
    };
  };
}
/**
 * A number is connected.
 */
export interface DeviceConnectedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'device.connected';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    phoneNumber: string;
    connectedAt: string;
  };
}
/**
 * A number lost its connection.
 */
export interface DeviceDisconnectedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'device.disconnected';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    phoneNumber: string;
    reason: string;
    lastSeenAt: string;
  };
}
/**
 * A number needs a new pairing.
 */
export interface DeviceLoggedOutEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'device.logged_out';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    phoneNumber: string;
    reason: string;
  };
}
/**
 * A QR code or a code to pair with is there, or a fresh one; with neither of them, the pairing has ended without a device, and `reason` of the number says why.
 */
export interface DevicePairingEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'device.pairing';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    method: 'qr' | 'code';
    qr?: string;
    code?: string;
    expiresAt: string;
  };
}
/**
 * A number is in a new group.
 */
export interface GroupCreatedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'group.created';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    groupId: string;
    subject: string;
  };
}
/**
 * Subject, description or settings of a group changed; `changes` holds what they are now.
 */
export interface GroupUpdatedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'group.updated';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    groupId: string;
    subject: string;
    changes: {
      subject?: string;
      description?: string | null;
      isAnnounce?: boolean;
      isLocked?: boolean;
      joinApproval?: boolean;
    };
  };
}
/**
 * Somebody came into a group or left it, or became admin or none.
 */
export interface GroupParticipantsEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'group.participants';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    groupId: string;
    subject: string;
    action: 'add' | 'remove' | 'promote' | 'demote';
    participants: {
      phoneNumber?: string;
      lid?: string;
      role: 'member' | 'admin' | 'owner';
    }[];
  };
}
/**
 * Somebody asks to be let into a group, or that has come to its end.
 */
export interface GroupJoinRequestEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'group.join_request';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    groupId: string;
    subject: string;
    action: 'created' | 'revoked' | 'rejected';
    participants: {
      phoneNumber?: string;
      lid?: string;
    }[];
  };
}
/**
 * A contact has another name, or its phone number or alias has become known.
 */
export interface ContactUpdatedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'contact.updated';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    contactId: string;
    phoneNumber?: string;
    lid?: string;
    name?: string;
    pushName?: string;
  };
}
/**
 * A send was refused because the monthly quota is used up; at most once a minute.
 */
export interface QuotaExceededEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'quota.exceeded';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    used: number;
    limit: number;
    resetAt: string;
  };
}
/**
 * The text of a message was changed, by its author.
 */
export interface MessageEditedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.edited';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    providerMessageId: string;
    chat: string;
    direction: 'outbound' | 'inbound';
    text: string;
    editedAt: string;
  };
}
/**
 * A message was taken back for everyone.
 */
export interface MessageDeletedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.deleted';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    providerMessageId: string;
    chat: string;
    direction: 'outbound' | 'inbound';
    deletedAt: string;
  };
}
/**
 * Somebody reacted to a message, or took that back.
 */
export interface MessageReactionEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.reaction';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    chat: string;
    from: string;
    emoji: string;
    reactedAt: string;
  };
}
/**
 * The owner of a number wrote on the number's own phone.
 */
export interface MessageSentFromPhoneEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'message.sent_from_phone';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    providerMessageId: string;
    messageType:
      | 'text'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contacts'
      | 'poll'
      | 'unsupported';
    text: string;
    media?: {
      mediaId: string;
      mimetype?: string;
      bytes?: number;
      sha256?: string;
      fileName?: string;
      caption?: string;
      durationSeconds?: number;
      width?: number;
      height?: number;
      voice?: true;
      status: 'ready' | 'pending' | 'unavailable';
      url?: string;
    };
    location?: {
      latitude: number;
      longitude: number;
      name?: string;
      address?: string;
      isLive?: true;
    };
    contacts?: {
      name: string;
      phoneNumber?: string;
      organisation?: string;
    }[];
    poll?: {
      name: string;
      /**
       * @minItems 1
       * @maxItems 100
       */
      options: string[];
      selectableCount: number;
    };
    quotedMessageId?: string;
    mentions?: string[];
    isForwarded?: boolean;
    isEphemeral?: boolean;
    referral?: {
      sourceType?: string;
      sourceId?: string;
      sourceUrl?: string;
      headline?: string;
      body?: string;
      clickId?: string;
    };
    unsupportedType?: string;
    isGroup: boolean;
    pushName: string;
    chatType: 'personal' | 'group';
    groupId?: string;
    to: string;
  };
}
/**
 * Somebody voted in a poll, or changed the vote.
 */
export interface PollVotedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'poll.voted';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    messageId: string;
    numberId: string;
    from: string;
    options: string[];
    votedAt: string;
  };
}
/**
 * Somebody calls one of your numbers.
 */
export interface CallReceivedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'call.received';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    numberId: string;
    callId: string;
    from: string;
    isVideo: boolean;
    isGroup: boolean;
    at: string;
  };
}
/**
 * A conversation with a contact, or in a group, has begun.
 */
export interface ConversationCreatedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'conversation.created';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    conversationId: string;
    numberId: string;
    contactId?: string;
    groupId?: string;
    status: 'open' | 'pending' | 'snoozed' | 'resolved';
    assigneeId?: string;
    changes: {
      status?: 'open' | 'pending' | 'snoozed' | 'resolved';
      snoozedUntil?: string | null;
      priority?: 'low' | 'normal' | 'high' | 'urgent';
      assigneeId?: string | null;
      teamId?: string | null;
      labels?: string[];
      botState?: 'off' | 'active' | 'paused';
      sla?: 'none' | 'on_time' | 'missed';
      unreadCount?: 0;
    };
  };
}
/**
 * A conversation has another status, assignee or the like; `changes` holds what they are now.
 */
export interface ConversationUpdatedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'conversation.updated';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    conversationId: string;
    numberId: string;
    contactId?: string;
    groupId?: string;
    status: 'open' | 'pending' | 'snoozed' | 'resolved';
    assigneeId?: string;
    changes: {
      status?: 'open' | 'pending' | 'snoozed' | 'resolved';
      snoozedUntil?: string | null;
      priority?: 'low' | 'normal' | 'high' | 'urgent';
      assigneeId?: string | null;
      teamId?: string | null;
      labels?: string[];
      botState?: 'off' | 'active' | 'paused';
      sla?: 'none' | 'on_time' | 'missed';
      unreadCount?: 0;
    };
  };
}
/**
 * A campaign has begun, or goes on after a pause.
 */
export interface CampaignStartedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'campaign.started';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    campaignId: string;
    name: string;
    reason?:
      | 'by_person'
      | 'network_restricted'
      | 'failures'
      | 'failure_rate'
      | 'opt_outs'
      | 'undelivered'
      | 'quota'
      | 'cancelled';
    counts: {
      recipients: number;
      pending: number;
      queued: number;
      sent: number;
      delivered: number;
      read: number;
      failed: number;
      replied: number;
      optedOut: number;
      skipped: number;
      cancelled: number;
    };
  };
}
/**
 * A campaign has paused: by a person, or by itself, which `reason` tells.
 */
export interface CampaignPausedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'campaign.paused';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    campaignId: string;
    name: string;
    reason?:
      | 'by_person'
      | 'network_restricted'
      | 'failures'
      | 'failure_rate'
      | 'opt_outs'
      | 'undelivered'
      | 'quota'
      | 'cancelled';
    counts: {
      recipients: number;
      pending: number;
      queued: number;
      sent: number;
      delivered: number;
      read: number;
      failed: number;
      replied: number;
      optedOut: number;
      skipped: number;
      cancelled: number;
    };
  };
}
/**
 * A campaign is through with everybody, or was cancelled.
 */
export interface CampaignFinishedEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'campaign.finished';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    campaignId: string;
    name: string;
    reason?:
      | 'by_person'
      | 'network_restricted'
      | 'failures'
      | 'failure_rate'
      | 'opt_outs'
      | 'undelivered'
      | 'quota'
      | 'cancelled';
    counts: {
      recipients: number;
      pending: number;
      queued: number;
      sent: number;
      delivered: number;
      read: number;
      failed: number;
      replied: number;
      optedOut: number;
      skipped: number;
      cancelled: number;
    };
  };
}
/**
 * You asked for a test.
 */
export interface WebhookTestEvent {
  /**
   * The same in every delivery of this event: deduplicate by it.
   */
  id: string;
  event: 'webhook.test';
  /**
   * When it happened.
   */
  timestamp: string;
  data: {
    message: string;
  };
}
