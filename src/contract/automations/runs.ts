/** Why a rule did not run for an event: a closed list. */
export const noReasons = {
  condition: 'A condition did not hold.',
  group: 'It was in a group, and the rule is not for groups.',
  own_number: 'One of the numbers of the account has written it.',
  inside_hours: 'It was within business hours.',
  no_hours: 'No business hours are set.',
  late: 'The message was written hours before it came in.',
  cooldown: 'It has run for this person a short while before.',
  stopped: 'A rule before it has stopped.',
  chain: 'The rule itself has caused it, or too many rules one after the other.',
} as const;
export type NoReason = keyof typeof noReasons;

/** What became of an action: a closed list. */
export const actionStates = ['pending', 'done', 'failed', 'skipped'] as const;
export type ActionState = (typeof actionStates)[number];

/** Why an action was not carried out, beside the code of a refusal: a closed list. */
export const actionReasons = {
  reply_cap: 'The person had many automatic replies within an hour.',
  opt_out_word: 'The message is a word that opts out, or in again.',
  no_phone_number: 'The phone number of the person is not known.',
  answered: 'A person has answered meanwhile.',
  expired: 'It could not be carried out in time.',
  switched_off: 'The rule was switched off, or deleted, meanwhile.',
  no_conversation: 'There is no conversation.',
  no_change: 'It was so already.',
  unknown: 'What it names is not there any more.',
  no_assistant: 'No assistant is set for the number.',
  assistant_disabled: 'The assistant is switched off.',
  assistant_paused: 'The assistant is paused in this conversation.',
  assistant_hours: 'It is not the time of the assistant.',
  assistant_budget: 'The budget of the assistant is used up.',
  refused: 'The message was refused.',
  webhook_failed: 'The receiver did not take it.',
} as const;
export type ActionReason = keyof typeof actionReasons;
