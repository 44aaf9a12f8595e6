CREATE TABLE `automations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`definition` text NOT NULL,
	`position` integer NOT NULL,
	`sealed_secret` text NOT NULL,
	`previous_sealed_secret` text,
	`previous_secret_until` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `automations_account` ON `automations` (`account_id`,`position`);