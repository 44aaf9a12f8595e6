CREATE TABLE `assistants` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`number_ids` text,
	`provider` text NOT NULL,
	`sealed_secrets` text,
	`instructions` text NOT NULL,
	`introduction` text,
	`tools` text NOT NULL,
	`hand_off` text NOT NULL,
	`hours` text NOT NULL,
	`daily_token_budget` integer NOT NULL,
	`conversation_token_budget` integer NOT NULL,
	`debounce_seconds` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assistants_account` ON `assistants` (`account_id`);