-- The owners of accounts from before there were channels are told of what is serious, as those of new accounts are.
INSERT INTO alert_channels (id, account_id, kind, shown_target, kinds, enabled, created_at)
SELECT accounts.id, accounts.id, 'email', json_quote(min(users.email)),
  '["device.disconnected","device.recovered","device.banned","device.logged_out","message.failures","webhook.disabled","quota.exceeded","campaign.paused","bridge.lost"]',
  1, accounts.created_at
FROM accounts
JOIN memberships ON memberships.account_id = accounts.id AND memberships.role = 'owner'
JOIN users ON users.id = memberships.user_id
GROUP BY accounts.id;
