CREATE TABLE `alerts` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`at` integer NOT NULL,
	`detail` text NOT NULL,
	`announced_at` integer,
	PRIMARY KEY(`account_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `alerts_unannounced` ON `alerts` (`at`) WHERE announced_at is null;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `previous_sealed_secret` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `previous_secret_until` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `slow_until` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `releasing` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `webhooks_releasing` ON `webhooks` (`id`) WHERE releasing = 1;--> statement-breakpoint
CREATE INDEX `deliveries_held` ON `deliveries` (`webhook_id`,`delivery_id`) WHERE status = 'held';--> statement-breakpoint
UPDATE `deliveries` SET `status` = 'held' WHERE `status` = 'pending' AND `next_attempt_at` IS NULL;
