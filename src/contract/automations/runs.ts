/** Why a rule did not run for an event: a closed list. */
export const noReasons = {
  condition: 'A condition was not met.',
  group: 'The message was from a group, and the rule does not run in groups.',
  own_number: 'It was sent from one of the numbers of the account.',
  inside_hours: 'It was within business hours.',
  no_hours: 'No business hours are set.',
  late: 'The message came in hours after it was written.',
  cooldown: 'It ran for this person a short while ago.',
  stopped: 'A rule before it ended the chain.',
  chain: 'It was caused by the rule itself, or by too many rules in a row.',
} as const;
export type NoReason = keyof typeof noReasons;

/** What became of an action: a closed list. */
export const actionStates = ['pending', 'done', 'failed', 'skipped'] as const;
export type ActionState = (typeof actionStates)[number];

/** Why an action was not carried out, beside the code of a refusal: a closed list. */
export const actionReasons = {
  reply_cap: 'The person had too many automatic replies within an hour.',
  opt_out_word: 'The message is an opt-out or opt-in word.',
  no_phone_number: 'The phone number of the person is unknown.',
  answered: 'A person has replied in the meantime.',
  expired: 'It could not be carried out in time.',
  switched_off: 'The rule was disabled or deleted in the meantime.',
  no_conversation: 'There is no conversation.',
  no_change: 'There was nothing to change.',
  unknown: 'What it names no longer exists.',
  no_assistant: 'No assistant is set for the number.',
  assistant_disabled: 'The assistant is disabled.',
  assistant_paused: 'The assistant is paused in this conversation.',
  assistant_hours: 'It was outside the hours of the assistant.',
  assistant_budget: 'The budget of the assistant is used up.',
  refused: 'The message was refused.',
  webhook_failed: 'The receiver did not accept it.',
} as const;
export type ActionReason = keyof typeof actionReasons;
