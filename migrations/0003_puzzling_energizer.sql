CREATE TABLE `business_hours` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `business_hours_account` ON `business_hours` (`account_id`);--> statement-breakpoint
CREATE TABLE `sla_policies` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sla_policies_account` ON `sla_policies` (`account_id`);