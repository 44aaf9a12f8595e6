CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`key_hash` text NOT NULL,
	`prefix` text NOT NULL,
	`pinned_number_id` text,
	`on_pin_failure` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`target_name` text,
	`request_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`webhook_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`account_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event` text NOT NULL,
	`body` text NOT NULL,
	`status` text NOT NULL,
	`attempts` text NOT NULL,
	`next_attempt_at` integer,
	PRIMARY KEY(`webhook_id`, `delivery_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE TABLE `memberships` (
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`role` text NOT NULL,
	PRIMARY KEY(`user_id`, `account_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `messages` (
	`account_id` text NOT NULL,
	`message_id` text NOT NULL,
	`direction` text NOT NULL,
	`status` text NOT NULL,
	`number_id` text NOT NULL,
	`to` text NOT NULL,
	`from` text NOT NULL,
	`chat_type` text NOT NULL,
	`message_type` text NOT NULL,
	`text` text,
	`group_id` text,
	`provider_message_id` text,
	`sender_source` text,
	`error_message` text,
	`queued_at` integer,
	`sent_at` integer,
	`delivered_at` integer,
	`read_at` integer,
	`failed_at` integer,
	`received_at` integer,
	PRIMARY KEY(`account_id`, `message_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `numbers` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`label` text NOT NULL,
	`in_pool` integer NOT NULL,
	`created_at` integer NOT NULL,
	`phone_number` text,
	`state` text NOT NULL,
	`reason` text,
	`connected_at` integer,
	`last_seen_at` integer,
	`revision` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `numbers_account` ON `numbers` (`account_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`number_ids` text,
	`events` text,
	`sealed_secret` text NOT NULL,
	`enabled` integer NOT NULL,
	`failure_streak` integer DEFAULT 0 NOT NULL,
	`disabled_reason` text,
	`last_delivery_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_account` ON `webhooks` (`account_id`);