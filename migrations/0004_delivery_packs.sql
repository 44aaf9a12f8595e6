CREATE TABLE `delivery_packs` (
	`webhook_id` text NOT NULL,
	`last_id` text NOT NULL,
	`pack_id` text NOT NULL,
	`first_id` text NOT NULL,
	`events` text NOT NULL,
	`deliveries` text NOT NULL,
	PRIMARY KEY(`webhook_id`, `last_id`, `pack_id`)
) WITHOUT ROWID;
