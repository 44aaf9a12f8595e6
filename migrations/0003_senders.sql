ALTER TABLE `accounts` ADD `settings` text;--> statement-breakpoint
ALTER TABLE `numbers` ADD `pacing` text;--> statement-breakpoint
ALTER TABLE `numbers` ADD `filters` text;