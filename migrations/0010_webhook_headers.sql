ALTER TABLE `webhooks` ADD `header_names` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `sealed_headers` text;