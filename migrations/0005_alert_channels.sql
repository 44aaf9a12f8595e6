CREATE TABLE `alert_channels` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text,
	`shown_target` text NOT NULL,
	`sealed_target` text,
	`kinds` text,
	`number_ids` text,
	`digest` text,
	`enabled` integer NOT NULL,
	`confirmed_at` integer,
	`confirmation_hash` text,
	`confirmation_expires_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alert_channels_account` ON `alert_channels` (`account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_channels_confirmation` ON `alert_channels` (`confirmation_hash`);--> statement-breakpoint
CREATE TABLE `alert_mutes` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text,
	`number_id` text,
	`until` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alert_mutes_account` ON `alert_mutes` (`account_id`);