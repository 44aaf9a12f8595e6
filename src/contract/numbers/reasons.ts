// Plain data: the dashboard has it too, which loads no schema.

/** Why a number is not connected. */
export const disconnectReasons = {
  connection_closed: 'The network closed the connection.',
  connection_lost: 'The connection to the network was lost.',
  connection_replaced: 'Another client took over the session.',
  network_unavailable: 'The network is not available.',
  network_refused: 'The network refused the connection.',
  temporarily_banned: 'The network banned the number for a while.',
  client_outdated: 'The network no longer accepts this client version.',
  credentials_rejected: 'The network could not use the stored session.',
  multidevice_mismatch: 'The phone does not support linked devices.',
  proxy_changed: 'It reconnects through another proxy, or without one.',
  session_deaf: 'The session was open and received nothing any more.',
  bridge_lost: 'The session bridge that held the number is gone.',
  requested: 'It was disconnected on request.',
} as const;

/** Why a number needs a new pairing. */
export const logoutReasons = {
  logged_out_by_phone: 'The device was removed from the linked devices on the phone.',
  logged_out_on_request: 'The number was logged out on request.',
  banned: 'The network banned the number.',
} as const;

/** Why a pairing ended without a linked device. */
export const pairingFailures = {
  expired: 'Nobody scanned the QR code or typed the code in time.',
  refused: 'The network refused the pairing.',
  already_paired:
    'NUMBER_ALREADY_PAIRED: the phone is linked to another number of this account. Log that one out first.',
  passkey_required: 'The phone asks for a passkey, which a linked device cannot give.',
} as const;

/**
 * Why a number does not send as it could, as `reason` of a number and of its health says it: a closed list of sentences.
 * `{name}` stands for a value.
 */
export const numberReasons = {
  ...disconnectReasons,
  ...logoutReasons,
  ...pairingFailures,
  /** To an account of the same deployment. */
  linked_elsewhere: 'The phone was linked to another account as well, which reads along.',
  being_logged_out: 'It is being logged out, which the network has not confirmed yet.',
  logout_unconfirmed:
    'It was logged out, but the network did not confirm it. Remove the device from the linked devices on the phone.',
  banned_until: 'The network banned the number until {until}; it comes back by itself.',
  no_device: 'No device is linked to it.',
  never_connected: 'The number has not been connected yet.',
  being_paired: 'It is being paired.',
  no_bridge: 'No session bridge is available for it. It continues automatically once one is.',
  no_new_chats: 'The network lets this number begin no new chats.',
  on_trial: 'It is tried with one message after its rest.',
  failed_trial: 'The message that it was tried with after its rest went wrong too.',
  sends_too_much: 'The network says that it sends too much (429).',
  failed_in_row: '{count} messages in a row went wrong.',
  unacknowledged: 'The network did not acknowledge {count} messages in a row.',
  acknowledged_late: 'The network took more than {seconds} s to acknowledge each of {count} messages.',
  often_failed: '{failed} of its last {count} messages went wrong.',
} as const;
export type NumberReason = keyof typeof numberReasons;

/** `until` is an ISO time. */
type Values = Record<'until' | 'count' | 'failed' | 'seconds', string>;

/** The sentence, with its values in it. */
export const reasonSentence = (reason: NumberReason, values: Partial<Values> = {}): string =>
  numberReasons[reason].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name as keyof Values]));

const patterns = Object.entries(numberReasons).map(([reason, sentence]) => {
  const escaped = sentence.replaceAll(/[.()]/g, String.raw`\$&`);
  return [reason as NumberReason, new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`)] as const;
});

/** Which sentence that is, and the values that it has; null where it is none of the list. */
export function readReason(sentence: string): { reason: NumberReason; values: Values } | null {
  for (const [reason, pattern] of patterns) {
    const match = pattern.exec(sentence);
    if (match !== null) return { reason, values: { ...match.groups } as Values };
  }
  return null;
}
